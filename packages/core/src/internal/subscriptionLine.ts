/**
 * One open subscription on a socket of its own: the call that opens it, its notifications, and the call that ends it. A socket
 * for each means that none can end, delay or read the events of another.
 *
 * Invariant: whatever the server sends, this keeps at most the events that came before the id did, within limits, and one reply.
 */
import type { Clock, Duration } from "effect"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import {
  isSubscriptionId,
  Json,
  Redaction,
  type RpcError,
  RpcReason,
  type RpcRequest,
  type Subscription,
  type SubscriptionId,
  Wire,
} from "@dotrpc/spec"
import { elapsedOf, millisOf } from "./elapsed.ts"
import { failure } from "./failure.ts"
import { notOpened } from "./notOpened.ts"
import { cut, openSocket, type SocketListener } from "./openSocket.ts"
import { eventTooLarge } from "./replyLimit.ts"
import { requestHeaders } from "./requestHeaders.ts"
import { shownHost } from "./shownHost.ts"
import { floodIn, lengthOf, OPEN, type Socket, textOf, type WebSocketConstructor } from "./socket.ts"

export interface LineLimits {
  readonly connectTimeout: Duration.Duration
  /** How long the replies to its two calls may take. */
  readonly timeout: Duration.Duration
  /** Milliseconds. */
  readonly heartbeat: number
  /** Bytes of the longest message that is read. */
  readonly eventBytes: number
}

export interface LineOptions {
  readonly make: WebSocketConstructor
  readonly url: URL
  readonly clock: Clock.Clock
  readonly limits: LineLimits
  readonly subscription: Subscription
  /** The call that opens it. */
  readonly request: RpcRequest
  /** An event has arrived, with its number of characters. It is free of secrets, and not checked. False if it is the last one that is wanted. */
  readonly onItem: (item: Json.Json, size: number) => boolean
  /** This many events arrived before the id and did not fit. */
  readonly onMissed: (events: number) => void
  /** So many events came that nobody can read: one that is too long, and those before an id that never came. */
  readonly onUnread: (events: number) => void
  /** An event was received after the last one that was wanted. */
  readonly onUnwanted: () => void
}

export interface Line {
  /** Ends with the reason in words when the connection is lost; fails with an error that a new connection cannot fix. */
  readonly lost: Effect.Effect<string, RpcError>
  /** Sends the call that ends the subscription and waits for its reply. No event is wanted from now on. */
  readonly unsubscribe: (request: RpcRequest) => Effect.Effect<void, RpcError>
  readonly params: readonly [SubscriptionId]
  readonly isOpen: () => boolean
  /** Whether the server has ended the connection or the subscription: then all that it sent has arrived. */
  readonly isEnded: () => boolean
  /** Reads nothing more until it is resumed, where the socket can: the server has to wait. */
  readonly pause: () => void
  readonly resume: () => void
  /** No event is wanted from now on. */
  readonly enough: () => void
}

