/**
 * Scans of a chain that changes while it is read, by nodes of which some are behind, and of servers that send logs in any
 * order and more than once.
 */
import { describe, expect, it } from "vitest"
import { Evm } from "@dotrpc/plugin-evm"
import { Json, RpcReason, type RpcRequest } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { RangeScan } from "../../src/index.ts"
import { failed, nodeOf } from "./node.ts"

/** How many logs a block has, and which fork it is of. */
type Chain = ReadonlyArray<{ readonly logs: number; readonly fork: string }>

/** Before a call, the blocks from so far below the head on are replaced. */
interface Reorganization {
  readonly call: number
  readonly depth: number
  readonly logs: ReadonlyArray<number>
}

const sparse = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 }))

const setups = fc.record({
  logs: fc.array(sparse, { minLength: 1, maxLength: 60, size: "max" }),
  reorganizations: fc.array(
    fc.record({
      call: fc.nat(9),
      depth: fc.integer({ min: 1, max: 60 }),
      logs: fc.array(sparse, { maxLength: 60, size: "max" }),
    }),
    { maxLength: 3 },
  ),
  /** The calls that meet a node which lacks the newest blocks. */
  behind: fc.uniqueArray(fc.nat(12), { maxLength: 4 }),
  reorgDepth: fc.integer({ min: 1, max: 20 }),
  lanes: fc.integer({ min: 1, max: 3 }),
  span: fc.integer({ min: 3, max: 80 }),
})

const replaced = (chain: Chain, { depth, logs }: Reorganization, fork: string): Chain => {
  const from = Math.max(0, chain.length - depth)
  return chain.map((block, number) => (number < from ? block : { logs: logs[number - from] ?? 0, fork }))
}

const entriesOf = (chain: Chain) => chain.flatMap(({ logs }, block) => Array.from({ length: logs }, () => ({ block })))

const placesOf = (chain: Chain) =>
  chain.flatMap(({ fork, logs }, block) => Array.from({ length: logs }, (_, index) => `${block}.${index} ${fork}`))

const placeOf = ({ blockHash, blockNumber, logIndex }: Evm.Log) => {
  const fork = blockHash?.replace(/^0x0*/, "").slice(0, 1)
  return `${Number(blockNumber)}.${Number(logIndex)} ${fork}`
}

/** Runs it while time passes: a minute whenever nothing else is left to do. */
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const idle = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
  return effect.pipe(
    Effect.raceFirst(Effect.forever(Effect.andThen(idle, TestClock.adjust("1 minute")))),
    Effect.provide(TestClock.layer()),
    Effect.runPromise,
  )
}

const collect = (filter: Evm.Filter, options: RangeScan.ScanOptions) =>
  Effect.gen(function* () {
    const items: Array<Json.Json> = []
    const reason = yield* RangeScan.scan(Evm.GetLogs, [filter], options).pipe(
      Stream.runForEach((item) => Effect.sync(() => void items.push(item))),
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed(error.reason)),
    )
    return { items, reason }
  })

const isOf = ({ method, params }: RpcRequest, block: number) =>
  method.name === "eth_getBlockByNumber" && Json.isArray(params) && params[0] === Evm.hex(block)

/** Items of a scan of logs have passed the method's result schema. */
const logsIn = (items: ReadonlyArray<Json.Json>) => items as ReadonlyArray<Evm.Log>

const standing = (items: ReadonlyArray<Json.Json>) => {
  const range = Evm.GetLogs.range
  if (range === undefined) throw new Error("logs are scanned by ranges")
  return logsIn(RangeScan.standing(range, items))
}

