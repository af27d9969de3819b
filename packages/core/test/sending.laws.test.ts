/**
 * Law: whatever happens to a call, and whenever, the ledger counts no less than the server charges, and nothing where no byte
 * of the call has left. Over each transport, against real servers.
 */
import type { AddressInfo } from "node:net"
import { Agent } from "node:http"
import { Agent as SecureAgent } from "node:https"
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, type Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { type Options, defineNetwork, type Network, type Transport } from "@dotrpc/spec"
import { Agent as Dispatcher } from "undici"
import { WebSocket } from "ws"
import {
  BatchTransport,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  RequestTimeout,
  WebSocketTransport,
} from "../src/index.ts"
import { request, send } from "./scripted.ts"
import { byFetch } from "./server.ts"
import { type Message, serveSockets } from "./socketServer.ts"

const price = 80

interface Server {
  readonly port: number
  /** Calls that came whole: each of them is charged. */
  readonly calls: () => number
  readonly connections: () => number
}

interface Handlers {
  /** Some bytes came. */
  readonly onBytes?: ((socket: Socket) => void) | undefined
  /** A request came whole, with calls of these ids. */
  readonly onRequest?: ((socket: Socket, ids: ReadonlyArray<number>) => void) | undefined
}

/** A server that speaks bytes and counts calls, until the scope ends. */
const serveBytes = ({ onBytes, onRequest }: Handlers): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const open = new Set<Socket>()
    let calls = 0
    let connections = 0
    const server = createServer((socket) => {
      connections++
      open.add(socket)
      let received = ""
      socket.on("close", () => open.delete(socket))
      socket.on("error", () => socket.destroy())
      socket.on("data", (bytes: Buffer) => {
        received += bytes.toString("latin1")
        onBytes?.(socket)
        const body = bodyIn(received)
        if (body === undefined) return
        received = ""
        const sent = JSON.parse(body) as Call | ReadonlyArray<Call>
        const ids = (Array.isArray(sent) ? sent : [sent]).map(({ id }: Call) => id)
        calls += ids.length
        onRequest?.(socket, ids)
      })
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
    return { port, calls: () => calls, connections: () => connections }
  })

interface Call {
  readonly id: number
}

/** The body of a request that is whole. */
const bodyIn = (text: string): string | undefined => {
  const end = text.indexOf("\r\n\r\n")
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  if (end < 0 || length === undefined || text.length < end + 4 + Number(length)) return undefined
  return text.slice(end + 4)
}

const networkAt = (url: string): Network => defineNetwork({ id: "local", plugin: "test", url })

/** Opens connections as it is asked to. */
type Connect = (options: NetConnectOpts, done: (error: Error | null, socket: Socket) => void) => Socket | undefined

/** The transports over HTTP, with the calls that each sends in one request. */
const transports: Readonly<
  Record<
    string,
    { readonly calls: number; readonly layer: (connect?: Connect) => Layer.Layer<Transport, Options.InvalidOptions> }
  >
> = {
  "Node's client": { calls: 1, layer: (connect) => HttpTransport.layer({ agents: agentsOver(connect) }) },
  batch: { calls: 3, layer: (connect) => BatchTransport.layer({ surcharge: 0, agents: agentsOver(connect) }) },
}

class ConnectingAgent extends Agent {
  readonly #connect: Connect

  constructor(connect: Connect) {
    super({ keepAlive: true })
    this.#connect = connect
  }

  override createConnection: Agent["createConnection"] = (options, done) =>
    this.#connect(options as NetConnectOpts, done as Parameters<Connect>[1])
}

const agentsOver = (connect: Connect | undefined): HttpTransport.Agents | undefined =>
  connect === undefined ? undefined : { http: new ConnectingAgent(connect), https: new SecureAgent() }

const spent = Effect.map(
  Effect.flatMap(CreditLedger.CreditLedger, ({ balance }) => Effect.orDie(balance)),
  ({ reserved, spent }) => {
    assert.strictEqual(reserved, 0)
    return spent
  },
)

