/**
 * The transport over WebSocket (service §4): one socket for each URL, opened when it is first needed, with many calls
 * on it at once.
 *
 * Invariant: errors name at most the host and port of a URL. A call is sent once; whether it is sent again is `Retry`'s
 * to decide.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type Network,
  Options as Check,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  SecretGate,
  Transport,
} from "@dotrpc/spec"
import { RequestTimeout } from "./CallSettings.ts"
import { makeDeadlines } from "./internal/http/deadlines.ts"
import { urlOf, overWebSocket } from "./internal/endpointUrl.ts"
import { elapsedOf } from "./internal/elapsed.ts"
import { failure } from "./internal/failure.ts"
import { withheld } from "./internal/gatePassed.ts"
import { sendsHeaders, webSocketOf, withoutHeaders } from "./internal/socket/handshake.ts"
import { headersKey, requestHeaders } from "./internal/requestHeaders.ts"
import type { WebSocketConstructor } from "./internal/socket/socket.ts"
import { longestMessage, replyLimitOf } from "./internal/replyLimit.ts"
import { makeSocketLink, type SocketLimits, type SocketLink } from "./internal/socket/socketLink.ts"

export type { Socket, WebSocketConstructor } from "./internal/socket/socket.ts"

/** How the connection is made, kept and checked. */
export interface Options {
  /** Used instead of the global `WebSocket`, which Node has from version 22 on: the class of the package `ws`, say. */
  readonly webSocket?: WebSocketConstructor | undefined
  /** How long to wait for a reply, opening included; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
  /** How long a socket may take to open; 10 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
  /** A socket without calls is closed after this; 1 minute by default. */
  readonly idle?: Duration.Input | undefined
  /**
   * How often a socket with calls in flight is sent a ping, where it can; 30 seconds by default. One that sends neither the
   * answer nor anything else until the next one is given up.
   */
  readonly heartbeat?: Duration.Input | undefined
  /** The first wait before a lost socket is opened again, doubled each time, a fifth more or less; 150 milliseconds by default. */
  readonly reconnectBase?: Duration.Input | undefined
  /** The longest wait that doubling leads to; 10 seconds by default. */
  readonly reconnectCap?: Duration.Input | undefined
  /** How many calls may be in flight on one socket; 1,000 by default. Others wait. */
  readonly inFlight?: number | undefined
  /** How many bytes may wait to leave before other calls wait too; 1 MiB by default. */
  readonly buffered?: number | undefined
  /**
   * The most bytes that a message may have, once it is unpacked; 64 MiB by default, and never more than 500,000,000. The package `ws` stops reading at the
   * limit and closes the socket. Other sockets, such as those of browsers, hand a message over when it is whole: the id at
   * its beginning or end then says which call fails, and the socket stays open.
   */
  readonly maxReplyBytes?: number | undefined
}

