/** The law of filled gaps: whatever a chain does while connections break, each event is emitted once, and what stands is the chain. */
import { defineNetwork, Json, type SubscriptionEvent, Transport } from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { runs } from "@dotrpc/vitest/depth"
import { Effect, Layer, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { refilled } from "../src/internal/refilled.ts"
import { RangeScan, RpcClient } from "../src/index.ts"

/** What the chain and its server do next. */
type Step =
  | { readonly _tag: "mine"; readonly logs: number }
  | { readonly _tag: "reorg"; readonly depth: number; readonly logs: number }
  | { readonly _tag: "cut" }
  | { readonly _tag: "reopen" }
  | { readonly _tag: "repeat" }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ _tag: fc.constant("mine" as const), logs: fc.nat(3) }),
  fc.record({ _tag: fc.constant("mine" as const), logs: fc.nat(3) }),
  fc.record({ _tag: fc.constant("reorg" as const), depth: fc.integer({ min: 1, max: 4 }), logs: fc.nat(2) }),
  fc.record({ _tag: fc.constant("cut" as const) }),
  fc.record({ _tag: fc.constant("reopen" as const) }),
  fc.record({ _tag: fc.constant("repeat" as const) }),
)

interface Block {
  readonly hash: string
  readonly logs: ReadonlyArray<Json.JsonObject>
}

