/** The law of a price that is shown before a scan: what the scan costs is no less than its lower end, and no more than its upper one. */
import { describe, expect, it } from "@effect/vitest"
import { Json, RpcReason } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { isOverBudget, priceWithinBudgets } from "../src/index.ts"
import { type Answer, play } from "./harness.ts"

const hex = (block: number): string => `0x${block.toString(16)}`

const logAt = (block: number) => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  blockHash: `0x${"11".repeat(32)}`,
  blockNumber: hex(block),
  data: "0x",
  logIndex: "0x0",
  removed: false,
  topics: [],
  transactionHash: `0x${"22".repeat(32)}`,
  transactionIndex: "0x0",
})

const blockAt = (block: number) => ({
  number: hex(block),
  hash: `0x${"11".repeat(32)}`,
  parentHash: `0x${"00".repeat(32)}`,
  timestamp: "0x1",
  transactions: [],
  miner: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  gasLimit: "0x1",
  gasUsed: "0x0",
  size: "0x1",
  extraData: "0x",
  logsBloom: `0x${"0".repeat(512)}`,
  nonce: "0x0000000000000000",
  difficulty: "0x0",
  stateRoot: `0x${"00".repeat(32)}`,
  transactionsRoot: `0x${"00".repeat(32)}`,
  receiptsRoot: `0x${"00".repeat(32)}`,
  sha3Uncles: `0x${"00".repeat(32)}`,
  uncles: [],
})

const tooMany: Answer = {
  reason: new RpcReason.SplitRequired({ cause: "results", rpcCode: -32005, said: "too many results" }),
  outcome: "rpc-error",
}
const lost: Answer = { reason: new RpcReason.Transport({ said: "the connection was lost" }), outcome: "timeout" }

interface Scan {
  readonly from: number
  readonly blocks: number
  /** How the last block is named: by its number, or by a tag that is looked up. */
  readonly to: "number" | "latest" | "finalized"
  readonly spanCap: number | undefined
  /** Every so many blocks has a log. */
  readonly every: number
  /** The most logs that the server answers at once. */
  readonly limit: number
  /** Calls whose connections are lost. */
  readonly losses: ReadonlyArray<number>
  readonly budget: number | undefined
}

const scan: fc.Arbitrary<Scan> = fc.record({
  from: fc.oneof(fc.constant(0), fc.nat(1_000)),
  blocks: fc.integer({ min: 1, max: 300 }),
  to: fc.constantFrom("number", "latest", "finalized"),
  spanCap: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  every: fc.integer({ min: 1, max: 50 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(1_000)),
  losses: fc.array(fc.nat(5), { maxLength: 2 }),
  budget: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
})

/** The pauses between attempts take no time. */
const inNoTime = <Value, Problem>(effect: Effect.Effect<Value, Problem>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let waited = 0; waited < 50; waited++) yield* TestClock.adjust("10 seconds")
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(TestClock.layer()))

/**
 * The fewest credits that read all of a range, by what is known before: 255 for a call that reads and 80 for a look at a block. A range
 * from block 0 up to a tag has a block at least, and one from a later block may have none.
 */
const leastOf = ({ blocks, from, spanCap = blocks, to }: Scan): number => {
  if (to === "number") return 255 * Math.ceil(blocks / spanCap)
  const looks = to === "latest" && from === 0 ? 2 : 1
  return 80 * looks + (from === 0 ? 255 : 0)
}

const playScan = ({ blocks, budget, every, from, limit, losses, spanCap, to }: Scan) => {
  let call = 0
  return play({
    text: `###\n# @network evm\n# @all\n${budget === undefined ? "" : `# @budget ${budget}\n`}eth_getLogs [{ "fromBlock": "${hex(from)}", "toBlock": "${to === "number" ? hex(from + blocks - 1) : to}" }]\n`,
    answers: {
      eth_getBlockByNumber: (params) => {
        const [block] = Json.isArray(params) ? params : []
        const isNumber = typeof block === "string" && block.startsWith("0x")
        return { result: blockAt(isNumber ? Number(block) : from + blocks - 1) }
      },
      eth_getLogs: (params) => {
        if (losses.includes(call++)) return lost
        const [filter] = Json.isArray(params) ? params : []
        const { fromBlock = "0x0", toBlock = "0x0" } = Json.isObject(filter ?? null)
          ? (filter as Readonly<Record<string, string>>)
          : {}
        const found: Array<Json.Json> = []
        for (let block = Number(fromBlock); block <= Number(toBlock); block++)
          if (block % every === 0) found.push(logAt(block))
        return found.length > limit ? tooMany : { result: found }
      },
    },
    workspace: {
      config: {
        networks: {
          evm: { plugin: "evm", url: "embedded:evm", ...(spanCap === undefined ? {} : { spanCap }) },
        },
      },
    },
  })
}

describe("the price of a scan", () => {
  it("is kept by what the scan costs", () =>
    fc.assert(
      fc.asyncProperty(scan, async (given) => {
        const { plan, reports } = await Effect.runPromise(inNoTime(playScan(given)))
        const [report] = reports
        const { max, min } = plan.estimate
        expect(report?.request.price).toEqual(plan.estimate)
        const isRefused = given.budget !== undefined && given.budget < leastOf(given)
        expect([min, plan.requests.some(isOverBudget)]).toEqual([leastOf(given), isRefused])
        expect(priceWithinBudgets(plan)).toEqual(isRefused ? { min: 0, max: 0, assumed: false } : plan.estimate)
        if (report?.status === "ok") expect(report.credits).toBeGreaterThanOrEqual(min)
        expect(report?.credits).toBeLessThanOrEqual(max ?? Infinity)
        // One that is known not to suffice is refused before anything is sent.
        if (isRefused) expect(report).toMatchObject({ status: "refused", calls: 0 })
        // How often a call is refused for its many items, nobody knows, nor how many calls a range up to a tag takes.
        const isOneCall = given.to === "number" || given.blocks <= (given.spanCap ?? Infinity)
        const isPlain = given.losses.length === 0 && given.blocks <= given.limit && isOneCall
        if (report?.status !== "refused" || !isPlain) return
        const again = await Effect.runPromise(inNoTime(playScan({ ...given, budget: report.error?.budgetNeeded })))
        expect(again.reports[0]?.status).toBe("ok")
      }),
      { numRuns: runs(60) },
    ))
})
