/** Replies that are longer than a client reads. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { isDeep, runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { type Options, type RpcError, RpcReason, type RpcReply, type Transport } from "@dotrpc/spec"
import { WebSocket } from "ws"
import { BatchTransport, CreditBudget, CreditLedger, HttpTransport, Retry, WebSocketTransport } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { byFetch, type Call, serve } from "./server.ts"
import { type Message, result, serveSockets } from "./socketServer.ts"

const limit = 10_000
const unpacked = isDeep ? 100_000_000 : 10_000_000

const tooLarge = (host: string) =>
  `test_get on local: the reply from ${host} is longer than 9.8 KiB; the rest was not read`

/** A reply of this many bytes. */
const replyOf = (id: number, bytes: number, filler = "x"): Buffer => {
  const frame = JSON.stringify({ id, result: "" }).length
  const rest = bytes - frame
  const long = filler.repeat(Math.ceil(rest / Buffer.byteLength(filler)))
  return Buffer.from(JSON.stringify({ id, result: long }))
}

const whole =
  (bytes: number, filler?: string) =>
  ({ id, response }: Call): void => {
    const body = replyOf(id, bytes, filler)
    response.writeHead(200, { "content-length": body.length }).end(body)
  }

const inChunks =
  (bytes: number) =>
  ({ id, response }: Call): void => {
    const body = replyOf(id, bytes)
    for (let at = 0; at < body.length; at += 1_000) response.write(body.subarray(at, at + 1_000))
    response.end()
  }

const packed =
  (encoding: string, pack: (body: Buffer) => Buffer, bytes: number, status = 200) =>
  ({ id, response }: Call): void => {
    response.writeHead(status, { "content-encoding": encoding }).end(pack(replyOf(id, bytes)))
  }

const suite = (transport: Layer.Layer<Transport, Options.InvalidOptions>, readsEncodings: boolean) => {
  const over = Effect.provide(transport)

  const checkRead = (what: string, answer: (call: Call) => void) =>
    it.live(`${what} is read`, () =>
      Effect.gen(function* () {
        const { network } = yield* serve(answer)
        const reply = yield* send(request({ network }))
        assert.isAbove(String(reply.result).length, 3_000)
      }).pipe(over),
    )
  const checkRefused = (what: string, answer: (call: Call) => void) =>
    it.live(`${what} is too large, and charged as an answer`, () =>
      Effect.gen(function* () {
        const { host, network } = yield* serve(answer)
        const error = yield* Effect.flip(send(request({ network })))
        assert.strictEqual(error.message, tooLarge(host))
        assert.deepStrictEqual(
          [error.reason._tag, error.outcome, error.retryable],
          ["ReplyTooLarge", "malformed", false],
        )
      }).pipe(over),
    )

  checkRead("a reply of as many bytes as the limit", whole(limit))
  checkRead("one that comes in chunks", inChunks(limit))
  checkRead(
    "one that is packed",
    packed("gzip", (body) => gzipSync(body), limit),
  )
  checkRefused("a reply of one byte more", whole(limit + 1))
  checkRefused("one that says its length in advance", whole(1_000_000))
  checkRefused("one that comes in chunks", inChunks(limit + 1))
  checkRefused("one of letters that take three bytes", whole(limit + 1_000, "€"))
  checkRefused(
    "one that unpacks to one byte more",
    packed("gzip", (body) => gzipSync(body), limit + 1),
  )
  checkRefused(
    `one of a few kilobytes that unpacks to ${unpacked / 1_000_000} MB`,
    packed("gzip", (body) => gzipSync(body), unpacked),
  )
  if (readsEncodings) {
    checkRefused(
      "one that is deflated",
      packed("deflate", (body) => deflateSync(body), 10_000_000),
    )
    checkRefused(
      "one that is packed by Brotli",
      packed("br", (body) => brotliCompressSync(body), 10_000_000),
    )
    checkRefused(
      "one that is packed several times",
      packed("gzip, gzip, gzip", (body) => gzipSync(gzipSync(gzipSync(body))), 10_000_000),
    )
  }

  it.live("an error is judged by its status, however long its page is", () =>
    Effect.gen(function* () {
      const { network } = yield* serve(packed("gzip", (body) => gzipSync(body), 1_000_000, 429))
      const error = yield* Effect.flip(send(request({ network })))
      assert.deepStrictEqual([error.reason._tag, error.outcome], ["RateLimited", "too-many-requests"])
    }).pipe(over),
  )

  it.live("a reply without an end is cut off at the limit", () =>
    Effect.gen(function* () {
      const closed = yield* Latch.make()
      let written = 0
      const { host, network } = yield* serve(({ response }) => {
        const part = "x".repeat(1_000)
        const pour = () => {
          while (!response.destroyed && written < 100_000_000) {
            written += part.length
            if (!response.write(part)) return void response.once("drain", pour)
          }
        }
        response.on("close", () => closed.openUnsafe())
        pour()
      })
      const error = yield* Effect.flip(send(request({ network })))
      assert.strictEqual(error.message, tooLarge(host))
      yield* closed.await
      assert.isBelow(written, 20_000_000)
    }).pipe(over),
  )
}

