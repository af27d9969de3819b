/**
 * One open subscription on a socket of its own: the call that opens it, its notifications, and the call that ends it. A socket
 * for each means that none can end, delay or read the events of another.
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
import { millisOf } from "../elapsed.ts"
import { failure } from "../failure.ts"
import type { Handshake } from "./handshake.ts"
import { makeNotifications } from "./notifications.ts"
import { notOpened } from "./notOpened.ts"
import { cut, openSocket, type SocketListener } from "./openSocket.ts"
import { every, makePulse, type Pulse } from "./pulse.ts"
import { eventTooLarge } from "../replyLimit.ts"
import { requestHeaders } from "../requestHeaders.ts"
import { shownHost } from "../shownHost.ts"
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
    const { clock, limits, make, request, url } = options
    const lost = Deferred.makeUnsafe<string, RpcError>()
    let socket: Socket | undefined
    let pulse: Pulse | undefined
    let isEnded = false

    const end = (why: Effect.Effect<string, RpcError>) => {
      notifications.enough()
      Deferred.doneUnsafe(lost, why)
      if (socket !== undefined) cut(socket)
    }
    const lose = (said: string) => end(Effect.succeed(`${said} (${shownHost(request.network, url)})`))
    const giveUp = (because: string) => lose(`the socket was closed because ${because}`)
    const notifications = makeNotifications({
      mostEarlySize: limits.eventBytes,
      ...options,
      onItem: (item, size) => options.onItem(Redaction.scrubJson(item, request.network.secrets), size),
      onEnd: () => {
        isEnded = true
        lose("the server ended the subscription")
      },
      giveUp,
    })
    const calls = makeLineCalls(options, () => socket, Deferred.await(lost), notifications.begin)

    const receive = (text: string) => {
      const message = parsed(text)
      if (!Json.isObject(message)) return notifications.skip()
      if (typeof message["method"] === "string") return notifications.receive(message, text.length)
      if (!calls.receive(message, notifications.hasBegun())) notifications.skip()
    }
    const receiveTooLong = () => {
      if (notifications.hasBegun()) options.onUnread(1)
      else notifications.missEarly()
      end(Effect.fail(tooLong(options)))
    }
    const listenerOf = (own: Socket): SocketListener => {
      socket = own
      pulse = makePulse(own, clock, limits.heartbeat)
      return {
        onMessage: (event) => {
          pulse?.received()
          if (lengthOf(event) > limits.eventBytes) receiveTooLong()
          else receive(textOf(event) ?? "")
        },
        onClose: (code, words) => {
          if (floodIn(words) !== undefined) return receiveTooLong()
          if (!Deferred.isDoneUnsafe(lost)) isEnded = true
          lose(`the socket was closed${code === undefined ? "" : ` with code ${code}`}`)
        },
      }
    }
    const close = Effect.sync(() => {
      end(Effect.succeed("it was closed"))
      // The server may have opened it all the same, and charges for what it sent.
      options.onUnread(notifications.early())
    })
    yield* Effect.addFinalizer(() => close)
    yield* Effect.mapError(openSocket(make, handshakeOf(options), limits.connectTimeout, listenerOf), (error) =>
      notOpened(request, url, error, clock.currentTimeMillisUnsafe()),
    )
    const id = yield* idOf(yield* calls.call(request, openId), request)
    const isOpen = () => socket?.readyState === OPEN && !Deferred.isDoneUnsafe(lost)
    const beat = () => {
      if (isOpen() && pulse?.beat() === false) giveUp("the server did not answer a ping")
    }
    yield* Effect.forkScoped(every(limits.heartbeat, beat, isOpen))
    return {
      lost: Deferred.await(lost),
      params: [id] as const,
      isOpen,
      isEnded: () => isEnded,
      pause: () => socket?.pause?.(),
      resume: () => socket?.resume?.(),
      enough: notifications.enough,
      unsubscribe: (closing) => Effect.asVoid(calls.call(closing, closeId)),
    }
  })

const handshakeOf = ({ limits, request, url }: LineOptions): Handshake => ({
  url: url.href,
  headers: requestHeaders(request.network, url),
  maxPayload: limits.eventBytes,
})

const tooLong = ({ limits, request, subscription, url }: LineOptions): RpcError =>
  eventTooLarge({ ...request, method: { ...request.method, name: subscription.notification } }, url, limits.eventBytes)

interface LineCalls {
  /** Sends a call and waits for its reply. A call whose connection is lost may have been charged. */
  readonly call: (request: RpcRequest, id: number) => Effect.Effect<Json.Json, RpcError>
  /** False when a message is not the reply to one of the calls. */
  readonly receive: (message: Json.JsonObject, hasBegun: boolean) => boolean
}

/** The two calls of a subscription. */
const makeLineCalls = (
  { clock, limits, url }: LineOptions,
  socket: () => Socket | undefined,
  lost: Effect.Effect<string, RpcError>,
  onId: (id: SubscriptionId) => void,
): LineCalls => {
  const replies = new Map<number, (message: Json.JsonObject) => void>()
  const failed = (request: RpcRequest, said: string, outcome: "unsent" | "timeout") =>
    Effect.fail(failure(request, new RpcReason.Transport({ said }), outcome))
  const exchange = (request: RpcRequest, id: number) =>
    Effect.callback<Json.Json, RpcError>((resume) => {
      const own = socket()
      if (own?.readyState !== OPEN)
        return resume(failed(request, `the socket was closed (${shownHost(request.network, url)})`, "unsent"))
      replies.set(id, (message) => {
        replies.delete(id)
        const read = Wire.decodeMessage(request, id, withId(message, id), clock.currentTimeMillisUnsafe())
        // A message after the reply in the same turn may already be an event of the subscription.
        if (id === openId && Result.isSuccess(read) && isSubscriptionId(read.success.result)) onId(read.success.result)
        resume(Effect.map(Effect.fromResult(read), ({ result }) => result))
      })
      request.onSend?.()
      own.send(Wire.encodeRequest(request, id))
      return Effect.sync(() => replies.delete(id))
    })
  const timeout = new RpcReason.Timeout({ millis: millisOf(limits.timeout) })
  return {
    call: (request, id) =>
      exchange(request, id).pipe(
        Effect.raceFirst(Effect.flatMap(lost, (said) => failed(request, `${said} before a reply`, "timeout"))),
        Effect.timeoutOrElse({
          duration: limits.timeout,
          orElse: () => Effect.fail(failure(request, timeout, "timeout")),
        }),
      ),
    receive: (message, hasBegun) => {
      const answered = Wire.idOf(message["id"])
      // Before the id is known, an error without one is about the call that asked for it.
      const isOfOpening = answered === undefined && !hasBegun && Wire.isError(message)
      const reply = replies.get(isOfOpening ? openId : (answered ?? 0))
      reply?.(message)
      return reply !== undefined
    },
  }
}

const openId = 1
const closeId = 2

const idOf = (given: Json.Json, request: RpcRequest): Effect.Effect<SubscriptionId, RpcError> => {
  if (isSubscriptionId(given)) return Effect.succeed(given)
  const said = `the id of the subscription must be a string of 1 to 200 characters or a whole number; the server sent ${kindOf(given)}`
  return Effect.fail(failure(request, new RpcReason.Malformed({ said }), "malformed"))
}

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
