/**
 * The transport that sends several calls in one POST: fewer requests where a server counts requests, but more expensive
 * where it counts credits. A provider may charge the batch itself as one more call, and a large reply holds up the
 * others; so nothing uses it unless it is asked for.
 *
 * Invariant: errors name at most the host and port of a URL. A call is in one batch, once.
 */
import type { Fiber, Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  atOnce,
  inTurns,
  Json,
  type LongBody,
  type Network,
  Options as Check,
  type Price,
  type RpcError,
  RpcReason,
  type RpcReply,
  type RpcRequest,
  SecretGate,
  type Steps,
  Transport,
  Wire,
} from "@dotrpc/spec"
import { RequestTimeout } from "./CallSettings.ts"
import { urlOf, overHttp } from "./internal/endpointUrl.ts"
import { makeDeparture } from "./internal/departure.ts"
import { arrived, type Exchange, exchange, type Fetch } from "./internal/exchange.ts"
import { failure } from "./internal/failure.ts"
import { withheld } from "./internal/gatePassed.ts"
import { readExchange } from "./internal/readExchange.ts"
import { replyLimitOf } from "./internal/replyLimit.ts"
import { headersKey, requestHeaders, type SentHeaders } from "./internal/requestHeaders.ts"
import { secretsOf } from "./internal/secretsOf.ts"
import * as Turn from "./Turn.ts"

/** How calls are put together, and sent. */
export interface Options {
  /** The most calls in one request; 30 by default. */
  readonly size?: number | undefined
  /** How long the first call waits for others; 0 by default, which gathers what is called in one turn. */
  readonly window?: Duration.Input | undefined
  /**
   * Credits for a batch on top of its calls, shared out among them; 80 by default, which is an assumption: that providers
   * charge it is known, how much is not. A call that goes alone is sent as it is, and costs its price.
   */
  readonly surcharge?: number | undefined
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** How long to wait for a whole reply, the window included; 30 seconds by default. `RequestTimeout` replaces it for a call. */
  readonly timeout?: Duration.Input | undefined
  /**
   * The most bytes that the reply to a batch may have, once it is unpacked; 64 MiB by default. A longer one is given up as soon as it has
   * that many, and its calls fail with `ReplyTooLarge`.
   */
  readonly maxReplyBytes?: number | undefined
}