describe("over HTTP", () => {
  suite(HttpTransport.layer({ maxReplyBytes: limit }), false)
})

describe("over fetch", () => {
  suite(HttpTransport.layer({ ...byFetch, maxReplyBytes: limit }), true)
})

describe("in a batch", () => {
  suite(BatchTransport.layer({ maxReplyBytes: limit }), false)
})

describe("a reply that does not end", () => {
  for (const [what, transport] of [
    ["Node's client", HttpTransport.layer()],
    ["fetch", HttpTransport.layer(byFetch)],
  ] as const)
    it.effect(`and comes a byte at a time over ${what} ends with the time it was given`, () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make()
        const { network } = yield* serve(({ response }) => {
          response.write("{", () => begun.openUnsafe())
        })
        const fiber = yield* Effect.forkChild(Effect.flip(send(request({ network }))))
        yield* begun.await
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "Timeout")
      }).pipe(Effect.provide(transport)),
    )
})

describe("a reply that is too large", () => {
  it.live("is not asked for again, and costs its price", () =>
    Effect.gen(function* () {
      const { calls, network } = yield* serve(whole(1_000_000))
      yield* Effect.flip(send(request({ network })))
      assert.strictEqual(calls.length, 1)
      assert.strictEqual((yield* (yield* CreditLedger.CreditLedger).balance).spent, 80)
    }).pipe(
      Effect.provide(Retry.layer()),
      Effect.provide(CreditBudget.layer()),
      Effect.provide(HttpTransport.layer({ maxReplyBytes: limit })),
      Effect.provide(CreditLedger.layerMemory({ daily: 1_000 })),
    ),
  )
  for (const maxReplyBytes of [0, -1, 1.5, Number.NaN, Infinity, 1e10])
    for (const make of [HttpTransport.layer, BatchTransport.layer])
      it.effect(`has no limit of ${maxReplyBytes} bytes`, () =>
        Effect.gen(function* () {
          const { message } = yield* Effect.flip(Layer.build(make({ maxReplyBytes })))
          assert.match(
            message,
            /maxReplyBytes must be a whole number of bytes from 1 to 2000000000; .* default of 64 MiB/,
          )
        }).pipe(Effect.scoped),
      )
})

