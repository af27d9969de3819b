import { createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { defineNetwork, type Network, type Price, type RpcReason } from "@dotrpc/spec"
import { BatchTransport, HttpTransport } from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { byFetch } from "./server.ts"

/** A server that speaks bytes, so that it can break the rules. Its handler gets each connection once a request is there. */
const serveBytes = (answer: (socket: Socket, asked: string) => void): Effect.Effect<Network, never, Scope.Scope> =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket)
      socket.on("close", () => open.delete(socket))
      // A client that hangs up in the middle is part of the game.
      socket.on("error", () => socket.destroy())
      socket.once("data", (data: Buffer) => answer(socket, String(data)))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of open) socket.destroy()
          server.close(() => resume(Effect.void))
        }),
    )
    const { port } = server.address() as AddressInfo
    return defineNetwork({ id: "local", plugin: "test", url: `http://127.0.0.1:${port}/v3/local` })
  })

const overHttp = Effect.provide(HttpTransport.layer())

const transports = {
  "Node's client": HttpTransport.layer(),
  fetch: HttpTransport.layer(byFetch),
  batch: BatchTransport.layer(),
}

const head = (length: number, status = "200 OK") =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

interface Expected {
  readonly reason: RpcReason.ReasonTag
  readonly outcome: Price.Outcome
  readonly said: RegExp
}

const check = (name: string, answer: (socket: Socket) => void, expected: Expected) =>
  describe(name, () => {
    for (const [over, transport] of Object.entries(transports))
      it.live(`over ${over}`, () =>
        Effect.gen(function* () {
          const network = yield* serveBytes(answer)
          const error = yield* Effect.flip(send(request({ network })))
          assert.deepStrictEqual([error.reason._tag, error.outcome], [expected.reason, expected.outcome])
          assert.match(error.message, expected.said)
          assert.notInclude(error.message, "/v3/")
        }).pipe(Effect.provide(transport)),
      )
  })

const truncated = '{"jsonrpc":"2.0","id":1,"result":"0x'

describe("a server that breaks the rules", () => {
  check("ends its half of the connection without a reply", (socket) => socket.end(), {
    reason: "Transport",
    outcome: "timeout",
    said: /closed before a reply/,
  })
  check("ends its half in the middle of the body", (socket) => socket.end(head(500) + truncated), {
    reason: "Transport",
    outcome: "malformed",
    said: /ended early/,
  })
  check("ends its half in the middle of the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-"), {
    reason: "Transport",
    outcome: "timeout",
    said: /closed before a reply/,
  })
  check("resets the connection", (socket) => socket.resetAndDestroy(), {
    reason: "Transport",
    outcome: "timeout",
    said: /closed before a reply/,
  })
  check("sends a whole body that is not whole JSON", (socket) => socket.end(head(truncated.length) + truncated), {
    reason: "Transport",
    outcome: "malformed",
    said: /not JSON/,
  })
  check(
    "sends a body in chunks and leaves out the last",
    (socket) => socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"jso\r\n`),
    {
      reason: "Transport",
      outcome: "malformed",
      said: /ended early/,
    },
  )
  check("sends nothing", (socket) => socket.end(head(0)), {
    reason: "Transport",
    outcome: "malformed",
    said: /not JSON: .*it is empty/,
  })
  check("does not speak HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), {
    reason: "Malformed",
    outcome: "malformed",
    said: /127\.0\.0\.1:\d+ did not answer with valid HTTP/,
  })
  const unreadable = (what: string, text: string, word: RegExp) =>
    check(`sends ${what}`, (socket) => socket.end(text), { reason: "Malformed", outcome: "malformed", said: word })
  unreadable(
    "a length that is not a number",
    "HTTP/1.1 200 OK\r\ncontent-length: 12x\r\n\r\nabc",
    /did not answer with valid HTTP/,
  )
  unreadable(
    "two lengths",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nabcdefgh",
    /did not answer with valid HTTP/,
  )
  unreadable(
    "a head that has no end",
    `HTTP/1.1 200 OK\r\nx: ${"a".repeat(40_000)}\r\n\r\n`,
    /HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW/,
  )
  unreadable("a head that breaks the grammar", "HTTP/1.1 200 OK\r\n\x01: x\r\n\r\n", /did not answer with valid HTTP/)
  unreadable("a status that is not one", head(0, "000 X"), /did not answer with valid HTTP/)
  check(
    "sends chunks of no length",
    (socket) => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
    { reason: "Transport", outcome: "malformed", said: /ended early/ },
  )
  check("sends an error page of another kind", (socket) => socket.end(`${head(13, "503 No")}<b>Sorry.</b>`), {
    reason: "Transport",
    outcome: "server-error",
    said: /HTTP 503: Sorry\./,
  })
})

