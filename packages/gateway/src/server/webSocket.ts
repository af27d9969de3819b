/**
 * WebSocket around a gateway: the same bodies as messages (service §4), answered in the order they are ready.
 *
 * Invariant: while a client has not read what waits for it, nothing more of what it sent is read or answered; and one that
 * reads nothing is disconnected.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Effect, type Fiber } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import type * as Gateway from "../Gateway.ts"
import type { Share } from "./Budget.ts"
import type { Site } from "./http.ts"
import { reportDefect } from "./reportDefect.ts"
import { routeOf } from "./routes.ts"

/** Runs an effect in the background, as long as the server lives. */
export type Fork = (effect: Effect.Effect<void>) => Fiber.Fiber<void>

export interface Sockets {
  /** Accepts or refuses a connection. A refusal is an ordinary HTTP reply. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Closes every connection, with the reason. */
  readonly close: () => void
  /** Cuts every connection. */
  readonly terminate: () => void
}

/** While this many bytes of replies wait for a client, nothing more of it is read or answered. */
const BACKLOG_BYTES = 1_048_576

/** While this many messages of a client are answered, nothing more of it is read or answered. */
const ANSWERED_AT_ONCE = 16

/** How often a silent client is asked whether it is still there. */
const HEARTBEAT_MILLIS = 30_000

export const makeSockets = (site: Site, fork: Fork): Sockets => {
  // Compressed messages are not taken: a small one could hold gigabytes.
  const server = new WebSocketServer({ noServer: true, maxPayload: site.bodyLimit, perMessageDeflate: false })
  const clients = new Set<ServedClient>()
  const heart = setInterval(() => clients.forEach((client) => client.beat()), HEARTBEAT_MILLIS)
  heart.unref()
  return {
    upgrade: (request, socket, head) => {
      // A client may go away at any moment, and a socket whose error nobody listens to ends the process.
      socket.on("error", () => socket.destroy())
      const refused = (status: number, words: string) => refuse(socket, site.readMillis, status, words)
      const verdict = site.access(request)
      if (!verdict.admitted) return refused(403, verdict.why)
      if (request.headers.upgrade?.toLowerCase() !== "websocket")
        return refused(400, "the only protocol to upgrade to is websocket")
      const route = routeOf(request.url ?? "/")
      if (route?.to !== "socket") return refused(404, "not found: connect to /NETWORK/ws/v3/KEY")
      const { key, network } = route
      const refusal = site.gateway.refusal(network, key)
      if (refusal !== undefined) return refused(refusal.status, refusal.body)
      server.handleUpgrade(request, socket, head, (client) => {
        countUnread(site, client, socket)
        expectReading(client, request.socket, site.readMillis)
        const served = new ServedClient(site, fork, client, { key, network })
        clients.add(served)
        client.on("close", () => clients.delete(served))
      })
    },
    close: () => {
      clearInterval(heart)
      for (const client of server.clients) client.close(1001, "the gateway is stopping")
    },
    terminate: () => {
      for (const client of server.clients) client.terminate()
    },
  }
}

/** A message may come in any number of pieces, which are kept until its end. */
const countUnread = ({ bodyLimit, budget }: Site, client: WebSocket, socket: Duplex): void => {
  const share = budget.share()
  let unread = 0
  const forget = (bytes: number) => {
    share.give(Math.min(bytes, unread))
    unread -= Math.min(bytes, unread)
  }
  socket.prependListener("data", (chunk: Buffer) => {
    unread += chunk.length
    // Every piece has a head of at most 14 bytes, and an honest message has few pieces.
    if (!share.take(chunk.length) || unread > 2 * bodyLimit + BACKLOG_BYTES) client.terminate()
  })
  client.on("message", () => forget(unread))
  client.on("ping", (data) => forget(data.length + 6))
  client.on("pong", (data) => forget(data.length + 6))
  client.on("close", share.close)
}

/** A client that is connected, the messages it sent and what answers them. */
class ServedClient {
  readonly #site: Site
  readonly #fork: Fork
  readonly #client: WebSocket
  readonly #key: string
  readonly #connection: Gateway.Connection
  /** Messages that came in one piece with others, and wait until the client is no longer behind. */
  readonly #inbox: Array<string> = []
  /** What answers the messages that were begun. */
  readonly #fibers = new Set<Fiber.Fiber<void>>()
  /** Messages whose replies have not left. */
  #answering = 0
  #isProceeding = false
  /** Whether it answered since the last heartbeat. */
  #isAlive = true
  /** Room for events; taken once it subscribes to something. */
  #events: Share | undefined

