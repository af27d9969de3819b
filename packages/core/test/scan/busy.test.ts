/** A server that fails quickly now and then says nothing about how many blocks a call may cover. */
import { assert, describe, it } from "@effect/vitest"
import { Evm } from "@dotrpc/plugin-evm"
import { RpcReason } from "@dotrpc/spec"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { RangeScan, Retry, RpcClient } from "../../src/index.ts"
import { queryKey } from "../../src/scan/Remembered.ts"
import { failed, network, nodeOf } from "./node.ts"

const limit = 40
const blocks = 2_000
const fewest = blocks / limit
const logs = Array.from({ length: 2 * blocks }, (_, block) => ({ block }))

/** Scans the blocks from one on, and counts the calls that the server took: `isBusy` tells which it does not, by their number. */
const scanned = (
  memory: RangeScan.Memory,
  { isBusy = () => false, lanes = 4, start = 0 }: Spell & { readonly lanes?: number; readonly start?: number } = {},
) => {
  let [calls, busy] = [0, 0]
  const node = nodeOf(() => ({
    head: 2 * blocks - 1,
    logs,
    limit,
    instead: () => {
      if (!isBusy(++calls)) return undefined
      busy++
      return Effect.fail(failed(new RpcReason.Transport({ said: "busy", httpStatus: 503 }), "server-error"))
    },
  }))
  const client = RpcClient.layer({ networks: [network] }).pipe(
    Layer.provide(Retry.layer()),
    Layer.provide(node.transport),
  )
  return Effect.gen(function* () {
    const params = [{ fromBlock: Evm.hex(start), toBlock: Evm.hex(start + blocks - 1) }] as const
    const fiber = yield* Effect.forkChild(Stream.runCollect(RangeScan.scan(Evm.GetLogs, params, { memory, lanes })))
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 600 })
    assert.lengthOf(yield* Fiber.join(fiber), blocks)
    return calls - busy
  }).pipe(Effect.provide(client))
}

interface Spell {
  readonly isBusy?: (call: number) => boolean
}

/** A number from 0 up to 1 for each call, the same in every run. */
const chance = (seed: number, call: number): number => {
  const mixed = Math.sin(call * 12.9898 + seed * 78.233) * 43_758.5453
  return mixed - Math.floor(mixed)
}

const spells: Readonly<Record<string, NonNullable<Spell["isBusy"]>>> = {
  "each fourth time": (call) => call % 4 === 0,
  "each third time": (call) => call % 3 === 0,
  "three times of ten, at random": (call) => chance(3, call) < 0.3,
  "three times of ten, in another order": (call) => chance(8, call) < 0.3,
  "for a while": (call) => call >= 20 && call < 26,
}

describe("a server that is busy", () => {
  for (const [often, isBusy] of Object.entries(spells))
    for (const lanes of [1, 4])
      it.effect(`${often} is asked for as many blocks, with ${lanes} lanes, then and later`, () =>
        Effect.gen(function* () {
          const memory = RangeScan.memoryOfProcess()
          assert.isAtMost(yield* scanned(memory, { isBusy, lanes }), 1.5 * fewest)
          assert.isAtMost(yield* scanned(memory, { start: blocks, lanes }), 1.2 * fewest)
        }),
      )
})

it.effect(
  "blocks that took too long once are asked for again by the next scan, in calls of twice as many each time",
  () =>
    Effect.gen(function* () {
      const memory = RangeScan.memoryOfProcess()
      const query = queryKey(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "0x0" }])
      yield* memory.write(RangeScan.memoryKey(Evm.GetLogs, network), {
        ...RangeScan.unknownEndpoint,
        queries: [{ query, profile: [{ from: 0, to: 9, items: 10 }], limit, quick: 1, slow: 2 }],
      })
      assert.isAtMost(yield* scanned(memory), 1.2 * fewest)
      assert.isAtMost(yield* scanned(memory, { start: blocks }), 1.2 * fewest)
    }),
)
