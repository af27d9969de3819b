import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { WebSocket } from "ws"
import { CallObserver, RequestTimeout, Retry, WebSocketTransport } from "../src/index.ts"
import { method, request, send } from "./scripted.ts"
import { hangUp, type Message, result, serveSockets } from "./socketServer.ts"

const over = (options: WebSocketTransport.Options = {}) =>
  Effect.provide(WebSocketTransport.layer({ webSocket: WebSocket, reconnectBase: "1 milli", ...options }))

/** Says how each of several calls was answered. */
const echo = (message: Message) => result(message.params)(message)

describe("calls over a WebSocket", () => {
  it.live("are messages of JSON-RPC, answered by id in any order, on one socket", () =>
    Effect.gen(function* () {
      const held: Array<Message> = []
      const { messages, network, sockets } = yield* serveSockets((message) => {
        held.push(message)
        if (held.length === 20) for (const each of held.toReversed()) echo(each)
      })
      const renamed = { ...network, methodWord: "starknet" }
      const calls = Array.from({ length: 20 }, (_, index) =>
        send(request({ network: renamed, method: method({ name: "l2_get", word: "l2" }), params: [String(index)] })),
      )
      const replies = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        replies.map((reply) => reply.result),
        calls.map((_, index) => [String(index)]),
      )
      assert.strictEqual(sockets.length, 1)
      assert.strictEqual(new Set(messages.map(({ id }) => id)).size, 20)
      assert.deepStrictEqual([...new Set(messages.map((message) => message.method))], ["starknet_get"])
    }).pipe(over()),
  )

  it.live("go over the runtime's own WebSocket when none is given", () =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets(echo)
      assert.deepStrictEqual(yield* send(request({ network })), { result: ["key"] })
    }).pipe(Effect.provide(WebSocketTransport.layer())),
  )

  it.live("keep every digit both ways", () =>
    Effect.gen(function* () {
      const { messages, network } = yield* serveSockets(({ id, socket }) =>
        socket.send(`{"jsonrpc":"2.0","id":${id},"result":{"lamports":18446744073709551615}}`),
      )
      const reply = yield* send(request({ network, params: [9007199254740993n] }))
      assert.deepStrictEqual(reply, { result: { lamports: 18446744073709551615n } })
      assert.strictEqual(messages.length, 1)
    }).pipe(over()),
  )

  it.live("open a socket for each address", () =>
    Effect.gen(function* () {
      const first = yield* serveSockets(result("first"))
      const second = yield* serveSockets(result("second"))
      const replies = yield* Effect.all([first, second, first].map(({ network }) => send(request({ network }))))
      assert.deepStrictEqual(
        replies.map((reply) => reply.result),
        ["first", "second", "first"],
      )
      assert.deepStrictEqual([first.sockets.length, second.sockets.length], [1, 1])
    }).pipe(over()),
  )

  it.live("wait for their turn when too many are in flight", () =>
    Effect.gen(function* () {
      let inFlight = 0
      let most = 0
      const { network } = yield* serveSockets((message) => {
        most = Math.max(most, ++inFlight)
        setImmediate(() => {
          inFlight--
          echo(message)
        })
      })
      const calls = Array.from({ length: 20 }, () => send(request({ network })))
      yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.isAtMost(most, 3)
    }).pipe(over({ inFlight: 3 })),
  )

  it.live("wait while what was sent before has not left", () =>
    Effect.gen(function* () {
      const { network } = yield* serveSockets((message) => result(String(message.params).length)(message))
      let most = 0
      class Watched extends WebSocket {
        override send(data: string) {
          most = Math.max(most, this.bufferedAmount)
          super.send(data)
        }
      }
      const large = "x".repeat(4_000_000)
      const calls = Array.from({ length: 5 }, () => send(request({ network, params: [large] })))
      const replies = yield* Effect.all(calls, { concurrency: "unbounded" }).pipe(
        over({ webSocket: Watched, buffered: 0 }),
      )
      assert.deepStrictEqual(
        replies.map((reply) => reply.result),
        calls.map(() => large.length),
      )
      assert.strictEqual(most, 0)
    }),
  )
})

