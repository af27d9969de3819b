import { Worker } from "node:worker_threads"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Agent } from "node:http"
import { Agent as SecureAgent } from "node:https"
import { Effect, Exit, Fiber, Latch, type Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  type Options,
  defineNetwork,
  type Json,
  type Network,
  type Price,
  type RpcReason,
  type Transport,
} from "@dotrpc/spec"
import { HttpTransport, RequestTimeout } from "../src/index.ts"
import { method, request, send } from "./scripted.ts"
import { byFetch, type Call, cutOff, hangUp, reply, result, rpcError, serve } from "./server.ts"

interface Failure {
  readonly reason: RpcReason.ReasonTag
  readonly outcome: Price.Outcome
  readonly message: string
}

/** A network whose server has just gone. */
const goneNetwork = Effect.scoped(Effect.map(serve(result("0x1")), ({ network, host }) => ({ network, host })))

/** A server in a thread of its own, which closes each connection a while after it has answered. */
const closingServer = Effect.acquireRelease(
  Effect.callback<readonly [port: number, closed: Int32Array, thread: Worker]>((resume) => {
    const closed = new Int32Array(new SharedArrayBuffer(4))
    const thread = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads")
       const server = require("node:http").createServer((request, response) => {
         let body = ""
         request.on("data", (part) => (body += part)).on("end", () => {
           response.end(JSON.stringify({ id: JSON.parse(body).id, result: "0x1" }))
           setTimeout(() => {
             request.socket.destroy()
             Atomics.store(workerData, 0, 1)
             Atomics.notify(workerData, 0)
           }, 600)
         })
       })
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`,
      { eval: true, workerData: closed },
    )
    thread.once("message", (port: number) => resume(Effect.succeed([port, closed, thread] as const)))
  }),
  ([, , thread]) => Effect.promise(() => thread.terminate()),
)

/** What holds whatever carries the calls. */
const suite = (transport: Layer.Layer<Transport, Options.InvalidOptions>, closedCode: string) => {
  const overHttp = Effect.provide(transport)

  describe("a call over HTTP", () => {
    it.live("is one POST of JSON-RPC to the network's address", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(result("0x1"))
        const renamed = { ...network, methodWord: "starknet" }
        yield* send(request({ network: renamed, method: method({ name: "l2_get", word: "l2" }), params: ["key"] }))
        assert.deepStrictEqual(
          calls.map(({ url, body }) => [url, JSON.parse(body) as unknown]),
          [["/v3/local", { jsonrpc: "2.0", id: 1, method: "starknet_get", params: ["key"] }]],
        )
        assert.strictEqual(calls[0]?.headers["content-type"], "application/json")
      }).pipe(overHttp),
    )

    it.live("keeps every digit both ways", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(({ id, response }) =>
          response.end(`{"jsonrpc":"2.0","id":${id},"result":{"lamports":18446744073709551615}}`),
        )
        const params: Json.Json = [9007199254740993n]
        assert.deepStrictEqual(yield* send(request({ network, params })), {
          result: { lamports: 18446744073709551615n },
        })
        assert.include(calls[0]?.body, "[9007199254740993]")
      }).pipe(overHttp),
    )

    it.live("has the user name and password of the URL in a header, as they were before they were encoded", () =>
      Effect.gen(function* () {
        const { calls, host } = yield* serve(result("0x1"))
        const network = defineNetwork({
          id: "local",
          plugin: "test",
          url: `http://bitcoin:p%C3%A4ss%3A%40w0rd@${host}/`,
        })
        yield* send(request({ network }))
        assert.strictEqual(calls[0]?.headers.authorization, `Basic ${btoa("bitcoin:p\u00c3\u00a4ss:@w0rd")}`)
        assert.strictEqual(calls[0]?.url, "/")
      }).pipe(overHttp),
    )

    it.live("repeats no password that a server sends back, in any form", () =>
      Effect.gen(function* () {
        const { host } = yield* serve(({ headers, id, response }) =>
          response.end(
            JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: `no: ${headers.authorization}` } }),
          ),
        )
        const network = defineNetwork({ id: "local", plugin: "test", url: `http://bitcoin:canary-pass@${host}/` })
        const error = yield* Effect.flip(send(request({ network })))
        assert.include(error.message, "no: Basic ")
        assert.notInclude(error.message, btoa("bitcoin:canary-pass").slice(8, 20))
      }).pipe(overHttp),
    )

    it.live("is JSON-RPC 1.0 where the network says so, and an error in an HTTP 500 is the answer", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(({ id, response }) =>
          response
            .writeHead(500)
            .end(JSON.stringify({ result: null, error: { code: -8, message: "Block height out of range" }, id })),
        )
        const old = { ...network, jsonrpc: "1.0" as const }
        const error = yield* Effect.flip(send(request({ network: old, params: ["key"] })))
        assert.deepStrictEqual(JSON.parse(calls[0]?.body ?? ""), { id: 1, method: "test_get", params: ["key"] })
        assert.deepStrictEqual([error.reason._tag, error.outcome, error.retryable], ["Rejected", "rpc-error", false])
        assert.include(error.message, "Block height out of range")
      }).pipe(overHttp),
    )

    it.live("has an id of its own", () =>
      Effect.gen(function* () {
        const { calls, network } = yield* serve(result("0x1"))
        const sends = Array.from({ length: 5 }, () => send(request({ network })))
        yield* Effect.all(sends, { concurrency: "unbounded" })
        assert.strictEqual(new Set(calls.map(({ id }) => id)).size, 5)
      }).pipe(overHttp),
    )
  })

  /** The message is given without its subject; `HOST` stands for the server's host and port. */
  const checkAnswer = (name: string, answer: (call: Call) => void, expected: Failure) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const { host, network } = yield* serve(answer)
        let sent = false
        const error = yield* Effect.flip(send(request({ network, onSend: () => (sent = true) })))
        const message = error.message.replace("test_get on local: ", "").replaceAll(host, "HOST")
        assert.deepStrictEqual({ reason: error.reason._tag, outcome: error.outcome, message }, expected)
        assert.isTrue(sent)
      }).pipe(overHttp),
    )

  describe("an answer that is not a result", () => {
    checkAnswer("an RPC error in an HTTP 200", rpcError(200, -32601, "the method does not exist"), {
      reason: "Unsupported",
      outcome: "rpc-error",
      message: "the method does not exist",
    })
    checkAnswer("401 with words", reply(401, "invalid project id"), {
      reason: "AuthFailed",
      outcome: "client-error",
      message: "the API key was not accepted: HTTP 401: invalid project id",
    })
    checkAnswer("402", reply(402, { code: 402, message: "Payment Required" }), {
      reason: "BudgetExhausted",
      outcome: "payment-required",
      message: "the provider's credits are used up: Payment Required",
    })
    checkAnswer(
      "402 of x402, which is not a used-up balance",
      reply(402, {
        x402Version: 1,
        error: "X-PAYMENT header is required",
        accepts: [{ scheme: "exact", network: "base", maxAmountRequired: "1000", asset: "0x8335" }],
      }),
      {
        reason: "PaymentRequired",
        outcome: "payment-required",
        message:
          "the server asks for an x402 payment of 1000 units of 0x8335 on base, not for credits: X-PAYMENT header is required",
      },
    )
    checkAnswer("429 with seconds to wait", reply(429, "", { "retry-after": "7" }), {
      reason: "RateLimited",
      outcome: "too-many-requests",
      message: "rate limited for 7 s: HTTP 429",
    })
    checkAnswer("429 with an error object", rpcError(429, -32005, "too fast", { "retry-after": "2" }), {
      reason: "RateLimited",
      outcome: "too-many-requests",
      message: "rate limited for 2 s: too fast",
    })
    checkAnswer("an HTML error page", reply(502, "<html><h1>Bad gateway</h1></html>"), {
      reason: "Transport",
      outcome: "server-error",
      message: "HTTP 502: Bad gateway",
    })
    checkAnswer("an HTML page that says 200", reply(200, "<html>Welcome</html>"), {
      reason: "Malformed",
      outcome: "malformed",
      message: 'the reply is not JSON: Expected a JSON value, found "<" at offset 0: <html>Welcome</html>',
    })
    checkAnswer("a reply to another request", reply(200, { jsonrpc: "2.0", id: 77, result: "0x1" }), {
      reason: "Malformed",
      outcome: "malformed",
      message: "the reply answers request 77, not 1",
    })
    checkAnswer("a reply that breaks off is lost", cutOff(200, '{"jsonrpc":"2.0","id":1,"res'), {
      reason: "Transport",
      outcome: "malformed",
      message: "the reply from HOST ended early",
    })
    checkAnswer("an error reply that breaks off still has its status", cutOff(429, "too man"), {
      reason: "RateLimited",
      outcome: "too-many-requests",
      message: "rate limited: HTTP 429",
    })
    checkAnswer(
      "half a reply, which the server calls whole, is lost",
      reply(200, '{"jsonrpc":"2.0","id":1,"result":[tr'),
      {
        reason: "Transport",
        outcome: "malformed",
        message:
          'the reply is not JSON: Expected a JSON value, found "t" at offset 34: {"jsonrpc":"2.0","id":1,"result":[tr',
      },
    )
    checkAnswer("a line of text is what the server says", reply(200, "invalid host specified"), {
      reason: "Malformed",
      outcome: "malformed",
      message: 'the reply is not JSON: Expected a JSON value, found "i" at offset 0: invalid host specified',
    })
    checkAnswer("an error that is a text", reply(200, { error: "Too many requests, please try again later." }), {
      reason: "RateLimited",
      outcome: "rpc-error",
      message: "rate limited: Too many requests, please try again later.",
    })
    checkAnswer("an error where the reply should be", reply(200, { code: 429, message: "limit" }), {
      reason: "RateLimited",
      outcome: "rpc-error",
      message: "rate limited: limit",
    })
    checkAnswer("an error without a code", reply(200, { id: 1, error: { message: "no" } }), {
      reason: "Rejected",
      outcome: "rpc-error",
      message: "no",
    })
    checkAnswer("a redirect is not followed", reply(307, "", { location: "/elsewhere" }), {
      reason: "Malformed",
      outcome: "client-error",
      message:
        'HOST answered with a redirect, which is not followed because it would pass on the API key in the URL: set "url" to the final URL',
    })
    checkAnswer("407, of which Node's fetch says nothing", reply(407, ""), {
      reason: "Rejected",
      outcome: "client-error",
      message: "HTTP 407",
    })
    checkAnswer("421, after which Node's fetch cannot ask again", reply(421, ""), {
      reason: "Rejected",
      outcome: "client-error",
      message: "HTTP 421",
    })
    checkAnswer("a connection that is closed, after which the call may have been charged", hangUp, {
      reason: "Transport",
      outcome: "timeout",
      message: `the connection was closed before a reply from HOST (${closedCode})`,
    })
  })

  it.live("a redirect leads nowhere", () =>
    Effect.gen(function* () {
      const target = yield* serve(result("0x1"))
      const { network } = yield* serve(reply(308, "", { location: `http://${target.host}/` }))
      yield* Effect.exit(send(request({ network })))
      assert.deepStrictEqual(target.calls, [])
    }).pipe(overHttp),
  )

  it.live("a redirect of a URL without a key is not said to pass one on", () =>
    Effect.gen(function* () {
      const { host } = yield* serve(reply(308, "", { location: "/elsewhere" }))
      const network = defineNetwork({ id: "local", plugin: "test", url: `http://${host}/` })
      const error = yield* Effect.flip(send(request({ network })))
      assert.include(error.message, 'is not followed because a network has one URL: set "url" to the final URL')
    }).pipe(overHttp),
  )

  it.live("a refused connection names the host and port", () =>
    Effect.gen(function* () {
      const { host, network } = yield* goneNetwork
      const error = yield* Effect.flip(send(request({ network })))
      assert.strictEqual(error.message, `test_get on local: could not connect to ${host} (ECONNREFUSED)`)
      assert.deepStrictEqual([error.reason._tag, error.outcome, error.retryable], ["Transport", "unsent", true])
    }).pipe(overHttp),
  )

  /** The problem of a URL is reported without the URL. */
  const checkAddress = (name: string, url: string | undefined, expected: string) =>
    it.live(name, () => {
      const network: Network = defineNetwork({ id: "local", plugin: "test", url })
      let sent = false
      return Effect.gen(function* () {
        const error = yield* Effect.flip(send(request({ network, onSend: () => (sent = true) })))
        assert.strictEqual(error.message, `test_get on local: network "local" ${expected}`)
        assert.include(error.advice, url?.startsWith("embedded:") ? "EmbeddedGateway.layer()" : 'network "local" a URL')
        assert.deepStrictEqual([error.reason._tag, error.outcome, sent], ["NotFound", "unsent", false])
      }).pipe(overHttp)
    })

  describe("an address that cannot be used", () => {
    checkAddress("none", undefined, 'has no endpoint: set its "url", in rpc.config.json or in defineNetwork')
    checkAddress("a key alone", "0123456789abcdef", 'has a "url" that is not a URL: write it as https://HOST/PATH')
    checkAddress(
      "a WebSocket",
      "wss://mainnet.example/ws/v3/key",
      'has a "url" that HTTP cannot reach: it must begin with https:// or http://',
    )
    checkAddress(
      "a network of the embedded gateway",
      "embedded:evm",
      "is embedded, and no layer of this client answers embedded networks",
    )
  })

  /** Waits for a call that is never answered, then lets `millis` pass, and tells whether it has ended. */
  const endsAfter = (millis: number) =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network } = yield* serve(() => arrived.openUnsafe())
      const fiber = yield* Effect.forkChild(Effect.flip(send(request({ network }))))
      yield* arrived.await
      yield* TestClock.adjust(millis - 1)
      const before = fiber.pollUnsafe()
      yield* TestClock.adjust(1)
      const error = yield* Fiber.join(fiber)
      return { before, error }
    }).pipe(Effect.scoped, overHttp)

  describe("a reply that does not come", () => {
    it.effect("is waited for 30 seconds", () =>
      Effect.gen(function* () {
        const { before, error } = yield* endsAfter(30_000)
        assert.isUndefined(before)
        assert.strictEqual(error.message, "test_get on local: no reply within 30000 ms")
        assert.deepStrictEqual([error.reason._tag, error.outcome], ["Timeout", "timeout"])
      }),
    )

    it.effect("is waited for as long as RequestTimeout says", () =>
      Effect.gen(function* () {
        const { before, error } = yield* endsAfter(120_000)
        assert.isUndefined(before)
        assert.strictEqual(error.message, "test_get on local: no reply within 120000 ms")
      }).pipe(Effect.provideService(RequestTimeout, "2 minutes")),
    )
  })

  it.live("interrupting a call aborts its request", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const aborted = yield* Latch.make()
      const { network } = yield* serve(({ response }) => {
        response.on("close", () => aborted.openUnsafe())
        arrived.openUnsafe()
      })
      const fiber = yield* Effect.forkChild(send(request({ network })))
      yield* arrived.await
      yield* Fiber.interrupt(fiber)
      yield* aborted.await
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }).pipe(overHttp),
  )
}

