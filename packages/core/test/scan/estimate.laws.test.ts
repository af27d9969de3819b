/**
 * What an estimate says before a scan is never contradicted by what the scan costs: not by less than its minimum, and not by
 * more where it says one number. The chain does not change meanwhile, and every node answers.
 */
import { Evm } from "@dotrpc/plugin-evm"
import { PriceSheet } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Option, Stream } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { RangeScan } from "../../src/index.ts"
import { queryKey } from "../../src/scan/Remembered.ts"
import { type NodeOptions, network, nodeOf } from "./node.ts"

/** A scan, and how much of it was done before it is estimated. */
interface Case {
  readonly node: Pick<NodeOptions, "head" | "limit" | "logs">
  readonly filter: Pick<Evm.Filter, "fromBlock" | "toBlock">
  readonly reorgDepth: number | undefined
  /** Parts that an earlier run emitted; 0 for a scan from its beginning. */
  readonly parts: number
  /** Whether earlier scans of the same query are remembered. */
  readonly isRemembered: boolean
  readonly blockSpan: number | undefined
}

const tags = ["latest", "finalized", "safe", "earliest"] as const

const end = fc.oneof(
  fc.constantFrom(...tags),
  fc.integer({ min: 0, max: 220 }).map((block) => Evm.hex(block)),
)

const cases: fc.Arbitrary<Case> = fc.record({
  node: fc.integer({ min: 0, max: 200 }).chain((head) =>
    fc.record({
      head: fc.constant(head),
      limit: fc.integer({ min: 3, max: 30 }),
      logs: fc
        .array(fc.integer({ min: 0, max: head }), { maxLength: 60 })
        .map((blocks) =>
          blocks.toSorted((left, right) => left - right).map((block, index) => ({ block, address: index })),
        ),
    }),
  ),
  filter: fc.oneof(
    fc.record({ fromBlock: end, toBlock: end }),
    fc.record({ fromBlock: fc.constant("0x0"), toBlock: end }),
  ),
  reorgDepth: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  parts: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })),
  isRemembered: fc.boolean(),
  blockSpan: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
})

const run = async ({ blockSpan, filter, isRemembered, node, parts, reorgDepth }: Case) => {
  const { client, sent } = nodeOf(() => node, blockSpan === undefined ? {} : { spanCap: blockSpan })
  const params = [filter] as const
  const spent = () => sent.reduce((sum, { method }) => sum + PriceSheet.usualPrice(method, network).credits, 0)
  return await Effect.runPromise(
    Effect.gen(function* () {
      const memory = RangeScan.memoryOfProcess()
      const options = { memory: isRemembered ? memory : RangeScan.memoryOfProcess(), reorgDepth }
      const first = yield* RangeScan.parts(Evm.GetLogs, params, { memory, reorgDepth }).pipe(
        Stream.take(parts),
        Stream.runLast,
        Effect.result,
      )
      const checkpoint = first._tag === "Success" ? Option.getOrUndefined(first.success)?.checkpoint : undefined
      const estimate = yield* Effect.result(RangeScan.estimate(Evm.GetLogs, params, { ...options, checkpoint }))
      const before = spent()
      const scan = RangeScan.parts(Evm.GetLogs, params, { ...options, checkpoint })
      const outcome = yield* Effect.result(Stream.runDrain(scan))
      return { estimate, outcome, cost: spent() - before, calls: sent.length }
    }).pipe(Effect.provide(client)),
  )
}

it("the minimum is never above what the scan costs, and a single number never below", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (input) => {
      const { cost, estimate, outcome } = await run(input)
      fc.pre(outcome._tag === "Success" && estimate._tag === "Success")
      const { calls, credits } = estimate.success
      expect(credits.min).toBeLessThanOrEqual(cost)
      if (credits.max === credits.min) expect(credits.max).toBeGreaterThanOrEqual(cost)
      expect(calls.likely ?? calls.low).toBeGreaterThanOrEqual(calls.low)
      expect(calls.high ?? Infinity).toBeGreaterThanOrEqual(calls.likely ?? calls.low)
    }),
    { numRuns: runs(500) },
  )
})

it("is exact up to what was read, and counts with the blocks that came since at the pace seen", () => {
  const day = 7_200
  const remembered = (perSecond: number | undefined): RangeScan.Remembered => ({
    ...RangeScan.unknownEndpoint,
    heads: { latest: { number: 20 * day - 1, at: 0, perSecond } },
    queries: [
      {
        query: queryKey(Evm.GetLogs, [{}]),
        // As many logs each day as two calls answer.
        profile: Array.from({ length: 40 }, (_, index) => ({
          from: (index * day) / 2,
          to: ((index + 1) * day) / 2 - 1,
          items: 10_000,
        })),
      },
    ],
  })
  const callsOf = (fromBlock: number, days: number, perSecond?: number) => {
    const params = [{ fromBlock: Evm.hex(fromBlock), toBlock: "latest" }]
    return RangeScan.likelyCost(Evm.GetLogs, network, params, remembered(perSecond), days * 86_400_000)?.calls
  }
  // The look-ups of the end, before and after, and of the block below the watched ones are among them.
  expect(callsOf(0, 0)).toEqual({ low: 43, likely: 43, high: 43 })
  expect(callsOf(19 * day, 0, 1 / 12)).toEqual({ low: 5, likely: 5, high: 5 })
  const paced = callsOf(10 * day, 1, 1 / 12)
  expect(paced?.likely).toBeGreaterThanOrEqual(25)
  expect(paced?.high).toBeLessThan((callsOf(10 * day, 1)?.high ?? Infinity) / 4)
})

/** What is planned for a scan of an empty memory, and what it costs. */
const check = (name: string, filter: Case["filter"], expected: { readonly min: number; readonly cost: number }) =>
  it(name, async () => {
    const node = { head: 199, logs: [{ block: 100 }] }
    const ran = await run({ node, filter, reorgDepth: undefined, parts: 0, isRemembered: false, blockSpan: undefined })
    const min = ran.estimate._tag === "Success" ? ran.estimate.success.credits.min : undefined
    expect({ min, cost: ran.cost }).toEqual(expected)
  })

// The number of "latest" is not known beforehand, so neither is whether a block below the watched ones is looked up.
check(
  "a range up to the latest block is looked up, read, and looked up again",
  { fromBlock: "0x0", toBlock: "latest" },
  { min: 415, cost: 495 },
)
check("a final block is looked up once", { fromBlock: "0x0", toBlock: "finalized" }, { min: 335, cost: 335 })
check(
  "one block by its tag is looked up once before and once after",
  { fromBlock: "latest", toBlock: "latest" },
  { min: 415, cost: 415 },
)
check("two tags are looked up each", { fromBlock: "earliest", toBlock: "finalized" }, { min: 415, cost: 415 })
check("nothing is looked up between numbers", { fromBlock: "0x0", toBlock: "0x9" }, { min: 255, cost: 255 })
check(
  "a range that may be empty may cost no more than its look-up",
  { fromBlock: "0xff", toBlock: "latest" },
  { min: 80, cost: 80 },
)
