/** Law: a scan that keeps what is final gives what a scan without it gives, and pays for no final block twice. */
import { Evm } from "@dotrpc/plugin-evm"
import { type Json, ResultNotes } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type FinalResults, RangeScan } from "../../src/index.ts"
import { nodeOf } from "./node.ts"

const head = 200
/** As the node says. */
const final = head - 64

const storeOf = (): FinalResults.Memory & { readonly found: Map<string, Json.Json> } => {
  const found = new Map<string, Json.Json>()
  return {
    found,
    read: (key) => Effect.sync(() => found.get(key)),
    write: (key, result) => Effect.sync(() => void found.set(key, result)),
  }
}

const block = fc.integer({ min: 0, max: head })
const end = fc.oneof(block.map(Evm.hex), fc.constantFrom("latest" as const, "finalized" as const, "safe" as const))
const scans = fc.array(
  fc.record({
    fromBlock: block,
    toBlock: end,
    lanes: fc.integer({ min: 1, max: 4 }),
    parts: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 4 },
)

interface Case {
  readonly limit: number
  readonly logs: ReadonlyArray<number>
  readonly scans: ReadonlyArray<{
    readonly fromBlock: number
    readonly toBlock: NonNullable<Evm.Filter["toBlock"]>
    readonly lanes: number
    readonly parts: number
  }>
}

const cases: fc.Arbitrary<Case> = fc.record({
  limit: fc.integer({ min: 3, max: 30 }),
  logs: fc.array(block, { maxLength: 80 }),
  scans,
})

const rangesOf = (sent: ReturnType<typeof nodeOf>["sent"]) =>
  sent.flatMap(({ method, params }) => {
    if (method.name !== "eth_getLogs") return []
    const [filter] = params as readonly [Evm.Filter]
    return [[Number(filter.fromBlock), Number(filter.toBlock)] as const]
  })

it("is kept", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ limit, logs, scans }) => {
      const store = storeOf()
      const memory = RangeScan.memoryOfProcess()
      const entries = logs.toSorted((left, right) => left - right).map((at, index) => ({ block: at, address: index }))
      const nodeWith = () => nodeOf(() => ({ head, limit, logs: entries }))
      const answered = new Set<number>()
      for (const { fromBlock, lanes, parts, toBlock } of scans) {
        if (toBlock.startsWith("0x") && Number(toBlock) < fromBlock) continue
        const params = [{ fromBlock: Evm.hex(fromBlock), toBlock }] as const
        const [node, plain, estimating] = [nodeWith(), nodeWith(), nodeWith()]
        const options = { lanes, memory, kept: store }
        const estimate = await Effect.runPromise(
          RangeScan.estimate(Evm.GetLogs, params, options).pipe(Effect.provide(estimating.client)),
        )
        const run = RangeScan.parts(Evm.GetLogs, params, options).pipe(
          Stream.take(parts),
          Stream.runCollect,
          Effect.provide(node.client),
          Effect.result,
        )
        const outcome = await Effect.runPromise(run)
        const whole = await Effect.runPromise(
          RangeScan.scan(Evm.GetLogs, params).pipe(Stream.runCollect, Effect.provide(plain.client), Effect.result),
        )
        if (outcome._tag === "Failure" || whole._tag === "Failure") continue
        const items = outcome.success.flatMap((part) => part.items)
        expect(items).toEqual(whole.success.slice(0, items.length))
        for (const [from, to] of rangesOf(node.sent))
          for (let at = from; at <= to; at++) if (answered.has(at)) throw new Error(`block ${at} is paid for twice`)
        const last = outcome.success.findLast(({ checkpoint }) => checkpoint !== undefined)?.checkpoint
        const to = Math.min(final, (last?.next ?? 0) - 1)
        if (last?.unplaced !== true) for (let at = fromBlock; at <= to; at++) answered.add(at)
        if (outcome.success.length < parts) {
          expect(items).toEqual(whole.success)
          expect(node.sent.length).toBeGreaterThanOrEqual(estimate.credits.min > 0 ? 1 : 0)
          if (estimate.calls.low === estimate.calls.high)
            expect(node.sent.length).toBeLessThanOrEqual(estimate.calls.low + 1)
        }
      }
    }),
    { numRuns: runs(150) },
  )
})

it("costs nothing the second time, says so, and reads again what was damaged", async () => {
  const store = storeOf()
  const params = [{ fromBlock: "0x0", toBlock: Evm.hex(100) }] as const
  const scan = async () => {
    const node = nodeOf(() => ({ head, limit: 10, logs: Array.from({ length: 90 }, (_, at) => ({ block: at })) }))
    const said: Array<string> = []
    const items = await Effect.runPromise(
      RangeScan.scan(Evm.GetLogs, params, { kept: store }).pipe(
        Stream.runCollect,
        Effect.provideService(ResultNotes, (words: string) => void said.push(words)),
        Effect.provide(node.client),
      ),
    )
    expect(items.length).toBe(90)
    return { said, sent: node.sent.length }
  }
  expect((await scan()).said).toEqual([])
  expect(await scan()).toEqual({ said: ["kept: 101 blocks read earlier"], sent: 0 })
  for (const key of store.found.keys()) store.found.set(key, [{ from: 0, to: 100, items: ["no log"] }, "nothing"])
  expect((await scan()).sent).toBeGreaterThan(9)
  expect((await scan()).sent).toBe(0)
})
