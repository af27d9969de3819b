import { isDeep } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { type ChainStore, Gateway, generateEntries, type Hex, memoryChain } from "../../src/index.ts"
import { now } from "../goldenFile.ts"

interface Frame {
  readonly type: string
  readonly error?: string
  readonly logs?: ReadonlyArray<{
    readonly address: Hex
    readonly topics: ReadonlyArray<Hex>
    readonly data: Hex
    readonly position: Hex
  }>
  readonly calls?: ReadonlyArray<Frame>
}

type Changes = Readonly<Record<Hex, { readonly storage?: Readonly<Record<Hex, Hex>> }>>

/** Each transaction is run twice. */
const { blocks, logCount, seeds } = isDeep
  ? { blocks: 90, logCount: 1_200, seeds: [1, 7] }
  : { blocks: 25, logCount: 300, seeds: [1] }

describe.each(seeds)("every transaction of the chain of seed %i, run again", (seed) => {
  const { chainId, entries, pendingBlock } = generateEntries({ seed, blocks, logs: logCount })
  const chain: ChainStore = memoryChain(entries, { chainId, pendingBlock })
  const gateway = Gateway.make({ chain })
  const traces = async <A>(block: Hex, config: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceBlockByNumber", params: [block, config] })
    const reply = await Effect.runPromise(gateway.handle({ network: "evm", key: "local", body, now }))
    const { error, result } = JSON.parse(reply.body) as {
      readonly result: ReadonlyArray<{ readonly txHash: Hex; readonly result: A }>
      readonly error?: object
    }
    expect(error).toBeUndefined()
    return result
  }

  test("succeeds or fails as its receipt says, with the same logs in the same order", async () => {
    let logs = 0
    for (const { block, receipts } of entries.slice(1)) {
      const found = await traces<Frame>(block.number, { tracer: "callTracer", tracerConfig: { withLog: true } })
      expect(
        found.map(({ result, txHash }) => ({
          txHash,
          succeeded: result.error === undefined,
          logs: logsOf(result).map(({ address, data, topics }) => ({ address, data, topics })),
        })),
      ).toEqual(
        receipts.map((receipt) => ({
          txHash: receipt.transactionHash,
          succeeded: receipt.status === "0x1",
          logs: receipt.logs.map(({ address, data, topics }) => ({ address, data, topics })),
        })),
      )
      logs += receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0)
    }
    expect(logs).toBe(logCount)
  })

  test("leaves the storage that the chain has after its block", async () => {
    let changed = 0
    for (const { block, storage = {} } of entries.slice(1)) {
      const number = Number(block.number)
      const after = new Map<string, Hex>()
      const config = { tracer: "prestateTracer", tracerConfig: { diffMode: true, disableCode: true } }
      for (const { result } of await traces<{ readonly pre: Changes; readonly post: Changes }>(block.number, config)) {
        for (const [address, account] of Object.entries(result.pre))
          // A position that is zero afterwards is not listed there.
          for (const slot of Object.keys(account.storage ?? {})) after.set(`${address} ${slot}`, ZERO)
        for (const [address, account] of Object.entries(result.post))
          for (const [slot, value] of Object.entries(account.storage ?? {})) after.set(`${address} ${slot}`, value)
      }
      for (const [place, value] of after) {
        const [address = "", slot = ""] = place.split(" ")
        expect(chain.storageAt(address, BigInt(slot), number), `${place} after block ${number}`).toBe(value)
        changed++
      }
      for (const [address, slots] of Object.entries(storage))
        for (const [slot, value] of Object.entries(slots))
          if (chain.storageAt(address, BigInt(slot), number - 1) !== value)
            expect(after.get(`${address} ${slot}`), `${address} ${slot} in block ${number}`).toBe(value)
    }
    expect(changed).toBeGreaterThan(logCount / 2)
  })
})

const ZERO: Hex = `0x${"0".repeat(64)}`

/** The logs of a call and of those that it made, in the order in which they were emitted. */
function logsOf({ calls = [], logs = [] }: Frame): ReadonlyArray<NonNullable<Frame["logs"]>[number]> {
  return [...calls, undefined].flatMap((call, index) => [
    ...logs.filter(({ position }) => Number(position) === index),
    ...(call === undefined ? [] : logsOf(call)),
  ])
}