const metered = (transport: Layer.Layer<Transport, Options.InvalidOptions>) =>
  [
    Effect.provide(CreditBudget.layer()),
    Effect.provide(transport),
    Effect.provide(CreditLedger.layerMemory({ daily: 1_000_000 })),
  ] as const

type During = "waits for the reply" | "is interrupted" | "times out"

/** Sends calls, and once `begun` opens ends them as it says. */
const run = (network: Network, calls: number, during: During, begun: Latch.Latch) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: calls }, () => Effect.exit(send(request({ network })))),
        { concurrency: "unbounded" },
      ),
      { startImmediately: true },
    )
    if (during !== "waits for the reply") yield* begun.await
    if (during === "is interrupted") yield* Fiber.interrupt(fiber)
    else if (during === "times out") {
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(fiber)
    } else yield* Fiber.join(fiber)
    return yield* spent
  })

/** Only what times out needs a clock of its own. */
const testOf = (during: During) => (during === "times out" ? it.effect : it.live)

interface Case {
  readonly during?: During | undefined
  /** The moment at which the call ends, where it is not the server that ends it. */
  readonly handlers: (reached: () => void) => Handlers
  readonly url?: ((port: number) => string) | undefined
  readonly leaves: boolean
}

const check = (name: string, { during = "waits for the reply", handlers, leaves, url }: Case) =>
  describe(`${name}, and the call ${during}`, () => {
    for (const [over, { calls, layer }] of Object.entries(transports))
      testOf(during)(`over ${over}`, () =>
        Effect.gen(function* () {
          const begun = yield* Latch.make()
          const server = yield* serveBytes(handlers(() => void begun.openUnsafe()))
          const network = networkAt(url?.(server.port) ?? `http://127.0.0.1:${server.port}/v3/local`)
          const [budget, transport, ledger] = metered(layer())
          const booked = yield* run(network, calls, during, begun).pipe(budget, transport, ledger)
          assert.isAtMost(server.calls() * price, booked)
          assert.strictEqual(booked, leaves ? calls * price : 0)
        }),
      )
    testOf(during)("over a fetch that says nothing: never too little", () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make()
        const server = yield* serveBytes(handlers(() => void begun.openUnsafe()))
        const network = networkAt(url?.(server.port) ?? `http://127.0.0.1:${server.port}/v3/local`)
        const [budget, transport, ledger] = metered(HttpTransport.layer(byFetch))
        const booked = yield* run(network, 1, during, begun).pipe(budget, transport, ledger)
        assert.isAtMost(server.calls() * price, booked)
        assert.isAtMost(booked, price)
      }),
    )
  })

const nobody = { handlers: () => ({}), leaves: false }
const overTls = (port: number) => `https://127.0.0.1:${port}/v3/local`

describe("what never leaves costs nothing", () => {
  check("nobody listens", { ...nobody, url: () => "http://127.0.0.1:9/v3/local" })
  check("the host does not exist", { ...nobody, url: () => "http://nothing.invalid/v3/local" })
  const silent = (reached: () => void): Handlers => ({ onBytes: reached })
  const unanswered = { handlers: silent, url: overTls, leaves: false }
  check("the server leaves a greeting by TLS unanswered", { ...unanswered, during: "is interrupted" })
  check("the server leaves a greeting by TLS unanswered", { ...unanswered, during: "times out" })
  const instead = (name: string, onBytes: (socket: Socket) => void) =>
    check(`the server ${name} when it is greeted by TLS`, {
      handlers: () => ({ onBytes }),
      url: overTls,
      leaves: false,
    })
  instead("resets the connection", (socket) => socket.resetAndDestroy())
  instead("hangs up", (socket) => socket.end())
  instead("speaks HTTP", (socket) => socket.end("HTTP/1.1 400 No\r\n\r\n"))
})

