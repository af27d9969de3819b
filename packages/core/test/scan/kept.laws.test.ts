/** Law: a scan that keeps what is final gives what a scan without it gives, and pays for no final block twice. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, ResultNotes, type RpcError } from "@dotrpc/spec"
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
          const paid = node.calls("eth_getLogs") * 255 + node.calls("eth_getBlockByNumber") * 80
          expect(paid).toBeGreaterThanOrEqual(estimate.credits.min)
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
  // Whether the chain still has them is looked up.
  expect(await scan()).toEqual({ said: ["kept: 101 blocks read earlier"], sent: 1 })
  const damages: ReadonlyArray<(text: string) => string> = [
    () => '[{"from":0,"to":100,"items":["no log"]},"nothing"]',
    (text) => text.replace('"data":"0x"', '"data":"0x01"'),
    (text) => text.replace('"to":100', '"to":99'),
    (text) => text.replace('"digest":"', '"digest":"0'),
    (text) => text.replace('"hash":"0x', '"hash":"0x1'),
    (text) => text.replace(/"number":\d+/, '"number":99'),
  ]
  for (const damaged of damages) {
    for (const [key, value] of store.found) {
      const text = damaged(Json.stringify(value))
      expect(text).not.toBe(Json.stringify(value))
      store.found.set(key, Json.parse(text))
    }
    expect((await scan()).sent).toBeGreaterThan(9)
    expect((await scan()).sent).toBe(1)
  }
})

const entries = Array.from({ length: 90 }, (_, at) => ({ block: at }))

/** One address whose chain may be another by the next scan. */
const chains = () => {
  const store = storeOf()
  const memory = RangeScan.memoryOfProcess()
  const chain = { head, fork: "a", forkFrom: 0 }
  const scan = (
    toBlock: NonNullable<Evm.Filter["toBlock"]>,
    kept: typeof store | undefined = store,
    fromBlock = 0,
    tap: Effect.Effect<unknown, RpcError> = Effect.void,
  ) => {
    const node = nodeOf(() => ({
      head: chain.head,
      limit: 10,
      logs: entries,
      forkOf: (at) => (at >= chain.forkFrom ? chain.fork : "a"),
      instead: ({ method, params }) => {
        const [ref] = params as readonly [unknown]
        return method.name === "eth_getBlockByNumber" && typeof ref === "string" && Number(ref) > chain.head
          ? Effect.succeed(null)
          : undefined
      },
    }))
    const said: Array<string> = []
    const params = [{ fromBlock: Evm.hex(fromBlock), toBlock }] as const
    return RangeScan.scan(Evm.GetLogs, params, { kept, memory }).pipe(
      Stream.tap(() => tap),
      Stream.runCollect,
      Effect.provideService(ResultNotes, (words: string) => void said.push(words)),
      Effect.provide(node.client),
      Effect.map((items) => ({
        items,
        said,
        blocks: node.calls("eth_getBlockByNumber"),
        reads: node.calls("eth_getLogs"),
      })),
    )
  }
  return { chain, scan, store }
}

const dropped = (block: number) =>
  `the chain has another block ${block} than before, or none: what was kept of this query is dropped`

it.each([
  ["another chain", Evm.hex(100), { head, fork: "b", forkFrom: 0 }],
  ["another chain, up to a tag", "finalized", { head, fork: "b", forkFrom: 0 }],
  ["another chain, up to a tag that may change", "latest", { head: head + 9, fork: "b", forkFrom: 0 }],
  ["a chain that changed below what was final", "finalized", { head: head + 9, fork: "b", forkFrom: 50 }],
  ["a shorter chain", "latest", { head: final - 20, fork: "b", forkFrom: 0 }],
] as const)("is dropped and read again of %s", async (_, to, changed) => {
  const { chain, scan } = chains()
  await Effect.runPromise(scan(to))
  Object.assign(chain, changed)
  const now = await Effect.runPromise(scan(to))
  expect(now.said).toEqual([dropped(final)])
  expect(now.items).toEqual((await Effect.runPromise(scan(to, undefined))).items)
  const again = await Effect.runPromise(scan(to))
  expect(again.said).toEqual([expect.stringMatching(/^kept: /)])
  expect(again.items).toEqual(now.items)
})

it("is not looked up again where what is looked up anyway is the same block", async () => {
  const { chain, scan } = chains()
  const counts = async (to: NonNullable<Evm.Filter["toBlock"]>) => {
    const { blocks, reads } = await Effect.runPromise(scan(to))
    return { blocks, isRead: reads > 0 }
  }
  expect(await counts("finalized")).toEqual({ blocks: 1, isRead: true })
  expect(await counts("finalized")).toEqual({ blocks: 1, isRead: false })
  chain.head += 5
  expect(await counts("finalized")).toEqual({ blocks: 2, isRead: true })
  expect(await counts(Evm.hex(100))).toEqual({ blocks: 1, isRead: false })
})