/**
 * Sends calls to one URL with the same headers together. Each call is charged, retried and timed out by itself; one that is interrupted
 * leaves its batch, and the last one aborts the request. What a server says to the whole batch, such as 429, it says to
 * each of its calls. Errors are those of `HttpTransport`.
 *
 * Throws a `RangeError` when `size` is not a whole number above zero, `surcharge` or `window` is below zero, `timeout` is
 * not above zero, or `maxReplyBytes` is not a number of bytes above zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { fetch, limit, size, surcharge, timeout, window } = yield* Check.inLayer(() =>
        settingsOf(Check.members(options, optionNames)),
      )
      /** A price sheet says what a batch costs. */
      const surchargeOn = ({ prices }: Network): number => (prices === undefined ? surcharge : (prices.batch ?? 0))
      const highestOn = (network: Network): Price.Price => ({
        credits: size > 1 ? Math.ceil(surchargeOn(network) / 2) : 0,
        assumed: network.prices === undefined && options.surcharge === undefined,
      })
      const scope: Scope.Scope = yield* Effect.scope
      const gate = yield* SecretGate
      const gathering = new Map<string, Batch>()
      let lastId = 0

      /** Posts what is there, again when a call leaves before the first byte does. */
      const posted = Effect.fnUntraced(function* (batch: Batch): Effect.fn.Return<Posted | undefined> {
        while (batch.members.size > 0) {
          const members = [...batch.members]
          const answer = yield* post(batch, members)
          if (answer !== undefined) return { answer, members }
          // Others that leave at the same time are taken out as well.
          yield* Effect.yieldNow
        }
        return undefined
      })

      /** `undefined` when a call has left the batch, and nothing was sent. */
      const post = (batch: Batch, members: ReadonlyArray<Member>): Effect.Effect<Exchange | undefined> =>
        Effect.callback((resume) => {
          const shareOf = ({ network }: RpcRequest) =>
            members.length === 1 ? 0 : Math.ceil(surchargeOn(network) / members.length)
          const calls = members.map(({ id, request }) => Wire.encodeRequest(request, id))
          const body = members.length === 1 ? calls.join() : `[${calls.join(",")}]`
          const controller = new AbortController()
          const { signal } = controller
          const departure = makeDeparture(() => {
            for (const { request } of batch.members) request.onSend?.(shareOf(request))
          })
          const giveUp = () => {
            controller.abort()
            departure.settle()
          }
          batch.sending = {
            giveUp,
            takeOut: ({ request }) => {
              if (departure.hasLeft() !== false) return request.onSend?.(shareOf(request))
              controller.abort()
              batch.sending = undefined
              resume(Effect.succeed(undefined))
            },
          }
          const secrets = secretsOf(members.map(({ request }) => request))
          void exchange({
            fetch,
            url: batch.url,
            headers: batch.headers,
            body,
            limit,
            secrets,
            signal,
            departure,
          }).then((answer) => resume(Effect.succeed(answer)))
          return Effect.sync(giveUp)
        })

      /** Waits for others, then sends what is there and deals out the replies. */
      const carry = (batch: Batch): Effect.Effect<void> =>
        Effect.gen(function* () {
          yield* Effect.raceFirst(Effect.sleep(window), Deferred.await(batch.full))
          yield* Turn.afterWork
          close(batch)
          const sent = yield* posted(batch)
          if (sent === undefined) return
          const { answer, members } = sent
          Turn.beginWork()
          const now = yield* Clock.currentTimeMillis
          const ids = new Set<unknown>(members.map(({ id }) => id))
          const replies =
            members.length === 1
              ? undefined
              : answer._tag === "Whole"
                ? repliesById(answer.body, ids)
                : answer._tag === "Long"
                  ? yield* inTurns(() => findingReplies(answer.body, ids))
                  : undefined
          const isHeard = members.some(({ request }) => request.onReply !== undefined)
          const received = isHeard && "status" in answer ? arrived(answer) : undefined
          for (const member of members) {
            // Nobody knows how a provider divides the bytes of a batch: each call counts all of them.
            if (received !== undefined) member.request.onReply?.(received)
            const { id, request } = member
            if (answer._tag === "Long") {
              if (!batch.members.has(member)) continue
              const read = yield* inTurns(() => findingReplyIn(replies, member, { ...answer, now }))
              member.resume(Effect.fromResult(read))
            } else {
              const read = readExchange(request, batch.url, answer, now, (whole) =>
                replies === undefined ? Wire.decodeReply(request, id, whole) : replyIn(replies, member, whole),
              )
              member.resume(Effect.fromResult(read))
            }
          }
        })

      const close = (batch: Batch): void => {
        if (gathering.get(batch.key) === batch) gathering.delete(batch.key)
      }

      const batchFor = (url: URL, network: Network): Effect.Effect<Batch> =>
        Effect.suspend(() => {
          const key = url.href + headersKey(network)
          const open = gathering.get(key)
          if (open !== undefined) return Effect.succeed(open)
          const batch: Batch = {
            key,
            url,
            headers: requestHeaders(network, url),
            members: new Set(),
            full: Deferred.makeUnsafe(),
            fiber: undefined,
            sending: undefined,
          }
          gathering.set(key, batch)
          // What ends the batch from outside, such as the end of the layer, ends its calls.
          const carried = Effect.onExit(carry(batch), (exit) =>
            Effect.sync(() => {
              if (Exit.isSuccess(exit)) return
              for (const { resume } of batch.members) resume(Effect.failCause(exit.cause))
            }),
          )
          return Effect.map(Effect.forkIn(carried, scope), (fiber) => {
            batch.fiber = fiber
            return batch
          })
        }).pipe(Effect.uninterruptible)

      const join = (batch: Batch, request: RpcRequest): Effect.Effect<RpcReply, RpcError> =>
        Effect.callback((resume) => {
          const member: Member = { id: ++lastId, request, resume }
          batch.members.add(member)
          if (batch.members.size >= size) {
            close(batch)
            Deferred.doneUnsafe(batch.full, Effect.void)
          }
          return Effect.sync(() => {
            const { members, sending } = batch
            if (members.size === 1) sending?.giveUp()
            members.delete(member)
            if (members.size > 0) return sending?.takeOut(member)
            close(batch)
            batch.fiber?.interruptUnsafe()
          })
        })

      const send = Effect.fnUntraced(function* (request: RpcRequest): Effect.fn.Return<RpcReply, RpcError> {
        const url = yield* Effect.fromResult(urlOf(request, overHttp))
        const refused = withheld(gate, request, url)
        if (refused !== undefined) return yield* refused
        const own = yield* RequestTimeout
        const limit = own === undefined ? timeout : Duration.fromInputUnsafe(own)
        let sent = false
        const attempt: RpcRequest = {
          ...request,
          onSend: (share) => {
            if (sent) return
            sent = true
            request.onSend?.(share)
          },
        }
        const call = Effect.flatMap(batchFor(url, request.network), (batch) => join(batch, attempt))
        return yield* Effect.timeoutOrElse(call, {
          duration: limit,
          orElse: () => Effect.fail(timedOut(request, limit, sent)),
        })
      })
      return Transport.of({ send, surchargeOf: ({ network }) => highestOn(network), replyBytes: limit })
    }),
  )