/** The socket is cut when the scope ends. */
export const openLine = (options: LineOptions): Effect.Effect<Line, RpcError, Scope.Scope> =>
  Effect.gen(function* () {
    const { clock, limits, make, request, subscription, url } = options
    const { network } = request
    const host = shownHost(network, url)
    const handshake = { url: url.href, headers: requestHeaders(network, url), maxPayload: limits.eventBytes }
    const lost = Deferred.makeUnsafe<string, RpcError>()
    const replies = new Map<number, (message: Json.JsonObject) => void>()
    let socket: Socket | undefined
    let id: SubscriptionId | undefined
    let heardAt = elapsedOf(clock)
    let early: Array<{ readonly id: Json.Json; readonly item: Json.Json; readonly size: number }> = []
    let earlySize = 0
    let earlyMissed = 0
    let strangers = 0
    let isOver = false
    let unwanted = 0
    let isEnded = false

    const lose = (said: string) => {
      isOver = true
      Deferred.doneUnsafe(lost, Effect.succeed(`${said} (${host})`))
      if (socket !== undefined) cut(socket)
    }
    const fail = (error: RpcError) => {
      isOver = true
      Deferred.doneUnsafe(lost, Effect.fail(error))
      if (socket !== undefined) cut(socket)
    }
    /** A message that is not an event of this subscription is skipped, up to a limit. */
    const passOver = () => {
      strangers++
      if (strangers > mostStrangers) lose("the socket was closed because the server sent too much that is not an event")
    }

    const deliver = (item: Json.Json, size: number) => {
      strangers = 0
      if (!isOver) {
        if (!options.onItem(Redaction.scrubJson(item, network.secrets), size)) isOver = true
        return
      }
      options.onUnwanted()
      // A server that does not stop is not listened to.
      if (++unwanted >= mostUnwanted) lose("the socket was closed because the server went on after the last event")
    }
    const keepEarly = (ownId: Json.Json, item: Json.Json, size: number) => {
      if (early.length >= mostEarly || earlySize + size > limits.eventBytes) {
        earlyMissed++
        if (earlyMissed > mostStrangers)
          lose("the socket was closed because the server sent too many events before its reply")
      } else {
        early.push({ id: ownId, item, size })
        earlySize += size
      }
    }
    /** From here on the events are those of this id, the ones that came before it included. */
    const begin = (own: SubscriptionId) => {
      id = own
      const kept = early
      early = []
      for (const event of kept) {
        if (event.id === own) deliver(event.item, event.size)
      }
      if (earlyMissed > 0) options.onMissed(earlyMissed)
    }

    const heardNotification = (message: Json.JsonObject, size: number) => {
      const { params } = message
      if (message["method"] !== subscription.notification || !Json.isObject(params)) return passOver()
      const ofId = params[subscription.idMember]
      const { result: item } = params
      if (!isSubscriptionId(ofId)) return passOver()
      if (id === undefined) return item === undefined ? passOver() : keepEarly(ofId, item, size)
      if (ofId !== id) return passOver()
      if (item === undefined) {
        isEnded = true
        return lose("the server ended the subscription")
      }
      return deliver(item, size)
    }
    const heard = (text: string | undefined) => {
      const message = text === undefined ? undefined : parsed(text)
      if (!Json.isObject(message) || text === undefined) return passOver()
      if (typeof message["method"] === "string") return heardNotification(message, text.length)
      const answered = Wire.idOf(message["id"])
      const reply =
        answered === undefined && Wire.isError(message) && id === undefined
          ? replies.get(openId)
          : replies.get(answered ?? 0)
      return reply === undefined ? passOver() : reply(message)
    }
    const tooLong = () => {
      if (id === undefined) earlyMissed++
      else options.onUnread(1)
      fail(
        eventTooLarge(
          { ...request, method: { ...request.method, name: subscription.notification } },
          url,
          limits.eventBytes,
        ),
      )
    }
    const listenerOf = (own: Socket): SocketListener => {
      socket = own
      return {
        onMessage: (event) => {
          heardAt = elapsedOf(clock)
          if (lengthOf(event) > limits.eventBytes) tooLong()
          else heard(textOf(event))
        },
        onClose: (code, words) => {
          if (floodIn(words) !== undefined) return tooLong()
          if (!Deferred.isDoneUnsafe(lost)) isEnded = true
          lose(`the socket was closed${code === undefined ? "" : ` with code ${code}`}`)
        },
      }
    }

    /** Sends a call and waits for its reply. A call whose connection is lost may have been charged. */
    const call = (sent: RpcRequest, callId: number) =>
      Effect.callback<Json.Json, RpcError>((resume) => {
        if (socket?.readyState !== OPEN) {
          const reason = new RpcReason.Transport({ said: `the socket was closed (${host})` })
          return resume(Effect.fail(failure(sent, reason, "unsent")))
        }
        replies.set(callId, (message) => {
          replies.delete(callId)
          const read = Wire.decodeMessage(sent, callId, withId(message, callId), clock.currentTimeMillisUnsafe())
          // A message after the reply in the same turn may already be an event of the subscription.
          if (callId === openId && Result.isSuccess(read) && isSubscriptionId(read.success.result))
            begin(read.success.result)
          resume(Effect.map(Effect.fromResult(read), ({ result }) => result))
        })
        sent.onSend?.()
        socket.send(Wire.encodeRequest(sent, callId))
        return Effect.sync(() => replies.delete(callId))
      }).pipe(
        Effect.raceFirst(
          Effect.flatMap(Deferred.await(lost), (said) =>
            Effect.fail(failure(sent, new RpcReason.Transport({ said: `${said} before a reply` }), "timeout")),
          ),
        ),
        Effect.timeoutOrElse({
          duration: limits.timeout,
          orElse: () =>
            Effect.fail(failure(sent, new RpcReason.Timeout({ millis: millisOf(limits.timeout) }), "timeout")),
        }),
      )

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        Deferred.doneUnsafe(lost, Effect.succeed("it was closed"))
        if (socket !== undefined) cut(socket)
        // The server may have opened it all the same, and charges for what it sent.
        if (id === undefined) options.onUnread(early.length + earlyMissed)
      }),
    )
    yield* Effect.mapError(openSocket(make, handshake, limits.connectTimeout, listenerOf), (error) =>
      notOpened(request, url, error, clock.currentTimeMillisUnsafe()),
    )
    const given = yield* call(request, openId)
    if (!isSubscriptionId(given)) {
      const said = `the id of the subscription must be a string of 1 to 200 characters or a whole number; the server sent ${kindOf(given)}`
      return yield* failure(request, new RpcReason.Malformed({ said }), "malformed")
    }
    yield* Effect.forkScoped(
      keepAlive(
        () => socket,
        () => heardAt,
        limits.heartbeat,
        clock,
        lose,
      ),
    )
    return {
      lost: Deferred.await(lost),
      params: [given] as const,
      isOpen: () => socket?.readyState === OPEN && !Deferred.isDoneUnsafe(lost),
      isEnded: () => isEnded,
      pause: () => socket?.pause?.(),
      resume: () => socket?.resume?.(),
      enough: () => {
        isOver = true
      },
      unsubscribe: (closing) => Effect.asVoid(call(closing, closeId)),
    }
  })