const head = (length: number, more = "") => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n${more}\r\n`

describe("what the server has read counts in full", () => {
  const answered = (name: string, onRequest: NonNullable<Handlers["onRequest"]>) =>
    check(`the server ${name}`, { handlers: () => ({ onRequest }), leaves: true })
  const whole = (reached: () => void): Handlers => ({ onRequest: reached })
  check("the server stays silent", { handlers: whole, leaves: true, during: "is interrupted" })
  check("the server stays silent", { handlers: whole, leaves: true, during: "times out" })
  answered("resets the connection", (socket) => socket.resetAndDestroy())
  answered("hangs up", (socket) => socket.end())
  answered("hangs up in the middle of the head", (socket) => socket.end("HTTP/1.1 200 OK\r\ncont"))
  answered("resets the connection after the head", (socket) => socket.write(head(100), () => socket.resetAndDestroy()))
  answered("hangs up in the middle of the body", (socket) => socket.end(`${head(100)}{"id":1,"resu`))
  answered("does not speak HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"))
  answered("sends chunks that break the rules", (socket) =>
    socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n"),
  )
  answered("sends what only pretends to be packed", (socket) =>
    socket.end(`${head(4, "content-encoding: gzip\r\n")}abcd`),
  )
  answered("packs its reply in six ways", (socket) =>
    socket.end(`${head(4, "content-encoding: gzip, br, deflate, gzip, br, gzip\r\n")}abcd`),
  )
  answered("sends half of what it packed", (socket) => {
    const packed = gzipSync('{"id":1,"result":"0x1"}').subarray(0, 15)
    socket.write(head(packed.length, "content-encoding: gzip\r\n"))
    socket.end(packed)
  })
  answered("sends a body with more bytes than it said", (socket) => socket.end(`${head(2)}{}{}{}`))
})

