/** Checkpoints and pieces as text, and a memory that is asked over a network. */
import { describe, expect, it } from "vitest"
import { Evm } from "@dotrpc/plugin-evm"
import { Json, RpcReason } from "@dotrpc/spec"
import { Effect, Exit, Schema, Stream } from "effect"
import * as fc from "fast-check"
import { RangeScan } from "../../src/index.ts"
import { failed, nodeOf } from "./node.ts"

const count = fc.nat()

/** More digits than a number of JavaScript keeps, and all else that JSON has. */
const json: fc.Arbitrary<Json.Json> = fc
  .oneof(fc.json(), fc.constantFrom("12345678901234567890", "0.12345678901234567890123", "-1e400", '{"a":[1e-400]}'))
  .map((text) => Json.parse(text))

const path = fc.array(fc.array(count, { maxLength: 3 }), { maxLength: 3 })

const pieces: fc.Arbitrary<RangeScan.Piece> = fc
  .record({
    from: count,
    to: count,
    items: fc.array(json, { maxLength: 4 }),
    part: fc.option(path, { nil: undefined }),
  })
  .map(({ part, ...piece }) => ({ ...piece, ...(part === undefined ? {} : { part }) }))

const checkpoints: fc.Arbitrary<RangeScan.Checkpoint> = fc
  .record({
    from: count,
    done: count,
    left: count,
    items: count,
    query: fc.string(),
    toHash: fc.option(fc.string(), { nil: undefined }),
    anchor: fc.option(fc.record({ number: count, hash: fc.string() }), { nil: undefined }),
    page: fc.option(json, { nil: undefined }),
    lately: fc.option(path, { nil: undefined }),
  })
  .map(({ anchor, done, from, items, lately, left, page, query, toHash }) => ({
    method: "eth_getLogs",
    network: "local",
    query,
    from,
    to: from + done + left,
    next: from + done,
    items,
    ...(toHash === undefined ? {} : { toHash }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(page === undefined ? {} : { page: { params: page } }),
    ...(lately === undefined ? {} : { lately }),
  }))

/** Two values are the same when their JSON is. */
const same = (left: Json.Json, right: Json.Json) => expect(Json.stringify(left)).toBe(Json.stringify(right))

describe("what crosses to another process as text", () => {
  it("is the same checkpoint", () =>
    fc.assert(
      fc.property(checkpoints, (checkpoint) => {
        const text = Schema.encodeSync(RangeScan.Checkpoint)(checkpoint)
        const read = Schema.decodeSync(RangeScan.Checkpoint)(text)
        same(RangeScan.encodeCheckpoint(read), RangeScan.encodeCheckpoint(checkpoint))
        expect(Schema.encodeSync(RangeScan.Checkpoint)(read)).toBe(text)
      }),
    ))
  it("is the same piece, digit by digit", () =>
    fc.assert(
      fc.property(pieces, (piece) => {
        const text = Schema.encodeSync(RangeScan.Piece)(piece)
        same(RangeScan.encodePiece(Schema.decodeSync(RangeScan.Piece)(text)), RangeScan.encodePiece(piece))
      }),
    ))
  it("is every checkpoint of a scan, with all that it has learned", async () => {
    const logs = Array.from({ length: 30_000 }, (_, index) => ({ block: Math.floor(index / 100) }))
    const node = nodeOf(() => ({ head: 299, logs }))
    const parts = await RangeScan.parts(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "latest" }]).pipe(
      Stream.runCollect,
      Effect.provide(node.client),
      Effect.runPromise,
    )
    const found = parts.flatMap(({ checkpoint }) => checkpoint ?? [])
    expect(found.length).toBeGreaterThan(3)
    for (const checkpoint of found) {
      const read = Schema.decodeSync(RangeScan.Checkpoint)(Schema.encodeSync(RangeScan.Checkpoint)(checkpoint))
      expect(read).toEqual(checkpoint)
    }
  })

  const checkRefused = (what: string, schema: Schema.Codec<unknown, string>, text: string, expected: string) =>
    it(`is refused when it is ${what}`, () => {
      const exit = Effect.runSyncExit(Schema.decodeEffect(schema)(text))
      expect(String(Exit.isFailure(exit) ? exit.cause : "read")).toContain(expected)
    })
  const old = { method: "m", network: "n", query: "q", from: 0, to: 9, next: 3, items: 7 }
  checkRefused("not JSON", RangeScan.Checkpoint, "{", "a checkpoint of a scan: it is not JSON")
  checkRefused(
    "of a newer version",
    RangeScan.Checkpoint,
    Json.stringify({ version: 2, ...old }),
    "newer version of dotrpc",
  )
  checkRefused("without a version", RangeScan.Checkpoint, Json.stringify(old), '"version" must be 1')
  checkRefused("something else", RangeScan.Piece, "[]", "an answer that a scan kept: it does not hold blocks")
  it("is read when it is of an earlier release, without the members that were added", () => {
    const text = Json.stringify({ version: 1, ...old, toHash: "0x1" })
    expect(Schema.decodeSync(RangeScan.Checkpoint)(text)).toEqual({ ...old, toHash: "0x1" })
  })
})

describe("a memory that is asked over a network", () => {
  it("gives what one scan has learned to the next, and is written to only when there is something new", async () => {
    const kept = new Map<string, RangeScan.Remembered>()
    let [reads, writes] = [0, 0]
    const memory: RangeScan.Memory = {
      read: (key) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => (reads++, kept.get(key))),
        ),
      write: (key, remembered) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => (writes++, void kept.set(key, remembered))),
        ),
    }
    const node = nodeOf(() => ({
      head: 99,
      logs: [],
      instead: ({ params }) => {
        const [filter] = params as readonly [Evm.Filter]
        if (Number(filter.toBlock) - Number(filter.fromBlock) < 10) return undefined
        const said = "range exceeds limit of 10"
        return Effect.fail(failed(new RpcReason.SplitRequired({ cause: "span", said, hint: { span: 10 } })))
      },
    }))
    const scan = RangeScan.scan(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "0x63" }], { memory }).pipe(
      Stream.runDrain,
      Effect.provide(node.client),
    )
    await Effect.runPromise(scan)
    expect([node.sent.length, reads, writes, kept.size]).toEqual([11, 3, 2, 1])
    await Effect.runPromise(scan)
    expect([node.sent.length, reads, writes]).toEqual([21, 5, 2])
  })
})
