/** Scans over a server that forgets its tokens: every event once, in order, or an error that says why not. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentNetwork, defineNetwork, type Json, RpcClient, RpcError, RpcReason } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import * as fc from "fast-check"
import { L2Events } from "../src/index.ts"

type Sent = { readonly filter: L2Events.EventFilter }

interface World {
  /** The block of each event; `undefined` of a pending one. */
  readonly blocks: ReadonlyArray<number | undefined>
  readonly size: number
  /** Calls, counted from 1, before which the server forgets every token that it has given. */
  readonly forgets: ReadonlyArray<number>
  /** From this call on the chain is another one. */
  readonly reorganized?: number
}

const lost = new RpcError({
  method: "l2_getEvents",
  network: "l2",
  reason: new RpcReason.InvalidParams({ said: "The supplied continuation token is invalid or unknown", rpcCode: 33 }),
  outcome: "rpc-error",
})

const eventOf = (block: number | undefined, index: number, chain: string): L2Events.EmittedEvent => ({
  ...(block === undefined ? {} : { block_number: block, block_hash: `0x${chain}${block}` }),
  data: [],
  from_address: "0x4",
  keys: [`0x${index.toString(16)}`],
  transaction_hash: "0x5",
})

/** Tokens are `EPOCH-INDEX`; those of an earlier epoch are forgotten. */
const serverOf = ({ blocks, forgets, reorganized = Infinity, size }: World) => {
  let calls = 0
  let epoch = 0
  const answer = ({ filter }: Sent): Effect.Effect<L2Events.EventPage, RpcError> => {
    calls++
    if (forgets.includes(calls)) epoch++
    const chain = calls >= reorganized ? "b" : "a"
    const [given, index] = filter.continuation_token?.split("-") ?? []
    if (given !== undefined && Number(given) !== epoch) return Effect.fail(lost)
    const { from_block: from } = filter
    const first = typeof from === "object" ? Number(from.block_number) : 0
    const start = Number(index ?? blocks.findIndex((block) => block === undefined || block >= first))
    if (start < 0) return Effect.succeed({ events: [] })
    const events = blocks.slice(start, start + size).map((block, at) => eventOf(block, start + at, chain))
    const next = start + size
    return Effect.succeed(next < blocks.length ? { events, continuation_token: `${epoch}-${next}` } : { events })
  }
  const layer = Layer.succeed(RpcClient, {
    call: <Params, Value>(_method: unknown, params: Params) => answer(params as Sent) as Effect.Effect<Value, RpcError>,
    estimate: () => Effect.die("not asked"),
    networkOf: () => Effect.map(CurrentNetwork, () => defineNetwork({ id: "l2", plugin: "l2-events" })),
    prepare: (_method: unknown, params: Json.Json) => Effect.succeed({ params }),
  })
  return { layer, calls: () => calls }
}

const filter: L2Events.EventFilter = { from_block: { block_number: 0 }, to_block: "pending", chunk_size: 2 }

/** The keys of the events in the order they came, how the scan ended, and its calls. */
const scan = (world: World, from = filter) =>
  Effect.gen(function* () {
    const { calls, layer } = serverOf(world)
    const found: Array<number> = []
    const ended = yield* L2Events.scanEvents(from).pipe(
      Stream.runForEach((event) => Effect.sync(() => found.push(Number(event.keys[0])))),
      Effect.as("done"),
      Effect.catch((error) => Effect.succeed(error.reason._tag)),
      Effect.provide(layer),
    )
    return { found, ended, calls: calls() }
  })

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

const check = (
  title: string,
  world: World,
  expected: { readonly found: number; readonly ended: string; readonly calls: number },
  from?: L2Events.EventFilter,
) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* scan(world, from), { ...expected, found: indexes(expected.found) })
    }),
  )

describe("a token that the server has lost", () => {
  const blocks = [1, 1, 1, 2, 2, 5, 5]
  check(
    "is not needed where there is one page",
    { blocks: [1], size: 2, forgets: [1] },
    { found: 1, ended: "done", calls: 1 },
  )
  check(
    "begins the pages again at the block that was reached",
    { blocks, size: 2, forgets: [3] },
    { found: 7, ended: "done", calls: 5 },
  )
  check(
    "may be lost again once there was something new",
    { blocks, size: 2, forgets: [2, 5] },
    { found: 7, ended: "done", calls: 7 },
  )
  check(
    "is lost for good when it is lost again at once",
    { blocks: [1, 1, 1, 1, 1, 1], size: 2, forgets: [2, 4] },
    { found: 2, ended: "InvalidParams", calls: 4 },
  )
  check(
    "cannot be made up for behind a pending event",
    { blocks: [1, undefined, undefined], size: 2, forgets: [2] },
    { found: 2, ended: "InvalidParams", calls: 2 },
  )
  check(
    "cannot be made up for when the chain has changed meanwhile",
    { blocks, size: 2, forgets: [3], reorganized: 3 },
    { found: 4, ended: "Malformed", calls: 4 },
  )
  check(
    "of the caller's own is the caller's to replace",
    { blocks, size: 2, forgets: [1] },
    { found: 0, ended: "InvalidParams", calls: 1 },
    { ...filter, continuation_token: "0-2" },
  )

  it("changes nothing about the events, whenever it is lost", () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
        (found, size, forgets) => {
          const blocks = found.toSorted((left, right) => left - right)
          const result = Effect.runSync(scan({ blocks, size, forgets }))
          assert.deepStrictEqual(result.found, indexes(result.found.length))
          if (result.ended === "done") assert.strictEqual(result.found.length, blocks.length)
          else assert.strictEqual(result.ended, "InvalidParams")
        },
      ),
    ))
})