describe("over a WebSocket", () => {
  /** As a browser's: it hands over what comes, whatever was asked of it. */
  class Unlimited extends WebSocket {
    constructor(address: string) {
      super(address, { maxPayload: 0 })
    }
  }
  const overEach = (
    what: string,
    test: (
      transport: Layer.Layer<Transport, Options.InvalidOptions>,
      sockets: number,
    ) => Effect.Effect<void, Options.InvalidOptions | RpcError | RpcReply>,
  ) => {
    for (const [whose, webSocket, sockets] of [
      ["ws", WebSocket, 2],
      ["a browser", Unlimited, 1],
    ] as const)
      it.live(`of ${whose}, ${what}`, () =>
        test(WebSocketTransport.layer({ webSocket, maxReplyBytes: limit }), sockets),
      )
  }
  const long = (message: Message) => result("x".repeat(message.id === 2 ? 1_000_000 : 5_000))(message)

  overEach("a message that is too long fails its call, and the next call is answered", (transport, expectedSockets) =>
    Effect.gen(function* () {
      const { host, network, sockets } = yield* serveSockets(long)
      yield* send(request({ network }))
      const error = yield* Effect.flip(send(request({ network })))
      assert.strictEqual(error.message, tooLarge(host))
      assert.deepStrictEqual([error.reason._tag, error.outcome, error.retryable], ["ReplyTooLarge", "malformed", false])
      yield* send(request({ network }))
      assert.strictEqual(sockets.length, expectedSockets)
    }).pipe(Effect.scoped, Effect.provide(transport)),
  )
  overEach("a message that is too long in bytes that are text fails its call", (transport) =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets(({ id, socket }) => socket.send(replyOf(id, limit + 1), { binary: true }))
      const error = yield* Effect.flip(send(request({ network })))
      assert.strictEqual(error.reason._tag, "ReplyTooLarge")
    }).pipe(Effect.scoped, Effect.provide(transport)),
  )
  /** Where a server writes the id: before the result, after it, or where nobody looks. */
  const placements: Record<string, (id: number) => string> = {
    first: (id) => JSON.stringify({ jsonrpc: "2.0", id, result: "x".repeat(limit) }),
    last: (id) => JSON.stringify({ result: "x".repeat(limit), id, jsonrpc: "2.0" }),
    between: (id) => JSON.stringify({ result: "x".repeat(limit), id, more: { id: 1, text: "y".repeat(limit) } }),
  }
  /** Three calls at once, of which the second has a reply that is too long. The others are answered after it. */
  const threeCalls = (
    transport: Layer.Layer<Transport, Options.InvalidOptions>,
    longText: (id: number) => string,
    binary = false,
  ) =>
    Effect.gen(function* () {
      const arrived: Array<Message> = []
      const server = yield* serveSockets((message) => {
        arrived.push(message)
        if (arrived.length !== 3) return
        const [first, second, third] = arrived
        if (second !== undefined) second.socket.send(Buffer.from(longText(second.id)), { binary })
        for (const other of [first, third]) if (other !== undefined) result("short")(other)
      })
      const call = Effect.match(send(request({ network: server.network })), {
        onSuccess: () => "answered",
        onFailure: ({ outcome, reason }) => `${reason._tag}, ${outcome}`,
      })
      const ends = yield* Effect.all([call, call, call], { concurrency: "unbounded" })
      return { ends, sockets: server.sockets.length }
    }).pipe(Effect.scoped, Effect.provide(transport))

  const checkThree = (
    whose: string,
    webSocket: WebSocketTransport.WebSocketConstructor,
    placement: string,
    expected: ReadonlyArray<string>,
  ) => {
    for (const binary of [false, true])
      it.live(
        `of ${whose}, one of three calls has too long a ${binary ? "binary " : ""}reply with its id ${placement}`,
        () =>
          Effect.gen(function* () {
            const transport = WebSocketTransport.layer({ webSocket, maxReplyBytes: limit })
            const { ends, sockets } = yield* threeCalls(transport, placements[placement] ?? String, binary)
            assert.deepStrictEqual([ends, sockets], [expected, 1])
          }),
      )
  }
  const onlyIt = ["answered", "ReplyTooLarge, malformed", "answered"]
  const asLost = ["Transport, timeout", "Transport, timeout", "Transport, timeout"]
  checkThree("a browser", Unlimited, "first", onlyIt)
  checkThree("a browser", Unlimited, "last", onlyIt)
  checkThree("a browser", Unlimited, "between", asLost)
  checkThree("ws", WebSocket, "first", asLost)
  checkThree("ws", WebSocket, "last", asLost)

  const wide = 4 * limit
  const tooLong = result("x".repeat(2 * wide))
  /** More frames than `ws` puts together, with hardly anything in them. */
  const inPieces = (message: Message) => {
    for (let piece = 0; piece < 20_000; piece++) message.socket.send(" ", { fin: false })
    message.socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: "late" }))
  }
  for (const [whose, webSocket, what, answer, tag] of [
    ["ws", WebSocket, "too long", tooLong, "ReplyTooLarge"],
    ["ws", WebSocket, "in too many pieces", inPieces, "Malformed"],
    ["a browser", Unlimited, "too long", tooLong, "ReplyTooLarge"],
  ] as const)
    it.live(`of ${whose}, calls that are tried again fail only where their own reply is ${what}`, () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (areWrong) =>
            Effect.gen(function* () {
              const { messages, network } = yield* serveSockets((message) => {
                const [which] = message.params as ReadonlyArray<string>
                if (areWrong[Number(which)] === true) answer(message)
                else result("short")(message)
              })
              const ends = yield* Effect.forEach(
                areWrong,
                (_, which) =>
                  Effect.match(send(request({ network, params: [String(which)] })), {
                    onSuccess: () => "answered",
                    onFailure: ({ reason }) => reason._tag,
                  }),
                { concurrency: "unbounded" },
              )
              assert.deepStrictEqual(
                ends,
                areWrong.map((isWrong) => (isWrong ? tag : "answered")),
              )
              const { reserved, spent } = yield* (yield* CreditLedger.CreditLedger).balance
              // What a server has read it may have charged.
              assert.isAtLeast(spent, 80 * messages.length)
              assert.isAtMost(spent, 80 * 2 * areWrong.length)
              assert.strictEqual(reserved, 0)
            }).pipe(
              Effect.scoped,
              Effect.provide(Retry.layer({ base: 0 })),
              Effect.provide(CreditBudget.layer()),
              Effect.provide(WebSocketTransport.layer({ webSocket, maxReplyBytes: wide, reconnectBase: 0 })),
              Effect.provide(CreditLedger.layerMemory({ daily: 100_000 })),
              Effect.runPromise,
            ),
          ),
          { numRuns: answer === inPieces ? (isDeep ? 5 : 2) : runs(30) },
        ),
      ),
    )

  it.live("a long reply to a call that was given up is not taken for the reply to another", () =>
    Effect.gen(function* () {
      const arrived: Array<Message> = []
      const [one, both] = [yield* Latch.make(), yield* Latch.make()]
      const { network } = yield* serveSockets((message) => {
        arrived.push(message)
        if (arrived.length === 1) one.openUnsafe()
        if (arrived.length === 2) both.openUnsafe()
      })
      const givenUp = yield* Effect.forkChild(send(request({ network })))
      yield* one.await
      yield* Fiber.interrupt(givenUp)
      const other = yield* Effect.forkChild(Effect.flip(send(request({ network }))))
      yield* both.await
      const [late] = arrived
      if (late !== undefined) result("x".repeat(limit))(late)
      const { outcome, reason } = yield* Fiber.join(other)
      assert.deepStrictEqual([reason._tag, outcome, reason.retryable], ["Transport", "timeout", true])
    }).pipe(Effect.provide(WebSocketTransport.layer({ webSocket: WebSocket, maxReplyBytes: limit }))),
  )
  overEach("a message of as many bytes as the limit is read", (transport) =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets(({ id, socket }) => socket.send(replyOf(id, limit).toString()))
      yield* send(request({ network }))
    }).pipe(Effect.scoped, Effect.provide(transport)),
  )
})

