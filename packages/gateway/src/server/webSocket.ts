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
  /** Says goodbye to every client. */
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
  const beats = new Map<WebSocket, () => void>()
  const heart = setInterval(() => beats.forEach((beat) => beat()), HEARTBEAT_MILLIS)
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
        beats.set(client, serveClient(site, fork, client, { key, network }))
        client.on("close", () => beats.delete(client))
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

/** Answers a client; returns what is to be done at every heartbeat. */
const serveClient = (
  { budget, gateway }: Site,
  fork: Fork,
  client: WebSocket,
  place: { readonly network: string; readonly key: string },
): (() => void) => {
  /** Messages that came in one piece with others, and wait until the client is no longer behind. */
  const inbox: Array<string> = []
  /** What answers the messages that were begun. */
  const under = new Set<Fiber.Fiber<void>>()
  let answering = 0
  let proceeding = false
  let alive = true

  /** Taken once it subscribes to something. */
  let events: Share | undefined
  const takeRoom = (bytes: number) => {
    if (events === undefined) {
      events = budget.share("kept")
      events.countFor(place.key)
    }
    return events.take(bytes)
  }
  const giveRoom = (bytes: number) => events?.give(bytes)
  const connection = gateway.connect({
    ...place,
    takeRoom,
    giveRoom,
    deliver: (message) => {
      if (client.readyState !== client.OPEN) return true
      const bytes = message.length * 2
      if (client.bufferedAmount > BACKLOG_BYTES || !takeRoom(bytes)) return false
      client.send(message, () => {
        giveRoom(bytes)
        proceed()
      })
      return true
    },
    end: (why) => client.close(TRY_AGAIN_LATER, why),
  })

  const isBehind = () => client.bufferedAmount > BACKLOG_BYTES || answering >= ANSWERED_AT_ONCE
  const proceed = () => {
    // Answers that are there at once come back here.
    if (!proceeding) {
      proceeding = true
      while (!isBehind() && client.readyState === client.OPEN) {
        const body = inbox.shift()
        if (body === undefined) break
        begin(body)
      }
      proceeding = false
    }
    if (isBehind()) client.pause()
    else if (client.isPaused) client.resume()
  }
  const answer = Effect.fnUntraced(function* (body: string, share: Share) {
    // JSON takes more room as values than as text.
    if (!share.take(body.length * 8)) return { text: NO_ROOM, sent: () => {} }
    return yield* connection.handle({ body, takeRoom: share.take })
  })
  const begin = (body: string) => {
    const share = budget.share()
    share.countFor(place.key)
    answering += 1
    const done = () => {
      share.close()
      answering -= 1
      proceed()
    }
    const send = ({ sent, text }: Gateway.MessageReply) => {
      if (text === undefined || client.readyState !== client.OPEN) {
        sent()
        return done()
      }
      client.send(text, done)
      sent()
      proceed()
    }
    const fiber = fork(
      answer(body, share).pipe(
        Effect.map(send),
        Effect.catchDefect((defect) => {
          done()
          client.terminate()
          return reportDefect("a message could not be answered", defect)
        }),
        Effect.onInterrupt(() => Effect.sync(done)),
      ),
    )
    under.add(fiber)
    fiber.addObserver(() => under.delete(fiber))
  }

  client.on("message", (data) => {
    inbox.push(new TextDecoder().decode(bytesOf(data)))
    proceed()
  })
  // A client that goes away needs no answer. What it asked for stays charged.
  client.on("close", () => {
    inbox.length = 0
    connection.close()
    events?.close()
    for (const fiber of under) fiber.interruptUnsafe()
  })
  client.on("pong", () => {
    alive = true
  })
  // A protocol error closes the connection; there is nobody left to answer.
  client.on("error", () => client.terminate())

  return () => {
    // One that is not read from may have answered already.
    if (!alive && !client.isPaused) return client.terminate()
    alive = false
    client.ping()
    proceed()
  }
}

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
