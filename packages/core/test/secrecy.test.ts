import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Latch, Layer, Logger, Metric, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, type Network } from "@dotrpc/spec"
import { WebSocket } from "ws"
import {
  Breaker,
  Coalesce,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  Metrics,
  RateLimit,
  Retry,
  RpcClient,
  Trace,
  Transports,
  WebSocketTransport,
} from "../src/index.ts"
import { method } from "./scripted.ts"
import * as sockets from "./socketServer.ts"
import { type Call, cutOff, hangUp, reply, result, rpcError, serve } from "./server.ts"

/** A key with characters that are written differently in an address, in JSON and in a log. */
const key = "c4n4ry+K3Y/0f=th1s"
const encodedKey = encodeURIComponent(key)
const traces = ["c4n4ry", "0f=th1s", "th1s"]

/** Calls on this network and gathers every text that anyone could see: values, causes, logs and spans. */
const everythingVisible = (network: Network, whileItRuns: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    const logger = Logger.make(({ message, cause }) => void seen.push(inspect(message), Cause.pretty(cause)))
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    })
    const live = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(Trace.layer()),
      Layer.provide(Coalesce.layer({ cache: {} })),
      Layer.provide(Retry.layer({ times: 0 })),
      Layer.provide(CreditBudget.layer()),
      Layer.provide(RateLimit.layer()),
      Layer.provide(Breaker.layer()),
      Layer.provide(Metrics.layer()),
      Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000 })),
      Layer.provide(
        Transports.layer({ http: HttpTransport.layer(), ws: WebSocketTransport.layer({ webSocket: WebSocket }) }),
      ),
    )
    const exit = yield* Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(RpcClient.call(method(), ["key"]))
      yield* whileItRuns
      return yield* Fiber.await(fiber)
    }).pipe(
      Effect.tap((exit) => (Exit.isFailure(exit) ? Effect.logError("failed", exit.cause) : Effect.void)),
      Effect.provide(live),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provide(Logger.layer([logger])),
      Effect.tap(() => Effect.map(Metric.snapshot, (series) => seen.push(inspect(series, { depth: Infinity })))),
    )
    const error = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
    const failure = error?._tag === "Some" ? error.value : undefined
    for (const value of [exit, failure, failure?.reason, network, ...spans])
      seen.push(inspect(value, { depth: Infinity, showHidden: true, getters: true }), String(value))
    for (const value of [exit, failure, failure?.reason, network]) seen.push(JSON.stringify(value) ?? "")
    if (failure !== undefined) seen.push(failure.message, failure.advice, failure.stack ?? "")
    for (const span of spans) seen.push(span.name, JSON.stringify([...span.attributes]))
    return { failure, seen: seen.join("\n"), spans }
  })

const leaksIn = (text: string) => traces.filter((trace) => text.includes(trace))

const checkSecrecy = (name: string, reason: string, answer: (call: Call) => void) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { network } = yield* serve(answer, encodedKey)
      const { failure, seen, spans } = yield* everythingVisible(network)
      assert.strictEqual(failure?.reason._tag, reason)
      assert.strictEqual(spans.length, 1)
      assert.deepStrictEqual(leaksIn(seen), [])
    }),
  )

/** Says all that a server could say of the address it was asked at. */
const echo = (url: string) => `no such page: http://node.example${url} (${key}) (${encodedKey})`