/** The one of the moment, which a program may replace. */
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

const optionNames: Check.Members<Options> = {
  size: true,
  window: true,
  surcharge: true,
  fetch: true,
  timeout: true,
  maxReplyBytes: true,
}

const settingsOf = (options: Options) => ({
  fetch: Check.func("fetch", options.fetch ?? globalFetch),
  size: Check.wholeAboveZero("size", options.size ?? 30),
  surcharge: Check.zeroOrMore("surcharge", options.surcharge ?? assumedSurcharge, "credits"),
  timeout: Duration.millis(Check.millisAboveZero("timeout", options.timeout ?? "30 seconds")),
  limit: replyLimitOf(options.maxReplyBytes),
  window: Check.millis("window", options.window ?? 0),
})

/** What providers charge for a call whose price they do not list. */
const assumedSurcharge = 80

/** Calls in flight in one request. */
interface Batch {
  /** Of calls with the same URL and headers. */
  readonly key: string
  readonly url: URL
  readonly headers: SentHeaders
  readonly members: Set<Member>
  readonly full: Deferred.Deferred<void>
  fiber: Fiber.Fiber<void> | undefined
  /** Its request, once that is written. */
  sending: Sending | undefined
}

interface Sending {
  /** Aborts it, because the last call is about to leave. */
  readonly giveUp: () => void
  /** A call has left: the request is written again without it, or carries it all the same. */
  readonly takeOut: (member: Member) => void
}

interface Posted {
  readonly answer: Exchange
  /** The calls that the request carried. */
  readonly members: ReadonlyArray<Member>
}

interface Member {
  readonly id: number
  readonly request: RpcRequest
  readonly resume: (reply: Effect.Effect<RpcReply, RpcError>) => void
}

const timedOut = (request: RpcRequest, limit: Duration.Duration, sent: boolean): RpcError =>
  failure(request, new RpcReason.Timeout({ millis: Duration.toMillis(limit) }), sent ? "timeout" : "unsent")

type Replies = ReadonlyMap<unknown, Json.Json>

/** The replies of an array; `undefined` when the answer is anything else, which each call then reads as its own. */
const repliesById = (body: string, ids: ReadonlySet<unknown>): Replies | undefined => {
  try {
    return atOnce(sorting(Wire.parseReply(body), ids))
  } catch {
    return undefined
  }
}

/** As {@link repliesById}, for a long answer. */
function* findingReplies({ json }: LongBody, ids: ReadonlySet<unknown>): Steps<Replies | undefined> {
  return Result.isFailure(json) ? undefined : yield* sorting(json.success, ids)
}

function* sorting(replies: Json.Json, ids: ReadonlySet<unknown>): Steps<Replies | undefined> {
  if (!Json.isArray(replies)) return undefined
  const found = new Map<unknown, Json.Json>()
  for (const [index, reply] of replies.entries()) {
    const id = Json.isObject(reply) ? Wire.idOf(reply.id) : undefined
    if (ids.has(id)) found.set(id, reply)
    if (index % 1_000 === 999) yield
  }
  return found
}

const replyIn = (
  replies: Replies,
  { id, request }: Member,
  whole: Wire.HttpReply,
): Result.Result<RpcReply, RpcError> => {
  const reply = replies.get(id)
  if (reply !== undefined) return Wire.decodeMessage(request, id, reply, whole.now)
  // A status that refuses says so of the calls that have no reply of their own.
  return whole.status < 400 ? noReply(request, whole.status) : Wire.decodeReply(request, id, whole)
}

/** As {@link replyIn}, for one of a long answer. */
function* findingReplyIn(
  replies: Replies | undefined,
  { id, request }: Member,
  whole: Wire.LongReply,
): Steps<Result.Result<RpcReply, RpcError>> {
  const reply = replies?.get(id)
  if (reply !== undefined) return yield* Wire.decodingMessage(request, id, reply, whole.now, whole.body.mayHold)
  return replies !== undefined && whole.status < 400
    ? noReply(request, whole.status)
    : yield* Wire.decodingReply(request, id, whole)
}

const noReply = (request: RpcRequest, httpStatus: number): Result.Result<never, RpcError> => {
  const said = "the reply to the batch has no reply to this call"
  return Result.fail(failure(request, new RpcReason.Malformed({ said, httpStatus }), "malformed"))
}
