/** What a memory of scans does wherever Effect's persistence keeps it. */
import { Evm } from "@dotrpc/plugin-evm"
import { RpcReason } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import type { Persistence } from "effect/persistence"
import { expect, it } from "vitest"
import { RangeScan } from "../../src/index.ts"
import { failed, nodeOf } from "./node.ts"

/** A node that answers ten blocks at once, and says so. */
const nodeOfTen = () =>
  nodeOf(() => ({
    head: 99,
    logs: [],
    instead: ({ params }) => {
      const [filter] = params as readonly [Evm.Filter]
      if (Number(filter.toBlock) - Number(filter.fromBlock) < 10) return undefined
      const said = "range exceeds limit of 10"
      return Effect.fail(failed(new RpcReason.SplitRequired({ cause: "span", said, hint: { span: 10 } })))
    },
  }))

/** Each build of the layer is a process of its own over the same store. */
export const memoryLaws = (where: string, processAt: () => Layer.Layer<Persistence.BackingPersistence>): void => {
  it(`gives what a scan has learned to the next process, ${where}`, async () => {
    const node = nodeOfTen()
    const process = processAt()
    const scan = Effect.gen(function* () {
      const memory = yield* RangeScan.memoryPersisted()
      yield* RangeScan.scan(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "0x63" }], { memory }).pipe(Stream.runDrain)
    }).pipe(Effect.scoped, Effect.provide(node.client), Effect.provide(Layer.fresh(process)))
    await Effect.runPromise(scan)
    expect(node.sent.length).toBe(11)
    await Effect.runPromise(scan)
    expect(node.sent.length).toBe(21)
  })

  it(`keeps all that a scan remembers, ${where}`, async () => {
    const remembered: RangeScan.Remembered = {
      ...RangeScan.unknownEndpoint,
      span: 2_000,
      limit: 10_000,
      heads: { latest: { number: 19_000_000, at: 1_700_000_000_123, perSecond: 0.083 } },
      queries: [
        { query: '[{"address":"0xab"}]', profile: [{ from: 5, to: 99, items: 7 }], quick: 50, slow: 90, pages: 3 },
      ],
      words: ["zu viel verlangt: # Blöcke"],
    }
    const process = processAt()
    const withMemory = <A>(use: (memory: RangeScan.Memory) => Effect.Effect<A>) =>
      Effect.flatMap(RangeScan.memoryPersisted(), use).pipe(Effect.scoped, Effect.provide(Layer.fresh(process)))
    await Effect.runPromise(withMemory((memory) => memory.write("evm host eth_getLogs", remembered)))
    const read = withMemory((memory) => Effect.all([memory.read("evm host eth_getLogs"), memory.read("another")]))
    expect(await Effect.runPromise(read)).toEqual([remembered, undefined])
  })
}
