/**
 * One open socket of a link and the calls on it, until it is lost or closed. A socket that is of no more use takes its calls with
 * it, once the messages that have arrived are read: one of them may be a reply.
 */
import type { Clock } from "effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type RpcError, RpcReason, type RpcReply, type RpcRequest, Wire } from "@dotrpc/spec"
import { elapsedOf } from "../elapsed.ts"
import { failure } from "../failure.ts"
import { replyTooLarge } from "../replyLimit.ts"
import { shownHost } from "../shownHost.ts"
import { receiving, tooLongMessage } from "./incoming.ts"
import { cut, type SocketListener } from "./openSocket.ts"
import { every, makePulse } from "./pulse.ts"
import type { Readings } from "./readings.ts"
import { makeSentCalls, type ReplyTo, type SentCall, type SentCalls } from "./sentCalls.ts"
import { floodIn, OPEN, type Socket } from "./socket.ts"

export interface Connection extends SocketListener {
  readonly isOpen: () => boolean
  /** Waits until what was given to the socket before has left, as far as the limit asks. */
  readonly drained: Effect.Effect<void>
  /** Whether what was given to the socket before has left, as far as the limit asks. */
  readonly isDrained: () => boolean
  /** Sends a call and waits for its reply. */
  readonly send: (request: RpcRequest) => Effect.Effect<RpcReply, RpcError>
  /** Sends a call; what it returns gives up waiting for the reply. */
  readonly begin: (request: RpcRequest, resume: SentCall["resume"]) => () => void
  /** Keeps the socket alive while a reply is waited for, and closes it when it has been idle. */
  readonly takeCare: Effect.Effect<void>
  /** The caller of a call that was sent at `sentAt` waited without a reply: a socket that was silent meanwhile is given up. */
  readonly timedOut: (sentAt: number) => void
  /** The socket is of no more use, and its calls fail. */
  readonly lose: (said: string) => void
  /** Closes the socket and waits a little for the server to confirm it. Calls fail for this reason. */
  readonly close: (why: RpcReason.Reason) => Effect.Effect<void>
}

export interface ConnectionContext {
  readonly url: URL
  readonly clock: Clock.Clock
  readonly limits: ConnectionLimits
  readonly readings: Readings
  /** The server has answered something. */
  readonly onReply: () => void
  /** The connection takes no more calls. */
  readonly onEnd: (why: "lost" | "idle") => void
  /** Any of so many calls may be the one whose reply was more than is read. */
  readonly onFlood: (calls: number) => void
}

export interface ConnectionLimits {
  /** Milliseconds. */
  readonly idle: number
  readonly heartbeat: number
  /** Bytes that may wait to leave before calls wait with them. */
  readonly buffered: number
  /** Bytes of the longest message that is read. */
  readonly replyBytes: number
}

export const makeConnection = (socket: Socket, context: ConnectionContext): Connection => {
  const { clock, limits, onEnd, onFlood, onReply, readings, url } = context
  const { replyBytes } = limits
  const { inPieces, lost, tooLarge } = endsOf(url, replyBytes)
  const calls = makeSentCalls(clock, lost)
  const pulse = makePulse(socket, clock, limits.heartbeat)
  const closed = Deferred.makeUnsafe<void>()
  const life = makeLife(socket, calls, { readings, lost, tooLarge, onEnd, onFlood })
  const { giveUp, lose, loseFlooded } = life
  const onRead = (isReply: boolean) => {
    if (isReply) onReply()
    else if (calls.isEmpty()) giveUp("the server sent a message that is not a reply")
    else if (life.isLive()) calls.receiveUnreadable()
  }
  const incoming = { socket, calls, clock, pulse, readings, replyBytes, tooLarge, onRead, onFlood: loseFlooded }
  const receive = receiving(incoming)
  const onClose = (code: number | undefined, words: string) => {
    Deferred.doneUnsafe(closed, Effect.void)
    const flood = life.isLive() ? floodIn(words) : undefined
    if (flood === "too long") loseFlooded(tooLongMessage(replyBytes))
    else if (flood === "in too many pieces") loseFlooded(manyPieces, inPieces)
    else lose(`the socket was closed${code === undefined ? "" : ` with code ${code}`} before a reply`)
  }
  /** Closes the socket when it has been idle, and keeps it alive while a reply is waited for. While one is read the server may have to wait. */
  const lookAfter = () => {
    if (!life.isLive()) return
    if (!calls.isEmpty()) {
      if (!readings.isBusy() && !pulse.beat()) giveUp("the server did not answer a ping")
    } else if (elapsedOf(clock) - calls.usedAt() >= limits.idle) {
      life.leave("idle")
      socket.close(1000)
    }
  }
  return {
    onMessage: (event) => (life.isLive() ? receive(event) : undefined),
    onClose,
    isOpen: () => life.isLive() && socket.readyState === OPEN,
    lose,
    takeCare: every(Math.min(limits.idle, limits.heartbeat), lookAfter, life.isLive),
    isDrained: () => !isFull(socket, limits.buffered),
    drained: drained(socket, limits.buffered),
    send: (request) =>
      Effect.callback((resume) => {
        const giveUp = begin(socket, calls, request, resume)
        return Effect.sync(giveUp)
      }),
    begin: (request, resume) => begin(socket, calls, request, resume),
    timedOut: (sentAt) => {
      if (!readings.isBusy() && !pulse.hasReceivedSince(sentAt)) giveUp("the server stayed silent")
    },
    close: (why) => {
      life.end()
      calls.endEach(calls.ids(), ({ request }) => Effect.fail(failure(request, why, "timeout")))
      return closing(socket, Deferred.await(closed))
    },
  }
}