describe("a connection that was open and breaks", () => {
  const checkError = (code: string) => {
    for (const [over, { calls, layer }] of Object.entries(transports))
      it.live(`with ${code}, over ${over}`, () =>
        Effect.gen(function* () {
          const own: Array<Socket> = []
          const connector: Connect = (options) => {
            const socket = connect(options)
            own.push(socket)
            return socket
          }
          const broken = Object.assign(new Error(`read ${code}`), { code, syscall: "read" })
          const server = yield* serveBytes({ onRequest: () => own.forEach((socket) => socket.destroy(broken)) })
          const [budget, transport, ledger] = metered(layer(connector))
          const network = networkAt(`http://127.0.0.1:${server.port}/`)
          const booked = yield* run(network, calls, "waits for the reply", Latch.makeUnsafe()).pipe(
            budget,
            transport,
            ledger,
          )
          assert.deepStrictEqual([server.calls(), booked], [calls, calls * price])
        }),
      )
  }
  for (const code of ["ETIMEDOUT", "ECONNRESET", "EPIPE", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"]) checkError(code)
})

const resultFor = (ids: ReadonlyArray<number>): string => {
  const body = JSON.stringify(ids.map((id) => ({ jsonrpc: "2.0", id, result: "0x1" })))
  const text = ids.length === 1 ? body.slice(1, -1) : body
  return head(text.length) + text
}

describe("a connection that stays open between calls", () => {
  const checkClosed = (how: string, close: (socket: Socket) => void) => {
    for (const [over, { calls, layer }] of Object.entries(transports))
      it.live(`and that the server ${how} after its reply, over ${over}`, () =>
        Effect.gen(function* () {
          const server = yield* serveBytes({
            onRequest: (socket, ids) => socket.write(resultFor(ids), () => close(socket)),
          })
          const network = networkAt(`http://127.0.0.1:${server.port}/`)
          const [budget, transport, ledger] = metered(layer())
          const booked = yield* Effect.gen(function* () {
            let last = 0
            for (let round = 0; round < 20; round++)
              last = yield* run(network, calls, "waits for the reply", Latch.makeUnsafe())
            return last
          }).pipe(budget, transport, ledger)
          assert.isAtMost(server.calls() * price, booked)
          assert.isAtMost(booked, 20 * calls * price)
        }),
      )
  }
  checkClosed("closes", (socket) => socket.end())
  checkClosed("resets", (socket) => socket.resetAndDestroy())
})

/** Connections that open only once somebody opens the gate. */
const gated = Effect.map(Latch.make(), (reached) => {
  const waiting: Array<() => void> = []
  let isOpen = false
  const connector: Connect = (options, done) => {
    const begin = () => {
      const socket = connect(options, () => done(null, socket))
    }
    if (isOpen) begin()
    else waiting.push(begin)
    reached.openUnsafe()
    return undefined
  }
  const open = () => {
    isOpen = true
    for (const begin of waiting) begin()
  }
  return { connector, open, reached }
})

describe("a call that leaves a batch", () => {
  const checkLeaving = (when: "while it connects" | "once it was sent", expected: Figures) =>
    it.live(`${when} costs ${expected.booked - price} credits, and the other call is answered`, () =>
      Effect.gen(function* () {
        const { connector, open, reached } = yield* gated
        const sent = yield* Latch.make()
        const held: Array<() => void> = []
        const server = yield* serveBytes({
          onRequest: (socket, ids) => {
            held.push(() => void socket.write(resultFor(ids)))
            sent.openUnsafe()
          },
        })
        const network = networkAt(`http://127.0.0.1:${server.port}/`)
        const [budget, transport, ledger] = metered(
          BatchTransport.layer({ surcharge: 0, agents: agentsOver(connector) }),
        )
        const booked = yield* Effect.gen(function* () {
          const [leaves, stays] = yield* Effect.all([
            Effect.forkChild(send(request({ network })), { startImmediately: true }),
            Effect.forkChild(send(request({ network })), { startImmediately: true }),
          ])
          yield* reached.await
          if (when === "while it connects") yield* Fiber.interrupt(leaves)
          open()
          yield* sent.await
          yield* Fiber.interrupt(leaves)
          for (const answer of held) answer()
          yield* Fiber.join(stays)
          return yield* spent
        }).pipe(budget, transport, ledger)
        assert.deepStrictEqual({ calls: server.calls(), booked }, expected)
      }),
    )
  checkLeaving("while it connects", { calls: 1, booked: price })
  checkLeaving("once it was sent", { calls: 2, booked: 2 * price })
})

interface Figures {
  readonly calls: number
  readonly booked: number
}

describe("calls that wait in an agent's own queue for the one connection", () => {
  const checkQueue = (during: "are interrupted" | "time out") =>
    it.effect(`and ${during} cost nothing, and the connection stays`, () =>
      Effect.gen(function* () {
        const arrived = yield* Latch.make()
        const held: Array<() => void> = []
        const server = yield* serveBytes({
          onRequest: (socket, ids) => {
            const answer = () => void socket.write(resultFor(ids))
            if (held.push(answer) > 1) answer()
            arrived.openUnsafe()
          },
        })
        const network = networkAt(`http://127.0.0.1:${server.port}/`)
        const [budget, transport, ledger] = metered(
          HttpTransport.layer({
            agents: { http: new Agent({ keepAlive: true, maxSockets: 1 }), https: new SecureAgent() },
          }),
        )
        const booked = yield* Effect.gen(function* () {
          const call = (millis: number) =>
            Effect.forkChild(Effect.provideService(Effect.exit(send(request({ network }))), RequestTimeout, millis), {
              startImmediately: true,
            })
          const first = yield* call(60_000)
          yield* arrived.await
          const waiting = yield* Effect.all(Array.from({ length: 50 }, () => call(1_000)))
          if (during === "time out") yield* TestClock.adjust("1 second")
          yield* Fiber.interruptAll(waiting)
          const before = yield* Effect.forkChild(send(request({ network })), { startImmediately: true })
          held[0]?.()
          yield* Fiber.join(first)
          yield* Fiber.join(before)
          return yield* spent
        }).pipe(budget, transport, ledger)
        assert.deepStrictEqual([server.calls(), booked, server.connections()], [2, 2 * price, 1])
      }),
    )
  checkQueue("are interrupted")
  checkQueue("time out")
})

describe("calls by fetch that wait behind a dispatcher with few connections, where nobody knows which request is whose", () => {
  const checkLaw = (over: "fetch" | "batch") =>
    it.live(`over ${over}: whichever of them are interrupted, and when, no charge of the server is missing`, () =>
      Effect.gen(function* () {
        for (let seed = 0; seed < 20; seed++) {
          let arrived = 0
          const reached = yield* Latch.make()
          const server = yield* serveBytes({
            onRequest: (socket, ids) => {
              if (++arrived > seed % 4) reached.openUnsafe()
              // One reply never comes, and those behind it wait.
              if (arrived < 4) socket.write(resultFor(ids))
            },
          })
          const through: object = { dispatcher: new Dispatcher({ connections: 2 }) }
          const fetch: HttpTransport.Fetch = (url, init) => globalThis.fetch(url, { ...init, ...through })
          const network = networkAt(`http://127.0.0.1:${server.port}/`)
          const [budget, transport, ledger] = metered(
            over === "fetch" ? HttpTransport.layer({ fetch }) : BatchTransport.layer({ fetch, size: 3, surcharge: 0 }),
          )
          const booked = yield* Effect.gen(function* () {
            const calls = yield* Effect.all(
              Array.from({ length: 40 }, () =>
                Effect.forkChild(Effect.exit(send(request({ network }))), { startImmediately: true }),
              ),
            )
            yield* reached.await
            // First some, and then the others.
            yield* Fiber.interruptAll(calls.filter((_, index) => (index * 7 + seed) % 3 === 0))
            yield* Fiber.interruptAll(calls)
            return yield* spent
          }).pipe(budget, transport, ledger)
          assert.isAtMost(server.calls() * price, booked)
          assert.isAtMost(booked, 40 * price)
        }
      }),
    )
  checkLaw("fetch")
  checkLaw("batch")
})

describe("over a WebSocket", () => {
  const transport = () => WebSocketTransport.layer({ webSocket: WebSocket, reconnectBase: "1 milli" })

  const checkUnopened = (name: string, onBytes: (socket: Socket) => void, during: During) =>
    testOf(during)(`a call costs nothing when the server ${name} instead of opening the socket, and it ${during}`, () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make()
        const { port } = yield* serveBytes({
          onBytes: (socket) => {
            begun.openUnsafe()
            onBytes(socket)
          },
        })
        const network = defineNetwork({ id: "local", plugin: "test", wsUrl: `ws://127.0.0.1:${port}/` })
        const [budget, over, ledger] = metered(transport())
        const booked = yield* run(network, 3, during, begun).pipe(budget, over, ledger)
        assert.strictEqual(booked, 0)
      }),
    )
  checkUnopened("stays silent", () => {}, "is interrupted")
  checkUnopened("stays silent", () => {}, "times out")
  checkUnopened("resets the connection", (socket) => socket.resetAndDestroy(), "waits for the reply")
  checkUnopened("hangs up", (socket) => socket.end(), "waits for the reply")
  checkUnopened("does not speak HTTP", (socket) => socket.end("SSH-2.0\r\n"), "waits for the reply")
  checkUnopened("refuses", (socket) => socket.end("HTTP/1.1 402 No\r\n\r\n"), "waits for the reply")

  const checkSent = (name: string, answer: (message: Message) => void, during: During = "waits for the reply") =>
    testOf(during)(`a call counts when the server ${name}, and it ${during}`, () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make()
        const { messages, network } = yield* serveSockets((message) => {
          answer(message)
          begun.openUnsafe()
        })
        const [budget, over, ledger] = metered(transport())
        const booked = yield* run(network, 1, during, begun).pipe(budget, over, ledger)
        assert.deepStrictEqual([messages.length, booked], [1, price])
      }),
    )
  checkSent("stays silent", () => {}, "is interrupted")
  checkSent("stays silent", () => {}, "times out")
  checkSent("cuts the socket", ({ socket }) => socket.terminate())
  checkSent("closes the socket", ({ socket }) => socket.close(1011))
  checkSent("sends what is not a reply", ({ socket }) => socket.send("<html>"))
  checkSent("refuses without saying which call", ({ socket }) =>
    socket.send('{"id":null,"error":{"code":402,"message":"Payment Required"}}'),
  )
})