const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`

/** A chain, and the events of those who are connected. */
class Chain {
  readonly blocks: Array<Block> = []
  readonly events: Array<SubscriptionEvent<Json.Json>> = []
  isConnected = true
  #made = 0

  constructor() {
    for (let at = 0; at < 6; at++) this.mine(1, false)
  }
  mine(count: number, isHeard = this.isConnected) {
    const number = this.blocks.length
    const hash = word(++this.#made)
    const logs = Array.from({ length: count }, (_, index) => logOf(number, hash, index))
    this.blocks.push({ hash, logs })
    if (isHeard) for (const item of logs) this.events.push({ _tag: "Event", item })
  }
  reorg(depth: number, count: number) {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    if (this.isConnected)
      for (const { logs } of gone.toReversed())
        for (const log of logs.toReversed()) this.events.push({ _tag: "Event", item: { ...log, removed: true } })
    for (let at = 0; at < gone.length; at++) this.mine(count)
  }
}

const logOf = (number: number, hash: string, index: number): Json.JsonObject => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  blockHash: hash,
  blockNumber: `0x${number.toString(16)}`,
  data: "0x",
  logIndex: `0x${index.toString(16)}`,
  removed: false,
  topics: [],
  transactionHash: word(7),
  transactionIndex: "0x0",
})

const network = defineNetwork({ id: "local", plugin: "evm", url: "http://server.test/KEY" })

const follow = (steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const chain = new Chain()
    const start = chain.blocks.length - 1
    const transport = Layer.succeed(Transport, {
      send: ({ method, params }) => Effect.sync(() => ({ result: answer(chain, method.name, params) })),
    })
    const client = yield* Layer.build(Layer.provide(RpcClient.layer({ networks: [network] }), transport))
    const service = yield* Effect.provide(RpcClient.RpcClient, client)
    const happening = Stream.fromIterable<Step>([...steps, { _tag: "reopen" }]).pipe(
      Stream.flatMap((next) => Stream.fromIterable(happened(chain, next)), { concurrency: 1 }),
    )
    const { refill } = Evm.LogsSubscription
    if (refill === undefined) return expect.fail("logs cannot be read again")
    const emitted = yield* Stream.runCollect(
      refilled(happening, { client: service, network, refill, params: ["logs", {}], most: 1_000 }),
    )
    return { chain, emitted, start }
  }).pipe(Effect.scoped, Effect.runPromise)

function* happened(chain: Chain, next: Step): Generator<SubscriptionEvent<Json.Json>> {
  switch (next._tag) {
    case "mine":
      chain.mine(next.logs)
      break
    case "reorg":
      chain.reorg(next.depth, next.logs)
      break
    case "cut":
      chain.isConnected = false
      return
    case "reopen":
      if (chain.isConnected) return
      chain.isConnected = true
      return yield { _tag: "Gap", why: "reopened" }
    case "repeat": {
      // A server may send what it sent before.
      const last = chain.blocks.at(-1)?.logs.at(-1)
      if (chain.isConnected && last !== undefined) yield { _tag: "Event", item: last }
      return
    }
  }
  yield* chain.events.splice(0)
}

const answer = (chain: Chain, method: string, params: Json.Json | undefined): Json.Json => {
  const [first] = Json.isArray(params ?? null) ? (params as ReadonlyArray<Json.Json>) : []
  const numberOf = (block: Json.Json | undefined) =>
    block === "latest" || typeof block !== "string" ? chain.blocks.length - 1 : Number(block)
  if (method === "eth_getLogs" && Json.isObject(first ?? null)) {
    const { fromBlock, toBlock } = first as Json.JsonObject
    return chain.blocks.slice(numberOf(fromBlock), numberOf(toBlock) + 1).flatMap(({ logs }) => logs)
  }
  const number = numberOf(first)
  const block = { ...blockOf, number: `0x${number.toString(16)}`, hash: chain.blocks[number]?.hash ?? null }
  return block
}

const blockOf = {
  baseFeePerGas: "0x7",
  difficulty: "0x0",
  extraData: "0x",
  gasLimit: "0x1",
  gasUsed: "0x0",
  logsBloom: `0x${"00".repeat(256)}`,
  miner: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  mixHash: word(1),
  nonce: "0x0000000000000000",
  parentHash: word(2),
  receiptsRoot: word(3),
  sha3Uncles: word(4),
  size: "0x1",
  stateRoot: word(5),
  timestamp: "0x1",
  transactions: [],
  transactionsRoot: word(6),
  uncles: [],
}

const keyOf = (log: Json.Json) => Evm.LogsSubscription.refill?.keyOf(log)
const isRemoved = (log: Json.Json) => Json.isObject(log) && log["removed"] === true

describe("gaps that are filled", () => {
  it("emit every event once, and the events that stand at the end are those of the chain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { chain, emitted, start } = await follow(steps)
        const items = emitted.flatMap((event) => (event._tag === "Event" ? [event.item] : []))
        const standing = new Set<string | undefined>()
        for (const item of items) {
          const key = keyOf(item)
          if (isRemoved(item)) standing.delete(key)
          else {
            expect(standing.has(key), `${key} is emitted twice`).toBe(false)
            standing.add(key)
          }
        }
        const now = chain.blocks.slice(start + 1).flatMap(({ logs }) => logs.map(keyOf))
        // A block that was there at the beginning may have been replaced, and heard of.
        const before = new Set(chain.blocks.slice(0, start + 1).flatMap(({ logs }) => logs.map(keyOf)))
        expect([...standing].filter((key) => !before.has(key)).toSorted()).toEqual(now.toSorted())
        for (const event of emitted) if (event._tag === "Gap") expect(event).toMatchObject({ filled: true })
        const { range } = Evm.GetLogs
        if (range !== undefined)
          expect(
            RangeScan.standing(range, items)
              .map(keyOf)
              .filter((key) => !before.has(key))
              .toSorted(),
          ).toEqual(now.toSorted())
      }),
      { numRuns: runs(300) },
    )
  })

  it("are read from one of the last 64 blocks on, whatever blocks a server says its events are of", async () => {
    const head = 1_000_000
    const blocks = fc.oneof(
      fc.bigInt(0n, BigInt(head) + 200n),
      fc.bigInt(BigInt(head) - 70n, BigInt(head) + 70n),
      fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 255n),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(blocks, { maxLength: 12 }), async (of) => {
        const { asked } = await readAfter(head, of)
        const top = of
          .filter((block) => block < 2n ** 53n)
          .reduce((most, block) => (block > most ? block : most), BigInt(head))
        for (const from of asked) expect(from).toBeGreaterThanOrEqual(top - 64n)
      }),
      { examples: [[[1n]], [[BigInt(head) - 65n, BigInt(head) + 1n]]], numRuns: runs(300) },
    )
  })

  const check = (what: string, blocks: ReadonlyArray<bigint>, expected: string) =>
    it(what, async () => expect((await readAfter(1_000, blocks)).gaps).toEqual([expected]))
  check("are filled where no event came and no block followed", [], "filled")
  check("are filled where the node that is read has the blocks of all events", [1_000n], "filled")
  check(
    "are not called filled where the node that is read is behind the events",
    [1_001n, 1_002n],
    "events came from block 1002, and the node that was asked has not reached it",
  )
})

/** The gap after one event of each of these blocks, read from a server whose newest block is this one, and where it is read from. */
const readAfter = async (head: number, blocks: ReadonlyArray<bigint>) => {
  const asked: Array<bigint> = []
  const transport = Layer.succeed(Transport, {
    send: ({ params }) =>
      Effect.sync(() => {
        const [first] = params as readonly [Json.Json]
        if (Json.isObject(first)) {
          asked.push(BigInt(String(first["fromBlock"])))
          return { result: [] }
        }
        const header = headerOf(first === "latest" ? head : Number(first))
        return { result: header }
      }),
  })
  const events = blocks.map((block, index): SubscriptionEvent<Json.Json> => {
    const item = { ...logOf(0, word(index + 1), index), blockNumber: `0x${block.toString(16)}` }
    return { _tag: "Event", item }
  })
  const emitted = await Effect.gen(function* () {
    const { refill } = Evm.LogsSubscription
    if (refill === undefined) return expect.fail("logs cannot be read again")
    const context = yield* Layer.build(Layer.provide(RpcClient.layer({ networks: [network] }), transport))
    const client = yield* Effect.provide(RpcClient.RpcClient, context)
    const all = Stream.fromIterable<SubscriptionEvent<Json.Json>>([...events, { _tag: "Gap", why: "reopened" }])
    return yield* Stream.runCollect(refilled(all, { client, network, refill, params: ["logs", {}], most: 1 }))
  }).pipe(Effect.scoped, Effect.runPromise)
  const gaps = emitted.flatMap((event) =>
    event._tag === "Gap" ? [event.filled === true ? "filled" : event.error?.reason.message] : [],
  )
  return { asked, gaps }
}

const headerOf = (number: number): Json.JsonObject => ({
  ...blockOf,
  number: `0x${number.toString(16)}`,
  hash: word(number),
})