/** How a socket comes to its end, and its calls with it. */
interface Life {
  readonly isLive: () => boolean
  /** It takes no more calls. */
  readonly end: () => void
  /** The same, which its link gets to know. */
  readonly leave: (why: "lost" | "idle") => void
  readonly lose: (said: string) => void
  /** Closes the socket, of which the server gets no notice. */
  readonly giveUp: (because: string) => void
  /**
   * More arrived than is read, and nothing says for which call. The only call in flight is known to be the cause. Of several, any
   * may be: the others must not fail for good because of it, and sent again in parallel they would lose the next socket
   * to it as well. So all of them are lost with the socket, and as many calls then run one at a time.
   */
  readonly loseFlooded: (because: string, replyTo?: ReplyTo) => void
}

interface LifeParts extends Pick<ConnectionContext, "onEnd" | "onFlood" | "readings"> {
  readonly lost: (said: string) => ReplyTo
  readonly tooLarge: ReplyTo
}

const makeLife = (socket: Socket, calls: SentCalls, { lost, onEnd, onFlood, readings, tooLarge }: LifeParts): Life => {
  let isLive = true
  const leave: Life["leave"] = (why) => {
    isLive = false
    onEnd(why)
  }
  const lose = (said: string) => {
    if (!isLive) return
    leave("lost")
    readings.afterwards(() => calls.endEach(calls.ids(), lost(said)))
  }
  return {
    isLive: () => isLive,
    end: () => {
      isLive = false
    },
    leave,
    lose,
    giveUp: (because) => {
      if (!isLive) return
      lose(`the socket was closed because ${because}`)
      cut(socket)
    },
    loseFlooded: (because, replyTo = tooLarge) => {
      const mayBeLate = calls.mayReplyLate()
      leave("lost")
      readings.afterwards(() => {
        const left = calls.ids()
        const isKnown = left.length === 1 && !mayBeLate
        if (!isKnown) onFlood(left.length)
        calls.endEach(left, isKnown ? replyTo : lost(`the socket was closed because ${because}`))
      })
      cut(socket)
    },
  }
}

/** What ends calls whose replies cannot be read. */
const endsOf = (url: URL, limit: number) => ({
  lost:
    (said: string): ReplyTo =>
    ({ request }) => {
      const reason = new RpcReason.Transport({ said: `${said} (${shownHost(request.network, url)})` })
      return Effect.fail(failure(request, reason, "timeout"))
    },
  tooLarge: ({ request }: SentCall) => Effect.fail(replyTooLarge(request, url, limit)),
  inPieces: ({ request }: SentCall) =>
    Effect.fail(failure(request, new RpcReason.Malformed({ said: "the reply came in too many pieces" }), "malformed")),
})

const manyPieces = "it sent a message in too many pieces, which may be the reply to any of several calls"

const begin = (socket: Socket, calls: SentCalls, request: RpcRequest, resume: SentCall["resume"]): (() => void) => {
  const id = calls.nextId()
  const text = Wire.encodeRequest(request, id)
  calls.begin(id, { request, resume })
  request.onSend?.()
  socket.send(text)
  return () => calls.giveUp(id)
}

const closing = (socket: Socket, closed: Effect.Effect<void>): Effect.Effect<void> => {
  socket.close(1000)
  return Effect.timeoutOrElse(closed, {
    duration: closingMillis,
    orElse: () => Effect.sync(() => cut(socket)),
  })
}

const isFull = (socket: Socket, limit: number): boolean => socket.readyState === OPEN && socket.bufferedAmount > limit

/** Waits until what was given to the socket before has left, as far as the limit asks. */
const drained = (socket: Socket, limit: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    isFull(socket, limit) ? Effect.andThen(Effect.sleep(drainMillis), drained(socket, limit)) : Effect.void,
  )

/** A socket does not report when it has drained. */
const drainMillis = 5

/** How long the server may take to confirm the end. */
const closingMillis = 1_000