it("by two scans at the same time is kept of both", async () => {
  const { scan, store } = chains()
  let others = [scan(Evm.hex(100), store, 60)]
  const meanwhile = Effect.suspend(() => {
    const [other = Effect.void] = others
    others = []
    return other
  })
  await Effect.runPromise(scan(Evm.hex(59), store, 0, meanwhile))
  const both = await Effect.runPromise(scan(Evm.hex(100)))
  expect([both.reads, both.said, both.items.length]).toEqual([0, ["kept: 101 blocks read earlier"], 90])
})

it("is kept by two scans at once, whatever each has seen as final, and verified by one call for each", async () => {
  const store = storeOf()
  const read = async (head: number, blocks: readonly [number, number], kept: FinalResults.Memory) => {
    const node = nodeOf(() => ({ head, logs: [{ block: 3 }, { block: 40 }] }))
    const [fromBlock, toBlock] = [Evm.hex(blocks[0]), Evm.hex(blocks[1])]
    const parts = RangeScan.parts(Evm.GetLogs, [{ fromBlock, toBlock }], { kept })
    await Effect.runPromise(Stream.runDrain(parts).pipe(Effect.provide(node.client)))
    return node
  }
  let isFirst = true
  // As if it had begun before the other one ended.
  const late: FinalResults.Memory = {
    ...store,
    read: (key) => Effect.suspend(() => (isFirst ? ((isFirst = false), Effect.succeed(undefined)) : store.read(key))),
  }
  await read(200, [0, 20], store)
  await read(201, [21, 60], late)
  const both = await read(202, [0, 60], store)
  expect([both.calls("eth_getLogs"), both.calls("eth_getBlockByNumber")]).toEqual([0, 2])
  expect((await read(203, [0, 60], store)).calls("eth_getLogs")).toBe(0)
})

it("by a scan that has seen a later final block is kept beside what another adds to a group of before", async () => {
  const { chain, scan, store } = chains()
  await Effect.runPromise(scan(Evm.hex(20)))
  chain.head += 1
  let others = [scan(Evm.hex(40), store, 21)]
  const meanwhile = Effect.suspend(() => {
    const [other = Effect.void] = others
    others = []
    return other
  })
  await Effect.runPromise(scan("finalized", store, 41, meanwhile))
  const all = await Effect.runPromise(scan(Evm.hex(60)))
  expect([all.reads, all.said]).toEqual([0, ["kept: 61 blocks read earlier"]])
})

it("by scans at once that read and write in the same moments is kept of all", async () => {
  const store = storeOf()
  const slow: FinalResults.Memory = { ...store, read: (key) => Effect.tap(store.read(key), () => Effect.sleep(5)) }
  const { scan } = chains()
  const starts = Array.from({ length: 5 }, (_, index) => index * 20)
  const at = (from: number) => scan(Evm.hex(from + 19), { ...slow, found: store.found }, from)
  await Effect.runPromise(Effect.all(starts.map(at), { concurrency: "unbounded" }))
  const all = await Effect.runPromise(scan(Evm.hex(99), store))
  expect([all.reads, all.said]).toEqual([0, ["kept: 100 blocks read earlier"]])
})

it("is written while a scan reads, so that one that is killed loses little", async () => {
  const store = storeOf()
  const logs = Array.from({ length: 1_000 }, (_, index) => ({ block: Math.floor(index / 10), address: index % 10 }))
  const node = nodeOf(() => ({ head, limit: 20, logs }))
  const params = [{ fromBlock: "0x0", toBlock: Evm.hex(99) }] as const
  let writes = 0
  const counted: FinalResults.Memory = {
    ...store,
    // The process is gone before the last ones.
    write: (key, value) => Effect.suspend(() => (writes++ < 12 ? store.write(key, value) : Effect.void)),
  }
  await Effect.runPromise(
    Stream.runDrain(RangeScan.parts(Evm.GetLogs, params, { kept: counted })).pipe(Effect.provide(node.client)),
  )
  expect(writes).toBeGreaterThan(12)
  const again = nodeOf(() => ({ head, limit: 20, logs }))
  await Effect.runPromise(
    Stream.runDrain(RangeScan.parts(Evm.GetLogs, params, { kept: store })).pipe(Effect.provide(again.client)),
  )
  expect(again.calls("eth_getLogs")).toBeLessThan(node.calls("eth_getLogs") - 10)
})