  constructor(site: Site, fork: Fork, client: WebSocket, place: { readonly network: string; readonly key: string }) {
    this.#site = site
    this.#fork = fork
    this.#client = client
    this.#key = place.key
    this.#connection = site.gateway.connect({
      ...place,
      takeRoom: (bytes) => this.#takeRoom(bytes),
      giveRoom: (bytes) => this.#events?.give(bytes),
      deliver: (message) => this.#deliver(message),
      end: (why) => client.close(TRY_AGAIN_LATER, why),
    })
    client.on("message", (data) => {
      this.#inbox.push(new TextDecoder().decode(bytesOf(data)))
      this.#proceed()
    })
    client.on("close", () => this.#closed())
    client.on("pong", () => {
      this.#isAlive = true
    })
    // A protocol error closes the connection; there is nobody left to answer.
    client.on("error", () => client.terminate())
  }

  beat(): void {
    // One that is not read from may have answered already.
    if (!this.#isAlive && !this.#client.isPaused) return this.#client.terminate()
    this.#isAlive = false
    this.#client.ping()
    this.#proceed()
  }

  #isBehind(): boolean {
    return this.#client.bufferedAmount > BACKLOG_BYTES || this.#answering >= ANSWERED_AT_ONCE
  }

  #isOpen(): boolean {
    return this.#client.readyState === this.#client.OPEN
  }

  /** Begins messages that wait, and reads no others while the client is behind. */
  #proceed(): void {
    // Answers that are there at once come back here.
    if (!this.#isProceeding) {
      this.#isProceeding = true
      while (!this.#isBehind() && this.#isOpen()) {
        const body = this.#inbox.shift()
        if (body === undefined) break
        this.#begin(body)
      }
      this.#isProceeding = false
    }
    if (this.#isBehind()) this.#client.pause()
    else if (this.#client.isPaused) this.#client.resume()
  }

  #begin(body: string): void {
    const share = this.#site.budget.share()
    share.countFor(this.#key)
    this.#answering += 1
    const done = () => {
      share.close()
      this.#answering -= 1
      this.#proceed()
    }
    const fiber = this.#fork(
      answer(this.#connection, body, share).pipe(
        Effect.map((reply) => this.#send(reply, done)),
        Effect.catchDefect((defect) => {
          done()
          this.#client.terminate()
          return reportDefect("a message could not be answered", defect)
        }),
        Effect.onInterrupt(() => Effect.sync(done)),
      ),
    )
    this.#fibers.add(fiber)
    fiber.addObserver(() => this.#fibers.delete(fiber))
  }

  #send({ sent, text }: Gateway.MessageReply, done: () => void): void {
    if (text === undefined || !this.#isOpen()) {
      sent()
      return done()
    }
    this.#client.send(text, done)
    sent()
    this.#proceed()
  }

  /** Sends an event; false when there is no place for it. */
  #deliver(message: string): boolean {
    if (!this.#isOpen()) return true
    const bytes = message.length * 2
    if (this.#client.bufferedAmount > BACKLOG_BYTES || !this.#takeRoom(bytes)) return false
    this.#client.send(message, () => {
      this.#events?.give(bytes)
      this.#proceed()
    })
    return true
  }

  #takeRoom(bytes: number): boolean {
    if (this.#events === undefined) {
      this.#events = this.#site.budget.share("kept")
      this.#events.countFor(this.#key)
    }
    return this.#events.take(bytes)
  }

  /** A client that goes away needs no answer. What it asked for stays charged. */
  #closed(): void {
    this.#inbox.length = 0
    this.#connection.close()
    this.#events?.close()
    for (const fiber of this.#fibers) fiber.interruptUnsafe()
  }
}

const answer = Effect.fnUntraced(function* (connection: Gateway.Connection, body: string, share: Share) {
  // JSON takes more room as values than as text.
  if (!share.take(body.length * 8)) return { text: NO_ROOM, sent: () => {} }
  return yield* connection.handle({ body, takeRoom: share.take })
})

/** Disconnects a client that takes none of what waits for it. The socket knows when bytes move, even those of one long reply. */
const expectReading = (client: WebSocket, socket: Socket, millis: number): void => {
  socket.setTimeout(millis)
  socket.on("timeout", () => {
    if (client.bufferedAmount > 0) client.terminate()
  })
}

/** The close code of a connection whose events cannot be sent. */
const TRY_AGAIN_LATER = 1013

const NO_ROOM =
  '{"jsonrpc":"2.0","id":null,"error":{"code":503,"message":"the gateway is busy: try again in a second"}}'

const bytesOf = (data: Buffer | ArrayBuffer | Array<Buffer>): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data)

/** Answers and ends a connection; anyone who does not end it as well is cut off after a while. */
const refuse = (socket: Duplex, readMillis: number, status: number, words: string): void => {
  const body = Buffer.from(words)
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasons[status] ?? "Refused"}`,
      "connection: close",
      "content-type: text/plain; charset=utf-8",
      `content-length: ${body.length}`,
      "",
      words,
    ].join("\r\n"),
  )
  socket.resume()
  setTimeout(() => socket.destroy(), readMillis).unref()
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
}
