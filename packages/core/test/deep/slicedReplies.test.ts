/** Long replies leave room for timers and signals while they are read, whatever they hold and however they came: measured. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Schema, type Scope } from "effect"
import { type Options, CurrentNetwork, type Network, RpcClient as Client, type Transport } from "@dotrpc/spec"
import { WebSocket } from "ws"
import { BatchTransport, HttpTransport, RequestTimeout, RpcClient, WebSocketTransport } from "../../src/index.ts"
import { methodOf } from "../scripted.ts"
import { byFetch, serve } from "../server.ts"
import { serveSockets } from "../socketServer.ts"

const bytes = 20_000_000

/** An array of this item, over and over. */
const many = (item: string) => `[${`${item},`.repeat(Math.floor(bytes / (item.length + 1)) - 1)}${item}]`

const log = JSON.stringify({ logIndex: "0x1", data: "0x00", topics: ["0xab"] })

const results: Readonly<Record<string, () => string>> = {
  "u64 numbers": () => many("18446744073709551615"),
  "fractions with a zero at the end": () => many("123456789.50"),
  "arrays in arrays": () => many(`[[["${"x".repeat(40)}"]]]`),
  "one long string": () => `"${"x".repeat(bytes)}"`,
  "hundreds of thousands of logs": () => many(log),
  "escapes everywhere": () => many(JSON.stringify("a%20key%2Fof%26http".repeat(4))),
}

const anything = methodOf({ params: Schema.Array(Schema.String), result: Schema.Unknown })
const logs = methodOf({
  params: Schema.Array(Schema.String),
  result: Schema.Union([
    Schema.Array(Schema.Struct({ logIndex: Schema.String, data: Schema.String, topics: Schema.Array(Schema.String) })),
    Schema.Unknown,
  ]),
})

const overHttp = (result: string): Effect.Effect<Network, never, Scope.Scope> =>
  Effect.map(
    serve(({ body, id, response }) => {
      const sent = JSON.parse(body) as ReadonlyArray<{ readonly id: number }> | object
      const replyTo = (id: number | undefined) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
      const text = Array.isArray(sent) ? `[${replyTo(sent[0]?.id)},{"id":${sent[1]?.id},"result":1}]` : replyTo(id)
      response.writeHead(200, { "content-length": text.length }).end(Buffer.from(text))
    }),
    ({ network }) => network,
  )

const overSocket = (result: string): Effect.Effect<Network, never, Scope.Scope> =>
  Effect.map(
    serveSockets(({ id, socket }) => {
      socket.send(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}`), { binary: false })
    }),
    ({ network }) => network,
  )

/** The longest time that anything else on this thread waits while this runs, and how long it works in all; milliseconds of its own CPU. */
const longestBlock = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<{ readonly worst: number; readonly all: number }, E, R> =>
  Effect.gen(function* () {
    let worst = 0
    const first = process.threadCpuUsage()
    let last = first
    let isOver = false
    const measure = () => {
      const now = process.threadCpuUsage()
      worst = Math.max(worst, now.user + now.system - last.user - last.system)
      last = now
    }
    const tick = () => {
      measure()
      if (!isOver) setTimeout(tick, 0)
    }
    setTimeout(tick, 0)
    yield* Effect.ensuring(
      effect,
      Effect.sync(() => {
        isOver = true
        // What came last has not let a tick in.
        measure()
      }),
    )
    return { worst: worst / 1_000, all: (last.user + last.system - first.user - first.system) / 1_000 }
  })

/**
 * In milliseconds. What is collected of the memory meanwhile counts as well. On a slow machine all of it takes longer, and a
 * sixth of the whole is still a slice.
 */
const limitOf = (all: number) => Math.max(250, all / 6)

const call = (network: Network, method: typeof anything = anything) =>
  Effect.provideService(Client.call(method, []), CurrentNetwork, network)

const checkBlock = (
  what: string,
  result: () => string,
  transport: Layer.Layer<Transport, Options.InvalidOptions>,
  serveIt: typeof overHttp = overHttp,
  calls = 1,
) =>
  it.live(
    what,
    () =>
      Effect.gen(function* () {
        const network = yield* serveIt(result())
        let isFree = false
        for (let tries = 0; tries < 3 && !isFree; tries++) {
          const all = Effect.all(
            Array.from({ length: calls }, () => call(network, what.includes("logs") ? logs : anything)),
            { concurrency: "unbounded", discard: true },
          )
          const used = yield* longestBlock(all)
          isFree = used.worst < limitOf(used.all)
        }
        assert.isTrue(isFree)
      }).pipe(
        Effect.scoped,
        Effect.provide(RpcClient.layer({ networks: [] })),
        Effect.provide(transport),
        Effect.provideService(RequestTimeout, Infinity),
      ),
    300_000,
  )

describe("while a long reply is read over HTTP, nothing else waits for long, if it is of", () => {
  for (const [what, result] of Object.entries(results)) checkBlock(what, result, HttpTransport.layer())
})

describe("and so it is", () => {
  const result = () => many("18446744073709551615")
  checkBlock("over fetch", result, HttpTransport.layer(byFetch))
  checkBlock("in a batch", result, BatchTransport.layer(), overHttp, 2)
  checkBlock("over a WebSocket", result, WebSocketTransport.layer({ webSocket: WebSocket }), overSocket)
})
