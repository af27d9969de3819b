/** Servers whose replies contradict the query, each other or themselves. */
import { assert, describe, it } from "@effect/vitest"
import { Evm } from "@dotrpc/plugin-evm"
import type { Json } from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { RangeScan, RpcClient } from "../../src/index.ts"
import { addressOf, nodeOf, topicOf } from "./node.ts"

const head = 9
const logs = Array.from({ length: head + 1 }, (_, block) => ({ block }))
const honest = nodeOf(() => ({ head, logs }))
const word = (digit: string) => `0x${digit.repeat(64)}`

/** A log or a block of an honest reply, changed; `call` counts the calls before this one. */
type Change = (item: Json.JsonObject, call: number) => ReadonlyArray<Json.Json>

const unchanged: Change = (item) => [item]

interface Lies {
  readonly logs?: Change
  readonly blocks?: Change
}

/** Scans a node that lies: how many items came, and how it ended. */
const scanOf = (filter: Evm.Filter, lies: Lies) => {
  let calls = 0
  const node = nodeOf(() => ({
    head,
    logs,
    instead: ({ method, params }) => {
      const call = calls++
      const change = (method.name === "eth_getLogs" ? lies.logs : lies.blocks) ?? unchanged
      return RpcClient.call(method, params).pipe(
        Effect.provide(honest.client),
        // The honest node answers with a block or with a list of logs.
        Effect.map((found) =>
          Array.isArray(found)
            ? (found as ReadonlyArray<Json.JsonObject>).flatMap((item) => change(item, call))
            : (change(found as Json.JsonObject, call)[0] ?? null),
        ),
      )
    },
  }))
  return Effect.gen(function* () {
    let items = 0
    const ended = yield* RangeScan.scan(Evm.GetLogs, [filter]).pipe(
      Stream.runForEach(() => Effect.sync(() => void items++)),
      Effect.as("success"),
      Effect.catch(({ reason }) => Effect.succeed(`${reason._tag}: ${reason.message}`)),
    )
    return { items, ended }
  }).pipe(Effect.provide(node.client))
}

/** Changes what lies in one block. */
const inBlock =
  (block: number, change: (item: Json.JsonObject) => ReadonlyArray<Json.Json>): Change =>
  (item) =>
    (item.blockNumber ?? item.number) === Evm.hex(block) ? change(item) : [item]

const latest = { fromBlock: "0x0", toBlock: "latest" } as const
const numbers = { fromBlock: "0x0", toBlock: Evm.hex(head) } as const
const everything = { items: head + 1, ended: "success" }

describe("a server that contradicts itself", () => {
  const check = (name: string, filter: Evm.Filter, lies: Lies, expected: { items: number; ended: string }) =>
    it.effect(name, () => Effect.map(scanOf(filter, lies), (found) => assert.deepStrictEqual(found, expected)))

  check("not at all is read to the end", latest, {}, everything)
  for (const [kind, filter] of Object.entries({ latest, numbers })) {
    check(
      `by a log that was taken back, up to ${kind}`,
      filter,
      { logs: inBlock(4, (log) => [{ ...log, removed: true }]) },
      {
        items: 0,
        ended:
          "Malformed: the server sent an item of block 4 as taken back by a reorganization, which no answer to a query holds",
      },
    )
    check(
      `by logs of two blocks with one number, up to ${kind}`,
      filter,
      { logs: inBlock(4, (log) => [log, { ...log, logIndex: "0x1", blockHash: word("e") }]) },
      { items: 0, ended: "Malformed: the server sent items of two different blocks 4 in one reply" },
    )
  }
  check(
    "by logs of another contract than the filter names",
    { ...latest, address: addressOf(0) },
    { logs: inBlock(4, (log) => [{ ...log, address: addressOf(1) }]) },
    { items: 0, ended: "Malformed: the server sent an item of block 4 that does not match the query" },
  )
  check(
    "by logs of another event than the filter names",
    { ...numbers, topics: [[topicOf(0), topicOf(1)]] },
    { logs: inBlock(4, (log) => [{ ...log, topics: [topicOf(2)] }]) },
    { items: 0, ended: "Malformed: the server sent an item of block 4 that does not match the query" },
  )
  check(
    "by a last block without a hash",
    latest,
    { blocks: (block) => [{ ...block, hash: null }] },
    {
      items: 0,
      ended: "Malformed: the server sent block 9 without its hash, by which reorganizations are noticed",
    },
  )
  check(
    "by a last block whose hash is gone at the last look",
    latest,
    { blocks: (block, call) => [call < 2 ? block : { ...block, hash: null }] },
    {
      items: head + 1,
      ended: "Malformed: the server sent block 9 without its hash, by which reorganizations are noticed",
    },
  )
  check(
    "by another block than the one that was looked up",
    latest,
    { blocks: (block, call) => [call < 2 ? block : { ...block, number: "0xa" }] },
    { items: head + 1, ended: "Malformed: the server sent block 10 for block 9" },
  )
  check(
    "by logs of another last block than it shows, again and again",
    latest,
    { logs: inBlock(head, (log) => [{ ...log, blockHash: word("e") }]) },
    {
      items: head + 1,
      ended: "Malformed: the server sent items of another block 9 than the one it shows under this number",
    },
  )

  it.effect("for a moment, by logs of a fork that it left, is read again", () =>
    Effect.gen(function* () {
      const found = yield* scanOf(latest, {
        logs: (log, call) => [call < 2 && log.blockNumber === Evm.hex(head) ? { ...log, blockHash: word("e") } : log],
      })
      // The log of the last block, that it was taken back, and what replaced it.
      assert.deepStrictEqual(found, { items: head + 3, ended: "success" })
    }),
  )
})