/** Sends pings where the socket can, and gives it up when a whole heartbeat passes without an answer or anything else. */
const keepAlive = (
  socket: () => Socket | undefined,
  heardAt: () => number,
  heartbeat: number,
  clock: Clock.Clock,
  lose: (said: string) => void,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const own = socket()
    if (own?.ping === undefined || own.on === undefined) return
    let answeredAt = elapsedOf(clock)
    own.on("pong", () => {
      answeredAt = elapsedOf(clock)
    })
    while (own.readyState === OPEN) {
      const pingedAt = elapsedOf(clock)
      own.ping("")
      yield* Effect.sleep(heartbeat)
      if (Math.max(answeredAt, heardAt()) < pingedAt)
        return lose("the socket was closed because the server did not answer a ping")
    }
  })

const openId = 1
const closeId = 2

/** Events that may come before the id. */
const mostEarly = 100

/** Events that are counted while the server ends the subscription; they fit into the buffers of a connection. */
const mostUnwanted = 10_000

/** Messages in a row that are not events of the subscription. */
const mostStrangers = 1_000

/** An error without an id can only be about the one call that is in flight. */
const withId = (message: Json.JsonObject, id: number): Json.Json =>
  message["id"] === undefined || message["id"] === null ? { ...message, id } : message

const kindOf = (value: Json.Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object") return "an object"
  return typeof value === "string" ? `a string of ${value.length} characters` : `a ${typeof value}`
}

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Wire.parseReply(text)
  } catch {
    // It is skipped like any other message that is not an event.
    return undefined
  }
}