describe("the key in the address is nowhere to be seen when", () => {
  checkSecrecy("the error page repeats it", "Transport", (call) => reply(500, `<p>${echo(call.url)}</p>`)(call))
  checkSecrecy("a page that says 200 repeats it", "Malformed", (call) => reply(200, echo(call.url))(call))
  checkSecrecy("a refusal repeats it", "AuthFailed", (call) => rpcError(401, -32002, echo(call.url))(call))
  checkSecrecy("an RPC error repeats it", "Rejected", (call) => rpcError(200, -32000, echo(call.url))(call))
  checkSecrecy("what an RPC error has besides its words repeats it", "Rejected", (call) =>
    reply(200, { id: call.id, error: { code: 3, message: "no", data: { [key]: [1, echo(call.url)] } } })(call),
  )
  checkSecrecy("a rate limit repeats it", "RateLimited", (call) =>
    reply(429, echo(call.url), { "retry-after": "1" })(call),
  )
  checkSecrecy("an error without a message holds it", "Rejected", (call) =>
    reply(200, { id: call.id, error: { code: 1, reason: echo(call.url) } })(call),
  )
  checkSecrecy("the id of a reply is made of it", "Malformed", (call) =>
    reply(200, { id: echo(call.url), result: "0x1" })(call),
  )
  checkSecrecy("a redirect leads to it", "Malformed", (call) =>
    reply(302, echo(call.url), { location: `http://node.example${call.url}` })(call),
  )
  checkSecrecy("a reply that breaks off repeats it", "Transport", (call) => cutOff(200, echo(call.url))(call))
  checkSecrecy("the connection is closed", "Transport", hangUp)

  it.live("a result that does not fit holds it", () =>
    Effect.gen(function* () {
      const { network } = yield* serve(result({ echo: key }), encodedKey)
      const { failure } = yield* everythingVisible(network)
      assert.strictEqual(failure?.message, 'test_get on local: result: expected a string, found {"echo":"•••"}')
      assert.deepStrictEqual(failure?.reason._tag === "Malformed" && failure.reason.misfit?.received, { echo: "•••" })
      assert.deepStrictEqual(leaksIn(inspect(failure, { depth: Infinity, showHidden: true })), [])
    }),
  )

  it.live("the connection is refused", () =>
    Effect.gen(function* () {
      const { network } = yield* Effect.scoped(serve(result("0x1"), encodedKey))
      const { failure, seen } = yield* everythingVisible(network)
      assert.strictEqual(failure?.reason._tag, "Transport")
      assert.deepStrictEqual(leaksIn(seen), [])
    }),
  )

  it.effect("the reply does not come", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network } = yield* serve(() => arrived.openUnsafe(), encodedKey)
      const passing = Effect.andThen(arrived.await, TestClock.adjust("1 minute"))
      const { failure, seen } = yield* everythingVisible(network, passing)
      assert.strictEqual(failure?.reason._tag, "Timeout")
      assert.deepStrictEqual(leaksIn(seen), [])
    }),
  )

  for (const credentials of [`user:${encodedKey}`, encodedKey, `:${encodedKey}`])
    it.live(
      `it is in ${credentials.replace(encodedKey, "KEY")} before the host, and the server repeats the header it is sent in`,
      () =>
        Effect.gen(function* () {
          const { host } = yield* serve((call) => rpcError(200, -32000, `${call.headers.authorization} ${key}`)(call))
          const network = defineNetwork({ id: "local", plugin: "test", url: `http://${credentials}@${host}/` })
          const { failure, seen } = yield* everythingVisible(network)
          assert.strictEqual(failure?.reason._tag, "Rejected")
          assert.deepStrictEqual(leaksIn(seen), [])
          assert.notInclude(seen, btoa(decodeURIComponent(credentials.includes(":") ? credentials : `${credentials}:`)))
        }),
    )

  for (const headers of [
    { Authorization: `Bearer ${key}` },
    { "X-Api-Key": key },
    { Authorization: `Basic ${btoa(`u:${key}`)}` },
  ])
    it.live(
      `it is in the header ${Object.entries(headers).join(" ").replace(key, "KEY")}, and the server repeats it`,
      () =>
        Effect.gen(function* () {
          const { host } = yield* serve((call) =>
            rpcError(
              200,
              -32000,
              `${call.headers.authorization} ${call.headers["x-api-key"]} ${key} ${btoa(key)}`,
            )(call),
          )
          const network = defineNetwork({ id: "local", plugin: "test", url: `http://${host}/`, headers })
          const { failure, seen } = yield* everythingVisible(network)
          assert.strictEqual(failure?.reason._tag, "Rejected")
          assert.deepStrictEqual(leaksIn(seen), [])
          for (const value of Object.values(headers)) assert.notInclude(seen, value.replace(/^\w+ /, ""))
          assert.notInclude(seen, btoa(key).slice(0, 20))
        }),
    )

  for (const url of [`not an address ${key}`, `ftp://node.example/${encodedKey}`])
    it.live(`the address is of no use: ${url.slice(0, 6)}`, () =>
      Effect.gen(function* () {
        const network = defineNetwork({ id: "local", plugin: "test", url })
        const { failure, seen } = yield* everythingVisible(network)
        assert.strictEqual(failure?.reason._tag, "NotFound")
        assert.deepStrictEqual(leaksIn(seen), [])
      }),
    )
})