describe("a server that sends long messages faster than they are read", () => {
  const news = JSON.stringify({ jsonrpc: "2.0", method: "news", params: Array.from({ length: 700_000 }, () => "news") })
  const check = (what: string, webSocket: WebSocketTransport.WebSocketConstructor, binary: boolean) =>
    it.live(`has to wait, and its replies are read in the end, where ${what}`, () =>
      Effect.gen(function* () {
        const { network } = yield* serveSockets((message) => {
          for (let count = 0; count < (isDeep ? 20 : 5); count++) message.socket.send(Buffer.from(news), { binary })
          result("at last")(message)
        })
        const reply = yield* send(request({ network })).pipe(
          Effect.provide(WebSocketTransport.layer({ webSocket, maxReplyBytes: 2 * news.length })),
        )
        assert.strictEqual(reply.result, "at last")
      }),
    )
  const paused: Array<boolean> = []
  class Watched extends WebSocket {
    override pause() {
      paused.push(true)
      super.pause()
    }
    override resume() {
      super.resume()
      paused.push(false)
    }
  }
  check("they are text", Watched, false)
  check("they are bytes", Watched, true)
  it("was paused meanwhile, and then no more", () =>
    assert.deepStrictEqual([paused.includes(true), paused.at(-1)], [true, false]))
})

describe("the reason", () => {
  it("says what to do, to users of the command and to those of the packages", () =>
    assert.strictEqual(
      new RpcReason.ReplyTooLarge({ said: "", limit }).advice,
      "Narrow the query, such as its range of blocks, or raise the limit: limits.replyBytes in rpc.config.json, or maxReplyBytes of a transport.",
    ))
})