/**
 * Sends calls over the WebSocket at `wsUrl` of their network, whose headers are those of the handshake. Sockets are closed when they have been idle and when the
 * layer ends. The end of a call that is interrupted, or times out, leaves its socket and the other calls alone, unless
 * nothing at all came over the socket since the call was sent: then it is given up, as half of a connection looks so.
 *
 * Errors, with the outcome that decides what is charged:
 * - `NotFound`, unsent: the network has no `wsUrl`, or one that a WebSocket cannot reach; or it has headers, which sockets of
 *   browsers cannot send
 * - `Transport`, unsent: the socket could not be opened; what a refusal with an HTTP status means, where it is reported
 * - `Transport`, timeout: the socket was lost after the call had been sent, so that it may have been charged
 * - `Timeout`: no reply in time; unsent when it was still waiting to be sent
 * - `ReplyTooLarge`, malformed: the reply has more than `maxReplyBytes`
 * - `Transport`, timeout: a message has more than `maxReplyBytes`, and may be the reply to any of several calls. The socket is
 *   given up, and as many calls are then sent one at a time, so that the call that is at fault is known when it is sent again
 * - `Transport`, timeout: the server sent an error without an id, or a message that is not a reply, and once the other calls had their
 *   replies, this was one of those left
 * - `Malformed`, malformed: a reply that is not JSON-RPC, to the only call in flight. Also a reply in more pieces
 *   than the package `ws` puts together, once it is known whose it is, as with `ReplyTooLarge`
 * - whatever the method or the common rules make of an error the server sent
 *
 * The layer fails with `InvalidOptions` on options that make no sense, and where there is no `WebSocket` and none is given.
 *
 * @example
 * ```ts
 * import { WebSocket } from "ws"
 *
 * const transport = WebSocketTransport.layer({ webSocket: WebSocket })
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { limits, make, timeout } = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      const scope = yield* Effect.scope
      const clock = yield* Clock.Clock
      const gate = yield* SecretGate
      const links = new Map<string, SocketLink>()
      yield* Effect.addFinalizer(() =>
        Effect.forEach(links.values(), (link) => link.close, { concurrency: "unbounded", discard: true }),
      )
      const linkTo = (url: URL, network: Network): SocketLink => {
        const key = url.href + headersKey(network)
        const known = links.get(key)
        if (known !== undefined) return known
        const link = makeSocketLink({ make, url, headers: requestHeaders(network, url), limits, clock, scope })
        links.set(key, link)
        return link
      }
      const deadlines = yield* makeDeadlines
      const knownLinks = new WeakMap<Network, { readonly url: URL; readonly link: SocketLink }>()
      const linkOf = (
        request: RpcRequest,
      ): Result.Result<{ readonly url: URL; readonly link: SocketLink }, RpcError> => {
        const { network } = request
        const known = knownLinks.get(network)
        if (known !== undefined) return Result.succeed(known)
        const url = urlOf(request, overWebSocket)
        if (Result.isFailure(url)) return Result.fail(url.failure)
        if (network.headers !== undefined && !sendsHeaders(make)) return Result.fail(withoutHeaders(request))
        // A link opens nothing before its first call, which passes the gate.
        const found = { url: url.success, link: linkTo(url.success, network) }
        knownLinks.set(network, found)
        return Result.succeed(found)
      }
      const send = (request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.withFiber((fiber) => {
          const found = linkOf(request)
          if (Result.isFailure(found)) return Effect.fail(found.failure)
          const { link, url } = found.success
          const refused = withheld(gate, request, url)
          if (refused !== undefined) return Effect.fail(refused)
          const own = fiber.getRef(RequestTimeout)
          const limit = own === undefined ? timeout : Duration.fromInputUnsafe(own)
          let sentAt: number | undefined
          const attempt: RpcRequest = {
            ...request,
            onSend: () => {
              sentAt = elapsedOf(clock)
              request.onSend?.()
            },
          }
          const noReply = Effect.suspend(() => {
            if (sentAt !== undefined) link.timedOut(sentAt)
            const reason = new RpcReason.Timeout({ millis: Duration.toMillis(limit) })
            return Effect.fail(failure(request, reason, sentAt === undefined ? "unsent" : "timeout"))
          })
          const within = (expire: () => void) => deadlines.add(Duration.toMillis(limit), expire)
          const waiting = Effect.timeoutOrElse(link.call(attempt), { duration: limit, orElse: () => noReply })
          return link.callWithin(attempt, within, noReply, waiting)
        })
      return Transport.of({ send, replyBytes: limits.replyBytes })
    }),
  )

const optionNames: Check.Members<Options> = {
  webSocket: true,
  timeout: true,
  connectTimeout: true,
  idle: true,
  heartbeat: true,
  reconnectBase: true,
  reconnectCap: true,
  inFlight: true,
  buffered: true,
  maxReplyBytes: true,
}

const settingsOf = (options: Options) => ({
  make: webSocketOf(options.webSocket),
  limits: limitsOf(options),
  timeout: Duration.millis(Check.millisAboveZero("timeout", options.timeout ?? "30 seconds")),
})

const limitsOf = (options: Options): SocketLimits => ({
  connectTimeout: Duration.millis(Check.millisAboveZero("connectTimeout", options.connectTimeout ?? "10 seconds")),
  idle: Check.millis("idle", options.idle ?? "1 minute"),
  heartbeat: Check.millisAboveZero("heartbeat", options.heartbeat ?? "30 seconds"),
  reconnectBase: Check.millis("reconnectBase", options.reconnectBase ?? "150 millis"),
  reconnectCap: Check.millis("reconnectCap", options.reconnectCap ?? "10 seconds"),
  inFlight: Check.wholeAboveZero("inFlight", options.inFlight ?? 1_000),
  buffered: Check.zeroOrMore("buffered", options.buffered ?? 1_048_576, "bytes"),
  replyBytes: Math.min(replyLimitOf(options.maxReplyBytes), longestMessage),
})