describe("over fetch", () => {
  suite(HttpTransport.layer(byFetch), "UND_ERR_SOCKET")
})

describe("over Node's client", () => {
  suite(HttpTransport.layer(), "ECONNRESET")
  const overNode = Effect.provide(HttpTransport.layer())

  describe("a reply that is packed", () => {
    const packed = (encoding: string, pack: (text: string) => Uint8Array) =>
      serve(({ id, response }) =>
        response
          .writeHead(200, { "content-encoding": encoding })
          .end(pack(JSON.stringify({ id, result: "é".repeat(1_000) }))),
      )
    const packers: Readonly<Record<string, (text: string) => Uint8Array>> = {
      gzip: gzipSync,
      "x-gzip": gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
      "gzip, br": (text) => brotliCompressSync(gzipSync(text)),
    }
    for (const [encoding, pack] of Object.entries(packers))
      it.live(`by ${encoding} is read`, () =>
        Effect.gen(function* () {
          const { calls, network } = yield* packed(encoding, pack)
          assert.deepStrictEqual(yield* send(request({ network })), { result: "é".repeat(1_000) })
          assert.strictEqual(calls[0]?.headers["accept-encoding"], "gzip")
        }).pipe(overNode),
      )

    it.live("and breaks off is reported as such", () =>
      Effect.gen(function* () {
        const { host, network } = yield* packed("gzip", (text) => gzipSync(text).subarray(0, -12))
        const error = yield* Effect.flip(send(request({ network })))
        assert.strictEqual(error.message, `test_get on local: the reply from ${host} ended early`)
        assert.strictEqual(error.outcome, "malformed")
      }).pipe(overNode),
    )
  })

  it.live("a long reply in many parts is put together", () =>
    Effect.gen(function* () {
      const long = "é€😀".repeat(100_000)
      const { network } = yield* serve(result(long))
      assert.deepStrictEqual(yield* send(request({ network })), { result: long })
    }).pipe(overNode),
  )

  it.live("agents that are given open the connections", () =>
    Effect.gen(function* () {
      const { calls, network } = yield* serve(result("0x1"))
      const http = new Agent({ keepAlive: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => http.destroy()))
      const agents = { http, https: new SecureAgent() }
      yield* Effect.provide(send(request({ network })), HttpTransport.layer({ agents }))
      assert.strictEqual(calls.length, 1)
      assert.strictEqual(Object.keys({ ...http.sockets, ...http.freeSockets }).length, 1)
    }),
  )

  it.live("a call that is interrupted before its turn comes is never sent", () =>
    Effect.gen(function* () {
      const { calls, network } = yield* serve(result("0x1"))
      const fiber = yield* Effect.forkChild(send(request({ network })), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* send(request({ network }))
      assert.strictEqual(calls.length, 1)
    }).pipe(overNode),
  )

  it.live("a connection that the server closed while the program was busy is not used", () =>
    Effect.gen(function* () {
      const [port, closed] = yield* closingServer
      const network = defineNetwork({ id: "local", plugin: "test", url: `http://127.0.0.1:${port}/` })
      yield* send(request({ network }))
      // This thread sees nothing until the other one has closed.
      Atomics.wait(closed, 0, 0)
      assert.deepStrictEqual(yield* send(request({ network })), { result: "0x1" })
    }).pipe(overNode),
  )
})

describe("fetch", () => {
  /** Answers with the address and the HTTP method it was given. */
  const echo: HttpTransport.Fetch = (address, init) => {
    const { id } = JSON.parse(String(init.body)) as { readonly id: number }
    const isWhole = address === "https://mainnet.example/v3/local"
    return Promise.resolve(new Response(JSON.stringify({ id, result: [isWhole, init.method] })))
  }

  it.live("goes through another fetch when one is given", () => {
    const network = defineNetwork({ id: "local", plugin: "test", url: "https://mainnet.example/v3/local" })
    return Effect.gen(function* () {
      const reply = yield* send(request({ network }))
      assert.deepStrictEqual(reply.result, [true, "POST"])
    }).pipe(Effect.provide(HttpTransport.layer({ fetch: echo })))
  })
  it.live("a reply that is packed in more ways than Node unpacks was sent, and may have been charged", () =>
    Effect.gen(function* () {
      const packed = { "content-encoding": Array.from({ length: 100 }, () => "gzip").join(", ") }
      const { network } = yield* serve(reply(200, "", packed))
      const error = yield* Effect.flip(send(request({ network })))
      assert.deepStrictEqual([error.reason._tag, error.outcome], ["Malformed", "malformed"])
    }).pipe(Effect.provide(HttpTransport.layer(byFetch))),
  )

  /** `fetch` as it fails in different places. */
  const checkRejection = (name: string, rejection: unknown, expected: string, outcome: Price.Outcome = "unsent") =>
    it.live(name, () => {
      const network = defineNetwork({ id: "local", plugin: "test", url: "https://mainnet.example/v3/local" })
      return Effect.gen(function* () {
        const error = yield* Effect.flip(send(request({ network })))
        assert.strictEqual(error.message, `test_get on local: ${expected}`)
        assert.strictEqual(error.outcome, outcome)
      }).pipe(Effect.provide(HttpTransport.layer({ fetch: () => Promise.reject(rejection) })))
    })

  const coded = (code: string) => Object.assign(new Error(`${code} https://mainnet.example/v3/local`), { code })
  const wrapped = (cause: unknown) => new TypeError("fetch failed", { cause })

  describe("a connection that fails says how", () => {
    checkRejection(
      "a host that does not exist",
      wrapped(coded("ENOTFOUND")),
      "could not find the host mainnet.example (ENOTFOUND)",
    )
    checkRejection(
      "a host that refuses on each of its addresses",
      wrapped(new AggregateError([coded("ECONNREFUSED"), coded("EHOSTUNREACH")])),
      "could not connect to mainnet.example (ECONNREFUSED)",
    )
    checkRejection(
      "a certificate that has expired",
      wrapped(coded("CERT_HAS_EXPIRED")),
      "could not open a secure connection to mainnet.example (CERT_HAS_EXPIRED)",
    )
    const checkRemedy = (name: string, url: string, code: string, retryable: boolean, advice: RegExp) =>
      it.live(`${name}, and what to do`, () => {
        const network = defineNetwork({ id: "local", plugin: "test", url })
        return Effect.gen(function* () {
          const error = yield* Effect.flip(send(request({ network })))
          assert.strictEqual(error.reason._tag, "Transport")
          assert.strictEqual(error.retryable, retryable)
          assert.match(error.advice, advice)
        }).pipe(Effect.provide(HttpTransport.layer({ fetch: () => Promise.reject(wrapped(coded(code))) })))
      })
    const [secure, plain] = ["https://mainnet.example/v3/local", "http://mainnet.example/v3/local"]
    checkRemedy(
      "a certificate of nobody who is known",
      secure,
      "SELF_SIGNED_CERT_IN_CHAIN",
      false,
      /NODE_EXTRA_CA_CERTS/,
    )
    checkRemedy("a certificate without its chain", secure, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", false, /CA_CERTS/)
    checkRemedy("a certificate out of date", secure, "CERT_HAS_EXPIRED", false, /has to be renewed/)
    checkRemedy("a certificate of a later time", secure, "CERT_NOT_YET_VALID", false, /clock is wrong/)
    checkRemedy("another host's certificate", secure, "ERR_TLS_CERT_ALTNAME_INVALID", false, /host of the "url"/)
    checkRemedy(
      "https where there is none",
      secure,
      "ERR_SSL_WRONG_VERSION_NUMBER",
      false,
      /write its "url" with http:/,
    )
    checkRemedy("http where https is wanted", plain, "UND_ERR_SOCKET", true, /a server that requires https:/)
    checkRemedy(
      "a reset behind https",
      secure,
      "ECONNRESET",
      true,
      /^Check that the endpoint is right and reachable\.$/,
    )
    checkRejection(
      "a connection that is reset, after which the call may have been charged",
      wrapped(coded("ECONNRESET")),
      "the connection was closed before a reply from mainnet.example (ECONNRESET)",
      "timeout",
    )
    for (const [status, retryable, advice] of [
      [407, false, /a user name and a password/],
      [502, true, /^Check that the endpoint/],
    ] as const)
      it.live(`a proxy that answers ${status}, and nothing is charged`, () => {
        const network = defineNetwork({ id: "local", plugin: "test", url: secure })
        const rejection = wrapped(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`))
        return Effect.gen(function* () {
          const error = yield* Effect.flip(send(request({ network })))
          assert.match(
            error.message,
            new RegExp(`the proxy answered ${status} instead of connecting to mainnet.example`),
          )
          assert.deepStrictEqual([error.outcome, error.retryable], ["unsent", retryable])
          assert.match(error.advice, advice)
        }).pipe(Effect.provide(HttpTransport.layer({ fetch: () => Promise.reject(rejection) })))
      })
    checkRejection(
      "a browser, which does not say why",
      new TypeError("Failed to fetch"),
      "could not connect to mainnet.example (Failed to fetch)",
    )
    checkRejection(
      "a message that holds the address",
      new TypeError("Failed to parse URL from https://mainnet.example/v3/local"),
      "could not connect to mainnet.example (Failed to parse URL from •••)",
    )
    checkRejection(
      "something that is not an error, of which nobody knows when it failed",
      "blocked",
      "no reply came from mainnet.example (blocked)",
      "timeout",
    )
    const timedOut = (syscall: string) => Object.assign(coded("ETIMEDOUT"), { syscall })
    checkRejection(
      "a host that does not answer",
      wrapped(timedOut("connect")),
      "could not connect to mainnet.example (ETIMEDOUT)",
    )
    checkRejection(
      "a connection that was open and times out, after which the call may have been charged",
      wrapped(timedOut("read")),
      "no reply came from mainnet.example (ETIMEDOUT)",
      "timeout",
    )
    checkRejection(
      "a limit of fetch itself, after which the call may have been charged",
      wrapped(coded("UND_ERR_HEADERS_TIMEOUT")),
      "fetch timed out waiting for a reply from mainnet.example (UND_ERR_HEADERS_TIMEOUT)",
      "timeout",
    )
  })
})