describe("a chain that changes while it is scanned", () => {
  it("gives the logs of the chain as it was at the last look, or says from which block on it does not", () =>
    fc.assert(
      fc.asyncProperty(setups, async ({ behind, lanes, logs, reorganizations, reorgDepth, span }) => {
        let chain: Chain = logs.map((count) => ({ logs: count, fork: "a" }))
        let canonical = chain
        let touched = chain.length
        const head = chain.length - 1
        let calls = 0
        const node = nodeOf(() => ({
          head,
          logs: entriesOf(chain),
          limit: 40,
          forkOf: (block) => chain[block]?.fork ?? "",
          instead: (request) => {
            const call = calls++
            for (const [index, change] of reorganizations.entries())
              if (change.call === call) {
                chain = replaced(chain, change, "bcd"[index] ?? "e")
                touched = Math.min(touched, Math.max(0, chain.length - change.depth))
              }
            const [filter] = request.params as readonly [Evm.Filter]
            const reaches = isOf(request, head) || filter.toBlock === Evm.hex(head)
            if (behind.includes(call) && reaches)
              return Effect.fail(failed(new RpcReason.NotFound({ said: "unknown block" })))
            if (request.method.name === "eth_getLogs" && Number(filter.toBlock) - Number(filter.fromBlock) >= span)
              return Effect.fail(failed(new RpcReason.SplitRequired({ cause: "results", said: "too many results" })))
            if (isOf(request, head)) canonical = chain
            return undefined
          },
        }))
        const { items, reason } = await run(
          collect({ fromBlock: "0x0", toBlock: "latest" }, { lanes, reorgDepth }).pipe(Effect.provide(node.client)),
        )
        if (reason === undefined) {
          expect(standing(items).map(placeOf)).toEqual(placesOf(canonical))
          return
        }
        expect(reason._tag).toBe("Reorganized")
        // It names the first block that changed, or says that others before it may have.
        expect(reason).toSatisfy((found: RpcReason.Reorganized) => found.deeper === true || found.block <= touched)
        // It is not blamed on a chain that changed only where it is watched.
        expect(touched).toBeLessThan(Math.max(1, head - reorgDepth + 1))
        const before = (place: string) => Number(place.split(".")[0]) < touched
        expect(standing(items).map(placeOf).filter(before)).toEqual(placesOf(canonical).filter(before))
      }),
      { numRuns: runs(300) },
    ))
})

/** As a server sends them that has lost its way: in any order, some twice, some of those with other members. */
const disorder = fc.record({
  logs: fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }),
  order: fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
  twice: fc.array(fc.nat(100), { maxLength: 5 }),
  conflict: fc.option(fc.nat(100), { nil: undefined }),
  span: fc.integer({ min: 1, max: 30 }),
})

describe("a server that sends logs in any order, and some of them twice", () => {
  it("is read in order, each log once; two logs for one place are an error", () =>
    fc.assert(
      fc.asyncProperty(disorder, async ({ conflict, logs, order, span, twice }) => {
        const chain: Chain = logs.map((count) => ({ logs: count, fork: "a" }))
        const options = { head: chain.length - 1, logs: entriesOf(chain) }
        const honest = nodeOf(() => options)
        let conflicted = false
        const node = nodeOf(() => ({
          ...options,
          instead: ({ method, params }) => {
            const [filter] = params as readonly [Evm.Filter]
            if (method.name !== "eth_getLogs") return undefined
            if (Number(filter.toBlock) - Number(filter.fromBlock) >= span)
              return Effect.fail(failed(new RpcReason.SplitRequired({ cause: "results", said: "too many results" })))
            return Evm.getLogs(filter).pipe(
              Effect.provide(honest.client),
              Effect.map((found) => {
                const again = twice.flatMap((at) => found[at] ?? [])
                const other = conflict === undefined ? undefined : found[conflict]
                if (other !== undefined) conflicted = true
                const sent = [...found, ...again, ...(other === undefined ? [] : [{ ...other, data: "0x01" as const }])]
                const key = (index: number) => (order[index % order.length] ?? 0) * 31 + index
                return sent
                  .map((log, index) => ({ log, at: key(index) % 17 }))
                  .toSorted((left, right) => left.at - right.at)
                  .map(({ log }) => log)
              }),
            )
          },
        }))
        const filter = { fromBlock: "0x0", toBlock: Evm.hex(options.head) } as const
        const { items, reason } = await run(collect(filter, {}).pipe(Effect.provide(node.client)))
        const places = logsIn(items).map(placeOf)
        if (conflicted) {
          expect(reason?._tag).toBe("Malformed")
          expect(reason?.message).toMatch(/^the server sent two different items for the same place in block \d+$/)
          expect(places).toEqual(placesOf(chain).slice(0, places.length))
        } else expect([reason, places]).toEqual([undefined, placesOf(chain)])
      }),
      { numRuns: runs(200) },
    ))
})