describe("a socket that was lost", () => {
  it.live("fails the calls on it and is opened again for the next", () =>
    Effect.gen(function* () {
      const { network, sockets } = yield* serveSockets((message) =>
        sockets.length === 1 ? hangUp(message) : echo(message),
      )
      const lost = yield* Effect.all(
        [1, 2, 3].map(() => Effect.flip(send(request({ network })))),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(
        lost.map(({ outcome }) => outcome),
        ["timeout", "timeout", "timeout"],
      )
      assert.deepStrictEqual(yield* send(request({ network })), { result: ["key"] })
      assert.strictEqual(sockets.length, 2)
    }).pipe(over()),
  )

  it.live("has its calls sent again by Retry, and only those that are idempotent", () =>
    Effect.gen(function* () {
      const { messages, network, sockets } = yield* serveSockets((message) =>
        sockets.length === 1 ? hangUp(message) : echo(message),
      )
      const calls = [true, false].map((idempotent) =>
        Effect.exit(send(request({ network, method: method({ idempotent, name: `test_${idempotent}` }) }))),
      )
      const exits = yield* Effect.all(calls, { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false])
      assert.deepStrictEqual(
        messages.map((message) => message.method).toSorted(),
        // Either may have been cut off before the server read it.
        messages.length === 3 ? ["test_false", "test_true", "test_true"] : ["test_true", "test_true"],
      )
    }).pipe(
      Effect.provide(
        Retry.layer({ base: "1 milli" }).pipe(
          Layer.provide(WebSocketTransport.layer({ webSocket: WebSocket, reconnectBase: "1 milli" })),
        ),
      ),
    ),
  )

  it.live("is opened again after a wait, which is reported", () =>
    Effect.gen(function* () {
      const waits: Array<string> = []
      const observer = { onAttempt: () => {}, onWait: (_: number, why: string) => void waits.push(why) }
      const { network } = yield* Effect.scoped(serveSockets(() => {}))
      const call = Effect.provideService(Effect.exit(send(request({ network }))), CallObserver, observer)
      yield* call
      assert.deepStrictEqual(waits, [])
      yield* call
      assert.deepStrictEqual(waits, ["waiting to open the socket again"])
    }).pipe(over({ reconnectBase: "500 millis" })),
  )
})

describe("a call that is not waited for any more", () => {
  it.live("leaves its socket and the other calls alone", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const held: Array<Message> = []
      const { network, sockets } = yield* serveSockets((message) => {
        held.push(message)
        if (held.length === 2) arrived.openUnsafe()
      })
      const fibers = yield* Effect.forEach([0, 1], () => Effect.forkChild(send(request({ network }))))
      yield* arrived.await
      const [first, second] = fibers
      if (first !== undefined) yield* Fiber.interrupt(first)
      for (const message of held) echo(message)
      assert.deepStrictEqual(second === undefined ? undefined : yield* Fiber.join(second), { result: ["key"] })
      assert.strictEqual(sockets.length, 1)
    }).pipe(over()),
  )

  it.effect("times out, and a socket on which nothing came meanwhile is given up", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network, sockets } = yield* serveSockets((message) =>
        sockets.length === 1 ? arrived.openUnsafe() : echo(message),
      )
      const fiber = yield* Effect.forkChild(Effect.flip(send(request({ network }))))
      yield* arrived.await
      yield* TestClock.adjust("30 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.message, "test_get on local: no reply within 30000 ms")
      assert.strictEqual(error.outcome, "timeout")
      assert.deepStrictEqual(yield* send(request({ network })), { result: ["key"] })
      assert.strictEqual(sockets.length, 2)
    }).pipe(over({ reconnectBase: 0 })),
  )

  it.effect("times out and keeps a socket on which another reply came", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network, sockets } = yield* serveSockets((message) =>
        message.method === "test_slow" ? arrived.openUnsafe() : echo(message),
      )
      const slow = send(request({ network, method: method({ name: "test_slow" }) }))
      const fiber = yield* Effect.forkChild(Effect.flip(Effect.provideService(slow, RequestTimeout, "2 minutes")))
      yield* arrived.await
      yield* send(request({ network }))
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "Timeout")
      yield* send(request({ network }))
      assert.strictEqual(sockets.length, 1)
    }).pipe(over({ heartbeat: "1 hour" })),
  )
})

