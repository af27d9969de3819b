/** The headers of a network, as real servers receive them. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { WebSocketServer, WebSocket as WsSocket } from "ws"
import { defineNetwork, type Network, type Options, type Transport } from "@dotrpc/spec"
import { BatchTransport, Coalesce, HttpTransport, WebSocketTransport } from "../src/index.ts"
import { endpointOf } from "../src/internal/endpoint.ts"
import { request, send } from "./scripted.ts"
import { byFetch, reply, result, serve } from "./server.ts"

const withHeaders = (network: Network, headers: Readonly<Record<string, string>>, id = network.id) => {
  const text = (url: Network["url"]) => (url === undefined ? undefined : Redacted.value(url))
  return defineNetwork({ id, plugin: "test", url: text(network.url), wsUrl: text(network.wsUrl), headers })
}

const own = { Authorization: "Bearer canary-0123456789", "X-Client": "me" }

const overHttp: Readonly<Record<string, Layer.Layer<Transport, Options.InvalidOptions>>> = {
  fetch: HttpTransport.layer(byFetch),
  "Node's client": HttpTransport.layer(),
  batches: BatchTransport.layer(),
}

for (const [name, transport] of Object.entries(overHttp))
  describe(`headers of a network over ${name}`, () => {
    it.live("are sent with each call, beside those of every request", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(result("0x1"))
        yield* send(request({ network: withHeaders(network, own) }))
        const { headers } = calls[0] ?? {}
        assert.deepStrictEqual(
          [headers?.authorization, headers?.["x-client"], headers?.["content-type"]],
          [own.Authorization, "me", "application/json"],
        )
      }).pipe(Effect.provide(transport)),
    )

    it.live("go nowhere with a redirect", () =>
      Effect.gen(function* () {
        const other = yield* serve(result("0x1"))
        const { calls, network } = yield* serve(reply(307, "", { location: `http://${other.host}/` }))
        const error = yield* Effect.flip(send(request({ network: withHeaders(network, own) })))
        assert.deepStrictEqual([error.reason._tag, calls.length, other.calls.length], ["Malformed", 1, 0])
      }).pipe(Effect.provide(transport)),
    )

    it.live("are those of the network of the call, of several with one URL", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(result("0x1"))
        const networks = ["a", "b"].map((key) => withHeaders(network, { "X-Key": key }, key))
        yield* Effect.all(
          [...networks, network].map((network) => send(request({ network }))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(calls.map(({ headers }) => headers["x-key"]).toSorted(), ["a", "b", undefined])
      }).pipe(Effect.provide(transport)),
    )
  })

it.live("calls with different keys are not one call, wherever they meet", () =>
  Effect.gen(function* () {
    const { calls, network } = yield* serve(result("0x1"))
    const networks = ["a", "b", "a"].map((key) => withHeaders(network, { "X-Key": key }))
    yield* Effect.all(
      networks.map((network) => send(request({ network }))),
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(calls.map(({ headers }) => headers["x-key"]).toSorted(), ["a", "b"])
  }).pipe(Effect.provide(Coalesce.layer().pipe(Layer.provide(HttpTransport.layer())))),
)

it("an endpoint is a URL with its headers, in any order and case", () => {
  const url = "https://node.example/"
  const endpoint = (headers: Readonly<Record<string, string>>) =>
    endpointOf(defineNetwork({ id: "a", plugin: "test", url, headers }))
  assert.strictEqual(endpoint({ a: "1", b: "2" }), endpoint({ B: "2", A: "1" }))
  assert.notStrictEqual(endpoint({ a: "1" }), endpoint({ a: "2" }))
  assert.notStrictEqual(endpoint({ a: "1" }), endpoint({}))
  assert.strictEqual(endpoint({}), url)
})

/** A server that keeps the headers of each handshake. */
const serveHandshakes = Effect.gen(function* () {
  const handshakes: Array<Readonly<Record<string, unknown>>> = []
  const server = createServer()
  const upgrades = new WebSocketServer({ noServer: true })
  server.on("upgrade", (message, socket, head) => {
    handshakes.push(message.headers)
    upgrades.handleUpgrade(message, socket, head, (client) =>
      client.on("message", (data: Buffer) => {
        const { id } = JSON.parse(data.toString()) as { readonly id: number }
        client.send(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }))
      }),
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => (upgrades.clients.forEach((client) => client.terminate()), server.close())),
  )
  const wsUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { handshakes, network: defineNetwork({ id: "local", plugin: "test", wsUrl }) }
})

describe("headers of a network over a WebSocket", () => {
  const kinds = { "the package ws": WsSocket, "Node's own": globalThis.WebSocket }
  for (const [name, webSocket] of Object.entries(kinds))
    it.live(`are those of the handshake: ${name}`, () =>
      Effect.gen(function* () {
        const { handshakes, network } = yield* serveHandshakes
        yield* send(request({ network: withHeaders(network, own) }))
        yield* send(request({ network: withHeaders(network, { "X-Key": "b" }) }))
        yield* send(request({ network }))
        assert.deepStrictEqual(
          handshakes.map((headers) => [headers["authorization"], headers["x-client"], headers["x-key"]]),
          [
            [own.Authorization, "me", undefined],
            [undefined, undefined, "b"],
            [undefined, undefined, undefined],
          ],
        )
      }).pipe(Effect.provide(WebSocketTransport.layer({ webSocket })), Effect.scoped),
    )

  it.live("are refused before anything is sent where a socket has no headers, as in a browser", () => {
    /** As a browser's: neither of Node nor of the package `ws`. */
    class PageSocket {
      binaryType = ""
      readyState = 0
      bufferedAmount = 0
      constructor() {
        throw new Error("a socket was opened")
      }
      send(): void {}
      close(): void {}
      addEventListener(): void {}
    }
    return Effect.gen(function* () {
      const network = withHeaders(defineNetwork({ id: "local", plugin: "test", wsUrl: "ws://127.0.0.1:9/" }), own)
      const error = yield* Effect.flip(send(request({ network })))
      assert.deepStrictEqual([error.reason._tag, error.outcome], ["NotFound", "unsent"])
      assert.include(error.message, 'network "local" has "headers", which a WebSocket cannot send on this platform')
      assert.notInclude(error.message, "canary")
    }).pipe(Effect.provide(WebSocketTransport.layer({ webSocket: PageSocket })), Effect.scoped)
  })
})
