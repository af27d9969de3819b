/** Checkpoints and kept answers that contradict the query or themselves. */
import { assert, describe, it } from "@effect/vitest"
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { RangeScan } from "../../src/index.ts"
import { nodeOf } from "./node.ts"

const head = 20
const logs = Array.from({ length: head + 1 }, (_, block) => ({ block }))
const node = nodeOf(() => ({ head, logs }))
const numbers = { fromBlock: "0x0", toBlock: Evm.hex(head) } as const
const latest = { fromBlock: "0x0", toBlock: "latest" } as const

/** The items of these blocks, as the scan itself reads them. */
const read = (from: number, to: number) =>
  Evm.getLogs({ fromBlock: Evm.hex(from), toBlock: Evm.hex(to) }).pipe(Effect.provide(node.client))

const checkpointOf = (filter: Evm.Filter, change: Partial<RangeScan.Checkpoint>): RangeScan.Checkpoint => ({
  method: "eth_getLogs",
  network: "local",
  query: `eth_getLogs ${JSON.stringify([filter])}`,
  from: 0,
  to: head,
  next: 10,
  items: 10,
  ...change,
})

/** How many items a resumed scan emits, and how it ended. */
const resume = (filter: Evm.Filter, options: RangeScan.ScanOptions) =>
  Effect.gen(function* () {
    let items = 0
    const ended = yield* RangeScan.scan(Evm.GetLogs, [filter], options).pipe(
      Stream.runForEach(() => Effect.sync(() => void items++)),
      Effect.as("success"),
      Effect.catch(({ reason }) => Effect.succeed(`${reason._tag}: ${reason.message}`)),
    )
    return { items, ended }
  }).pipe(Effect.provide(node.client))

const rest = { items: 11, ended: "success" }

describe("a scan that is resumed from a checkpoint", () => {
  const check = (
    name: string,
    filter: Evm.Filter,
    change: Partial<RangeScan.Checkpoint>,
    expected: string | undefined,
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const found = yield* resume(filter, { checkpoint: checkpointOf(filter, change) })
        const failed = { items: 0, ended: `InvalidParams: the checkpoint is damaged: ${expected}` }
        assert.deepStrictEqual(found, expected === undefined ? rest : failed)
      }),
    )
  check("emits the rest", numbers, {}, undefined)
  check("that ends elsewhere is refused", numbers, { to: 15 }, '"to" is 15, but its query ends at block 20')
  check("that starts elsewhere is refused", numbers, { from: 5 }, '"from" is 5, but its query starts at block 0')
  check(
    "that lacks the hash of a last block which may change is refused",
    latest,
    {},
    '"toHash" is missing, by which reorganizations are noticed',
  )
})

describe("a scan that is resumed with answers that were kept", () => {
  type Change = (items: ReadonlyArray<Json.JsonObject>) => ReadonlyArray<Json.Json>
  const check = (name: string, change: Change, expected: string | undefined) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        // The fields of a log are JSON.
        const items = change((yield* read(12, 14)) as ReadonlyArray<Json.JsonObject>)
        const options = { checkpoint: checkpointOf(numbers, {}), ahead: [{ from: 12, to: 14, items }] }
        const failed = {
          items: 0,
          ended: `InvalidParams: the answer kept for blocks 12 to 14 is damaged: ${expected}`,
        }
        assert.deepStrictEqual(yield* resume(numbers, options), expected === undefined ? rest : failed)
      }),
    )
  const disordered = "its items are not in order, or not each of them once"
  const hash = `0x${"e".repeat(64)}`
  check("emits them in their turn", (items) => items, undefined)
  check("refuses items twice", (items) => [...items, ...items], disordered)
  check("refuses items out of order", (items) => items.toReversed(), disordered)
  check(
    "emits them in any form in which a node sends them",
    (items) =>
      items.map(({ blockHash, blockNumber, ...item }) => ({
        ...item,
        blockNumber: Number(blockNumber),
        blockHash: blockHash ?? null,
        logIndex: "0",
        data: null,
        topics: null,
        transactionIndex: true,
      })),
    undefined,
  )
  check("refuses what is not an object", () => [7], "the server sent an item without a block for blocks 12 to 14")
  check(
    "refuses items of other blocks",
    (items) => items.map((item) => ({ ...item, blockNumber: "0x3" })),
    "the server sent an item of block 3 for blocks 12 to 14",
  )
  check(
    "refuses items of two blocks with one number",
    (items) => items.flatMap((item) => [item, { ...item, logIndex: "0x1", blockHash: hash }]),
    "it holds items of two different blocks 12",
  )
  check(
    "refuses items that were taken back",
    (items) => items.map((item) => ({ ...item, removed: true })),
    "the server sent an item of block 12 as taken back by a reorganization, which no answer to a query holds",
  )
})

it("whatever a scan kept is taken back by the one that resumes it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(head), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      async (blocks, limit, lanes) => {
        const many = blocks.map((block, index) => ({ block, address: index % 7 }))
        const perBlock = Math.max(...blocks.map((block) => blocks.filter((other) => other === block).length))
        const dense = nodeOf(() => ({ head, logs: many, limit: Math.max(limit, perBlock) }))
        const ahead: Array<RangeScan.Piece> = []
        const parts = await RangeScan.parts(Evm.GetLogs, [numbers], {
          lanes,
          onAhead: (piece) => Effect.sync(() => void ahead.push(piece)),
        }).pipe(Stream.runCollect, Effect.provide(dense.client), Effect.runPromise)
        const all = parts.flatMap(({ items }) => items)
        let done = 0
        for (const { checkpoint, items } of parts) {
          done += items.length
          const again = await RangeScan.scan(Evm.GetLogs, [numbers], { checkpoint, ahead }).pipe(
            Stream.runCollect,
            Effect.provide(dense.client),
            Effect.runPromise,
          )
          assert.deepStrictEqual(again, all.slice(done))
        }
      },
    ),
    { numRuns: runs(60) },
  ))