const checkSocketSecrecy = (
  name: string,
  reason: string,
  answer: (message: sockets.Message) => void,
  options: { readonly status?: number } = {},
) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const { network } = yield* sockets.serveSockets(answer, { ...options, key: encodedKey })
      const { failure, seen } = yield* everythingVisible(network)
      assert.strictEqual(failure?.reason._tag, reason)
      assert.deepStrictEqual(leaksIn(seen), [])
    }),
  )

const path = `/ws/v3/${encodedKey}`

describe("the key in the address of a WebSocket is nowhere to be seen when", () => {
  checkSocketSecrecy("an RPC error repeats it", "Rejected", sockets.rpcError(-32000, echo(path)))
  checkSocketSecrecy("a rate limit repeats it", "RateLimited", sockets.rpcError(429, echo(path)))
  checkSocketSecrecy("a message that is not a reply repeats it", "Malformed", sockets.say(echo(path)))
  checkSocketSecrecy("a reply without a result repeats it", "Malformed", ({ id, socket }) =>
    socket.send(JSON.stringify({ id, extra: echo(path) })),
  )
  checkSocketSecrecy("the connection is gone", "Transport", sockets.hangUp)
  checkSocketSecrecy("it is refused", "AuthFailed", () => {}, { status: 401 })

  for (const wsUrl of [`not an address ${key}`, `ftp://node.example/${encodedKey}`, `ws://${encodedKey}@node.example/`])
    it.live(`the address is of no use: ${wsUrl.slice(0, 6)}`, () =>
      Effect.gen(function* () {
        const network = defineNetwork({ id: "local", plugin: "test", wsUrl })
        const { failure, seen } = yield* everythingVisible(network)
        assert.strictEqual(failure?.reason._tag, "NotFound")
        assert.deepStrictEqual(leaksIn(seen), [])
      }),
    )
})

describe("a page that is quoted only in part shows no part of the key", () => {
  for (const status of [200, 404])
    it.live(`with status ${status}, wherever the quote ends`, () =>
      Effect.gen(function* () {
        let filler = 0
        const { network } = yield* serve((call) => reply(status, `${"-".repeat(filler)}${key}`)(call), encodedKey)
        for (filler = 90; filler < 170; filler++) {
          const { failure, seen } = yield* everythingVisible(network)
          assert.isDefined(failure)
          assert.deepStrictEqual(
            traces.concat("c4n4").filter((trace) => seen.includes(trace)),
            [],
            `after ${filler} characters`,
          )
        }
      }),
    )
})

it.live("a span tells the method, the network, the price and the host, and nothing else", () =>
  Effect.gen(function* () {
    const { host, network } = yield* serve(result("0x1"), encodedKey)
    const { seen, spans } = yield* everythingVisible(network)
    assert.deepStrictEqual(
      spans.map((span) => [span.name, Object.fromEntries(span.attributes)]),
      [
        [
          "test_get",
          {
            "rpc.system.name": "jsonrpc",
            "rpc.method": "test_get",
            "dotrpc.network": "local",
            "dotrpc.credits": 80,
            "server.address": "127.0.0.1",
            "server.port": Number(host.split(":")[1]),
          },
        ],
      ],
    )
    assert.deepStrictEqual(leaksIn(seen), [])
  }),
)

it("the texts above would show a key that leaks", () => {
  assert.deepStrictEqual(leaksIn(echo(`/v3/${encodedKey}`)), traces)
})