describe("a socket is closed", () => {
  const closeOf = (socket: WebSocket | undefined) =>
    Effect.callback<number>((resume) => void socket?.once("close", (code) => resume(Effect.succeed(code))))

  it.effect("when it has been idle, and opened again when it is needed", () =>
    Effect.gen(function* () {
      const { network, sockets } = yield* serveSockets(echo)
      yield* send(request({ network }))
      const closed = yield* Effect.forkChild(closeOf(sockets[0]))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(sockets[0]?.readyState, WebSocket.OPEN)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(closed), 1000)
      yield* send(request({ network }))
      assert.strictEqual(sockets.length, 2)
    }).pipe(over()),
  )

  it.effect("but not while a reply is waited for: then it is pinged", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const pinged = yield* Latch.make()
      const { network, sockets } = yield* serveSockets(({ socket }) => {
        socket.once("ping", () => pinged.openUnsafe())
        arrived.openUnsafe()
      })
      const slow = Effect.provideService(send(request({ network })), RequestTimeout, "1 hour")
      const fiber = yield* Effect.forkChild(Effect.exit(slow))
      yield* arrived.await
      yield* TestClock.adjust("30 seconds")
      yield* pinged.await
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(sockets[0]?.readyState, WebSocket.OPEN)
      yield* Fiber.interrupt(fiber)
    }).pipe(over()),
  )

  /** Answers each ping so, and waits until the client has seen it: the client answers a ping after what came before. */
  const checkPing = (name: string, answer: (socket: WebSocket, ping: Buffer) => void, isKept: boolean) =>
    it.effect(`${isKept ? "but not" : "and its calls fail"} when its server answers a ping ${name}`, () =>
      Effect.gen(function* () {
        const arrived = yield* Latch.make()
        const seen = yield* Latch.make()
        const { host, network, sockets } = yield* serveSockets(
          ({ socket }) => {
            socket.on("pong", () => seen.openUnsafe())
            socket.on("ping", (ping: Buffer) => {
              answer(socket, ping)
              socket.ping()
            })
            arrived.openUnsafe()
          },
          { pongs: false },
        )
        const slow = Effect.provideService(send(request({ network })), RequestTimeout, "1 hour")
        const fiber = yield* Effect.forkChild(Effect.flip(slow))
        yield* arrived.await
        yield* seen.await
        yield* seen.close
        yield* TestClock.adjust("30 seconds")
        if (isKept) {
          yield* seen.await
          yield* TestClock.adjust("29 seconds")
          assert.strictEqual(sockets[0]?.readyState, WebSocket.OPEN)
          return yield* Fiber.interrupt(fiber)
        }
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(
          error.message,
          `test_get on local: the socket was closed because the server did not answer a ping (${host})`,
        )
        assert.deepStrictEqual([error.outcome, error.retryable], ["timeout", true])
      }).pipe(over()),
    )
  checkPing("as it should", (socket, ping) => socket.pong(ping), true)
  checkPing("with other bytes", (socket) => socket.pong("other"), false)
  checkPing("with nothing", () => {}, false)
  checkPing("with a message", (socket) => socket.send('{"jsonrpc":"2.0","method":"news"}'), true)

  it.live("when the layer ends, with the calls on it", () =>
    Effect.gen(function* () {
      const arrived = yield* Latch.make()
      const { network, sockets } = yield* serveSockets(() => arrived.openUnsafe())
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(WebSocketTransport.layer({ webSocket: WebSocket }), scope)
      const fiber = yield* Effect.forkChild(Effect.flip(Effect.provide(send(request({ network })), context)))
      yield* arrived.await
      const closed = yield* Effect.forkChild(closeOf(sockets[0]))
      yield* Scope.close(scope, Exit.void)
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.message, "test_get on local: the client is being closed")
      assert.strictEqual(error.outcome, "timeout")
      assert.strictEqual(yield* Fiber.join(closed), 1000)
      const late = yield* Effect.flip(Effect.provide(send(request({ network })), context))
      assert.deepStrictEqual([late.reason._tag, late.outcome], ["Transport", "unsent"])
    }),
  )
})
