/** Long messages of a WebSocket, whole and in several frames. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { WebSocket } from "ws"
import { WebSocketTransport } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { type Message, result, serveSockets } from "./socketServer.ts"

const over = (options: WebSocketTransport.Options = {}) =>
  Effect.provide(WebSocketTransport.layer({ webSocket: WebSocket, reconnectBase: 0, ...options }))

const end = (call: ReturnType<typeof send>) =>
  Effect.match(call, {
    onSuccess: ({ result }) => (typeof result === "string" ? `${result.length}` : "answered"),
    onFailure: ({ outcome, reason }) => `${reason._tag}, ${outcome}`,
  })

const long = 5_000_000

/** Both halves of a long reply. */
const begin = ({ id, socket }: Message, then?: () => void) =>
  socket.send(`{"jsonrpc":"2.0","id":${id},"result":"${"x".repeat(long / 2)}`, { fin: false }, then)
const finish = ({ socket }: Message) => socket.send(`${"x".repeat(long / 2)}"}`)

/** Answers calls by what they ask for. */
const byParam = (answers: Readonly<Record<string, (message: Message) => void>>) => (message: Message) => {
  const [which = ""] = message.params as ReadonlyArray<string>
  const answer = answers[which] ?? result("short")
  answer(message)
}

describe("a long reply", () => {
  const ways: Readonly<Record<string, (message: Message) => void>> = {
    "in one frame": ({ id, socket }) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "x".repeat(long) })),
    "in two": (message) => {
      begin(message)
      finish(message)
    },
    "in two, with a ping between them": (message) => {
      begin(message)
      message.socket.ping()
      finish(message)
    },
    "in frames that are empty": ({ id, socket }) => {
      for (let at = 0; at < 10; at++) socket.send("", { fin: false })
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "x".repeat(long) }), { fin: false })
      socket.send("")
    },
  }
  for (const [way, answer] of Object.entries(ways))
    it.live(`is read ${way}, and short ones before and after it`, () =>
      Effect.gen(function* () {
        const { network, sockets } = yield* serveSockets(byParam({ long: answer }))
        const call = (which: string) => end(send(request({ network, params: [which] })))
        for (const _ of ["first", "second"]) {
          const ends = yield* Effect.all([call("a"), call("long"), call("b")], { concurrency: "unbounded" })
          assert.deepStrictEqual([ends, sockets.length], [["5", `${long}`, "5"], 1])
        }
      }).pipe(over()),
    )
})

describe("a long reply that breaks off", () => {
  const check = (name: string, then: (message: Message) => void) =>
    it.live(`because ${name} fails every call in flight, and the next one opens another socket`, () =>
      Effect.gen(function* () {
        const { network, sockets } = yield* serveSockets(
          byParam({ long: (message) => begin(message, () => then(message)), wait: () => {} }),
        )
        const call = (which: string) => end(send(request({ network, params: [which] })))
        const ends = yield* Effect.all([call("wait"), call("long")], { concurrency: "unbounded" })
        const next = yield* call("short")
        assert.deepStrictEqual([ends, next, sockets.length], [["Transport, timeout", "Transport, timeout"], "5", 2])
      }).pipe(over()),
    )
  check("the server hangs up", ({ socket }) => socket.terminate())
  check("the server says goodbye", ({ socket }) => socket.close(1001))
  check("a message begins within it", ({ socket }) => {
    const sender = Reflect.get(socket, "_sender") as { readonly _firstFragment: boolean }
    Reflect.set(sender, "_firstFragment", true)
    socket.send("another")
  })
})

describe("a server that stops in the middle of a long reply", () => {
  const stopping = () =>
    Effect.gen(function* () {
      const [begun, waiting] = [yield* Latch.make(), yield* Latch.make()]
      const messages: Array<Message> = []
      const server = yield* serveSockets(
        byParam({
          long: (message) => {
            messages.push(message)
            begin(message, () => void begun.openUnsafe())
          },
          wait: () => void waiting.openUnsafe(),
        }),
        { pongs: false },
      )
      const call = (which: string) => end(send(request({ network: server.network, params: [which] })))
      return { begun, call, finish: () => messages.forEach(finish), sockets: server.sockets, waiting }
    })

  it.effect("is given up when it answers no ping", () =>
    Effect.gen(function* () {
      const { begun, call } = yield* stopping()
      const fiber = yield* Effect.forkChild(call("long"))
      yield* begun.await
      while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "Transport, timeout")
    }).pipe(over({ timeout: "1 day", heartbeat: "30 seconds" })),
  )
  it.effect("is given up when a later call times out, and the one after that opens another socket", () =>
    Effect.gen(function* () {
      const { begun, call, sockets, waiting } = yield* stopping()
      const first = yield* Effect.forkChild(call("long"))
      yield* begun.await
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(first), "Timeout, timeout")
      // The first of these may begin before the last byte is read.
      for (let later = 0; later < 3 && sockets.length === 1; later++) {
        waiting.closeUnsafe()
        const fiber = yield* Effect.forkChild(call("wait"))
        yield* waiting.await
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* Fiber.join(fiber), "Timeout, timeout")
      }
      assert.strictEqual(yield* call("short"), "5")
    }).pipe(over({ timeout: "30 seconds", heartbeat: "1 day" })),
  )
  it.live("and goes on when nobody wants it any more keeps its socket", () =>
    Effect.gen(function* () {
      const { begun, call, finish, sockets } = yield* stopping()
      const first = yield* Effect.forkChild(call("long"))
      yield* begun.await
      yield* Fiber.interrupt(first)
      finish()
      assert.strictEqual(yield* call("b"), "5")
      assert.strictEqual(sockets.length, 1)
    }).pipe(over()),
  )
})
