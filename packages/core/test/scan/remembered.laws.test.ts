/** Law: whatever a memory holds of a query, numbers are planned for it, and it is scanned whole. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Json, Method } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { RangeScan } from "../../src/index.ts"
import { decodeRemembered, headNow, queryKey } from "../../src/scan/Remembered.ts"
import { network, nodeOf } from "./node.ts"

const [first, last] = [40, 139]
const logs = Array.from({ length: 200 }, (_, index) => ({ block: index }))
const params = [{ fromBlock: Evm.hex(first), toBlock: Evm.hex(last) }] as const

const { range } = Evm.GetLogs
if (range === undefined) throw new Error("logs have no range")
const { limit: _, ...unlimited } = range

/** A method whose calls end by the number of their items, one whose calls end by their blocks alone, and one of both. */
const methods: Readonly<Record<string, Method>> = {
  items: Evm.GetLogs,
  blocks: { ...Evm.GetLogs, range: { ...unlimited, span: 30 } },
  nothing: { ...Evm.GetLogs, range: unlimited },
}

const number = fc.oneof(fc.nat(200), fc.constantFrom<Json.Json>(-1, 1.5, 1e300, null, "7"), fc.maxSafeNat())
const member = fc.option(number, { nil: undefined })
const row = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(fc.nat(200), fc.nat(60), fc.nat(3)).map(([from, more, items]) => [from, from + more, items]),
  },
  { weight: 1, arbitrary: fc.array(number, { maxLength: 4 }) },
)
const rows = fc
  .array(row, { maxLength: 5 })
  .map((found) => found.toSorted((left, right) => Number(left[0]) - Number(right[0])))
const facts = fc.record({ limit: member, quick: member, slow: member, span: member, refused: member, misled: member })

const written = (value: object): Json.JsonObject => JSON.parse(JSON.stringify(value)) as Json.JsonObject

for (const [name, method] of Object.entries(methods))
  it(`of a method that is limited by ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(facts, facts, rows, fc.integer({ min: 1, max: 4 }), async (endpoint, own, profile, lanes) => {
        const query = { query: queryKey(method, params), ...own, profile }
        const known = decodeRemembered(written({ ...endpoint, queries: [query] }))
        const memory = RangeScan.memoryOfProcess()
        const { client } = nodeOf(() => ({ head: 199, logs }))
        const { calls } = RangeScan.likelyCost(method, network, params, known, 0) ?? {}
        expect(Object.values(calls ?? {}).filter(Number.isNaN)).toEqual([])
        const found = await Effect.runPromise(
          Effect.gen(function* () {
            yield* memory.write(RangeScan.memoryKey(method, network), known)
            return yield* Stream.runCollect(RangeScan.scan(method, params, { memory, lanes }))
          }).pipe(Effect.provide(client)),
        )
        const blocks = found.map((item) => Number((item as { readonly blockNumber: string }).blockNumber))
        expect(blocks).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
      }),
      { numRuns: runs(200) },
    )
  })

it.each([
  ["at the pace seen, within a tenth and chance", 1 / 12, 86_400, [1_000, 7_372, 8_200, 9_029, 11_800]],
  ["anywhere up to what few chains exceed, where no pace was seen", undefined, 60, [1_000, 1_000, 1_000, 1_600, 1_600]],
  ["no block at once", 2, 0, [1_000, 1_000, 1_000, 1_000, 1_000]],
] as const)("a tag is taken to have moved on %s", (_, perSecond, seconds, expected) => {
  const { high, least, likely, low, most } = headNow({ number: 1_000, at: 5_000, perSecond }, 5_000 + seconds * 1_000)
  expect([least, low, likely, high, most]).toEqual(expected)
})