it.effect("a body that comes too slowly is given up when the time is over, and its connection is closed", () =>
  Effect.gen(function* () {
    const begun = yield* Latch.make()
    const closed = yield* Latch.make()
    const network = yield* serveBytes((socket) => {
      socket.on("end", () => closed.openUnsafe())
      socket.write(head(1_000) + truncated, () => begun.openUnsafe())
    })
    const fiber = yield* Effect.forkChild(Effect.flip(send(request({ network }))))
    yield* begun.await
    yield* TestClock.adjust("30 seconds")
    const error = yield* Fiber.join(fiber)
    assert.deepStrictEqual([error.reason._tag, error.outcome], ["Timeout", "timeout"])
    yield* closed.await
  }).pipe(overHttp),
)

/** A reply to what was asked, as its text. */
const replyTo = (asked: string, result: string): string => {
  const reply = `{"jsonrpc":"2.0","id":${/"id":(\d+)/.exec(asked)?.[1]},"result":"${result}"}`
  return /\r\n\r\n\[/.test(asked) ? `[${reply}]` : reply
}

describe("a whole reply counts, whatever stands behind it", () => {
  for (const [over, transport] of Object.entries(transports))
    for (const length of [1, 6_000_000])
      it.live(`of ${length} characters, over ${over}`, () =>
        Effect.gen(function* () {
          const network = yield* serveBytes((socket, asked) => {
            const reply = replyTo(asked, "x".repeat(length))
            socket.write(`${head(reply.length)}${reply}and more that nobody asked for`)
          })
          const { result } = yield* send(request({ network }))
          assert.strictEqual(String(result).length, length)
        }).pipe(Effect.provide(transport)),
      )
})

it.live("a connection that a server closes after its reply without a word is not written to again", () =>
  Effect.gen(function* () {
    let answered = 0
    const network = yield* serveBytes((socket, asked) => {
      answered++
      const reply = replyTo(asked, "0x1")
      socket.end(`${head(reply.length)}${reply}`)
    })
    for (let call = 1; call <= 50; call++) {
      yield* send(request({ network }))
      assert.strictEqual(answered, call)
    }
  }).pipe(overHttp),
)

it.live(
  "a server that closes kept connections without a word loses one call, and then gets a connection for each",
  () =>
    Effect.gen(function* () {
      let connections = 0
      const server = createServer((socket) => {
        connections++
        let requests = 0
        socket.on("error", () => socket.destroy())
        socket.on("data", (data: Buffer) => {
          const reply = replyTo(String(data), "0x1")
          if (++requests === 1) socket.write(`${head(reply.length)}${reply}`)
          else socket.destroy()
        })
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close()),
      )
      const { port } = server.address() as AddressInfo
      const network = defineNetwork({ id: "local", plugin: "test", url: `http://127.0.0.1:${port}/` })
      const outcomes: Array<string> = []
      for (let call = 1; call <= 10; call++)
        outcomes.push(
          yield* Effect.match(send(request({ network })), {
            onSuccess: () => "ok",
            onFailure: ({ outcome }) => outcome,
          }),
        )
      assert.deepStrictEqual(outcomes, ["ok", "timeout", ...Array.from({ length: 8 }, () => "ok")])
      assert.strictEqual(connections, 9)
    }).pipe(overHttp),
)

it.live("a server that keeps connections without a word is asked over one of them", () =>
  Effect.gen(function* () {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.on("error", () => socket.destroy())
      socket.on("data", (data: Buffer) => {
        const reply = replyTo(String(data), "0x1")
        socket.write(`${head(reply.length)}${reply}`)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close()),
    )
    const { port } = server.address() as AddressInfo
    const network = defineNetwork({ id: "local", plugin: "test", url: `http://127.0.0.1:${port}/` })
    for (let call = 1; call <= 20; call++) yield* send(request({ network }))
    assert.strictEqual(connections, 1)
  }).pipe(overHttp),
)

describe("the words of content-encoding are read as fetch reads them", () => {
  const checkWord = (word: string) =>
    it.live(JSON.stringify(word), () =>
      Effect.gen(function* () {
        const network = yield* serveBytes((socket, asked) => {
          const reply = replyTo(asked, "0x1")
          socket.end(head(reply.length).replace("\r\n", `\r\ncontent-encoding: ${word}\r\n`) + reply)
        })
        assert.deepStrictEqual(yield* send(request({ network })), { result: "0x1" })
      }).pipe(overHttp),
    )
  for (const word of ["Identity", "", "utf-8", "none", "identity, Identity"]) checkWord(word)
})

it.live("a reply that is not packed as it says is not asked for again", () =>
  Effect.gen(function* () {
    const network = yield* serveBytes((socket, asked) => {
      const reply = replyTo(asked, "0x1")
      socket.end(head(reply.length).replace("\r\n", "\r\ncontent-encoding: gzip\r\n") + reply)
    })
    const error = yield* Effect.flip(send(request({ network })))
    assert.deepStrictEqual([error.reason._tag, error.outcome, error.retryable], ["Malformed", "malformed", false])
  }).pipe(overHttp),
)
