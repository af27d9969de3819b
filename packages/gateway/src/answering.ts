/**
 * A body from its text to its answer: read, priced and charged as a whole, its entries answered in order, what they did not
 * cost returned.
 */
import { inTurns, type Json, type PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Result } from "effect"
import { hasMoreValues } from "./internal/textSize.ts"
import type { Balances, Limits, Now } from "./metering/Balances.ts"
import type { Metrics } from "./metering/Metrics.ts"
import {
  faultOf,
  type PricedEntry,
  priceEntry,
  type Pricing,
  servicePricing,
  sheetPricing,
} from "./metering/pricing.ts"
import { noBalance, notAdmitted, type Refusal, unknownNetwork } from "./metering/Refusal.ts"
import { isCall, readEnvelope, writeReply } from "./methods/Envelope.ts"
import { type Fault, invalidParams } from "./methods/Fault.ts"
import { replyRoom, type ReplyRoom } from "./methods/ReplyRoom.ts"
import type { Subscriber } from "./methods/Subscriber.ts"
import { isNetworkId, type NetworkId, networkIds, networks } from "./networks.ts"
import type { AnsweredBody } from "./replies.ts"
import type { Services } from "./services.ts"

export interface AnsweringParts {
  readonly balances: Balances
  readonly batchLimit: number
  readonly limits: Limits
  readonly metrics: Metrics
  readonly prices: PriceSheet.PriceSheet | undefined
  /** Why a network or key is refused whatever the body says. */
  readonly refusalOf: (network: string, key: string) => Refusal | undefined
  readonly replyLimit: number
  readonly services: Services
}

/** A body that was posted to a network with a key. */
export interface GatewayRequest {
  readonly network: string
  readonly key: string
  readonly body: string
  /** What time it is, in milliseconds since 1970, as in a simulation; by the place of the balances where it is absent. */
  readonly now?: Now | undefined
  /** Asked before a part of the reply of so many bytes is kept; false refuses it. There is always room by default. */
  readonly takeRoom?: ((bytes: number) => boolean) | undefined
}

/** A body, and the connection it came over if events can be sent to that. */
export interface ReceivedRequest extends GatewayRequest {
  readonly subscriber?: Subscriber | undefined
}

export type Answering = (request: ReceivedRequest) => Effect.Effect<AnsweredBody>

export const answering =
  (parts: AnsweringParts): Answering =>
  (request) =>
    Effect.suspend((): Effect.Effect<AnsweredBody> => {
      const { key, network } = request
      const refusal = parts.refusalOf(network, key)
      return refusal !== undefined || !isNetworkId(network)
        ? Effect.succeed({ refusal: refusal ?? unknownNetwork(networkIds) })
        : answerBody(parts, network, request)
    })

/** Reads and charges a body of a known network and key, and answers its entries in order. */
const answerBody = Effect.fnUntraced(function* (
  parts: AnsweringParts,
  network: NetworkId,
  request: ReceivedRequest,
): Effect.fn.Return<AnsweredBody> {
  const { balances, batchLimit, limits, replyLimit, services } = parts
  const sample = services.sampleOf(network)
  if (!sample.isMade()) yield* inTurns(sample.making)
  const envelope = readEnvelope(request.body, batchLimit)
  const pricing = pricingOf(parts, network)
  const priced = envelope.entries.map((entry) => priceEntry(pricing, services.methods[network], entry))
  const surcharge = envelope.batch ? pricing.batch : 0
  const charges = priced.map(({ credits, name }) => ({ method: name, credits }))
  if (surcharge > 0) charges.push({ method: "batch", credits: surcharge })

  const refuse = (refusal: Refusal, spent?: number): AnsweredBody => {
    for (const { method } of charges)
      parts.metrics.observe({ network, method, status: String(refusal.status), credits: 0, seconds: 0 })
    return { refusal, envelope, remaining: spent === undefined ? undefined : limits.daily - spent }
  }
  const admission = yield* Effect.result(balances.admit(request.key, charges, limits, request.now))
  if (Result.isFailure(admission)) return refuse(noBalance())
  if (!admission.success.admitted) return refuse(notAdmitted(admission.success), admission.success.spent)

  const room = replyRoom(replyLimit, request.takeRoom ?? (() => true))
  const body: AdmittedBody = { ...admission.success, pricing, request, room }
  const replies = yield* answerEntries(parts, priced, body)
  return { envelope, replies, surcharge, remaining: limits.daily - body.spent }
})

const pricingOf = ({ prices, replyLimit, services }: AnsweringParts, network: NetworkId): Pricing =>
  prices === undefined
    ? servicePricing
    : sheetPricing(prices, {
        network: networks[network],
        head: () => services.headOf(network),
        mostBytes: replyLimit,
      })

/** A body that was charged, while its entries are answered. */
interface AdmittedBody {
  /** The day that it was charged on, to which credits are returned. */
  readonly day: number
  /** What its key has spent on that day, as reported last. */
  spent: number
  readonly pricing: Pricing
  readonly request: ReceivedRequest
  readonly room: ReplyRoom
}

const answerEntries = (parts: AnsweringParts, priced: ReadonlyArray<PricedEntry>, body: AdmittedBody) => {
  const [first, ...others] = priced
  // A lone call, which most are, needs no fibers of its own. Between those of a batch others are answered.
  return first !== undefined && others.length === 0
    ? Effect.map(answerEntry(parts, first, body), (reply) => [reply])
    : Effect.forEach(priced, (entry) => Effect.andThen(Effect.yieldNow, answerEntry(parts, entry, body)))
}

/** Answers one entry, and returns what it did not cost. */
const answerEntry = Effect.fnUntraced(function* (parts: AnsweringParts, priced: PricedEntry, body: AdmittedBody) {
  const { credits, entry, name } = priced
  const { pricing, request, room } = body
  const started = yield* Clock.currentTimeNanos
  const answer = room.admit(yield* Effect.result(answerTo(priced, room, request.subscriber)))
  const seconds = Number((yield* Clock.currentTimeNanos) - started) / 1e9
  const text = writeReply(entry, answer)
  let cost = pricing.cost(priced, answer, () => new TextEncoder().encode(text).byteLength)
  if (cost < credits) {
    const unused = { method: name, credits: credits - cost }
    const returned = yield* Effect.result(parts.balances.refund(request.key, unused, body.day, request.now))
    // What could not be returned stays charged.
    if (Result.isSuccess(returned)) body.spent = returned.success
    else cost = credits
  }
  const status = Result.isSuccess(answer) ? 200 : (answer.failure.status ?? 200)
  const label = Result.isFailure(answer) && status === 200 ? "rpc-error" : String(status)
  parts.metrics.observe({ network: request.network, method: name, status: label, credits: cost, seconds })
  return { status, cost, text }
})

/** What a method says; nothing is asked when its reply has no place. */
const answerTo = (
  { entry, method }: PricedEntry,
  room: ReplyRoom,
  subscriber: Subscriber | undefined,
): Effect.Effect<Json.Json, Fault> => {
  if (method === undefined || !isCall(entry)) return Effect.fail(faultOf(entry))
  const full = room.full()
  if (full !== undefined) return Effect.fail(full)
  // Every value is checked, and what is wrong with each is worked out before the first is reported.
  return hasMoreValues(entry.params, PARAMS_LIMIT)
    ? Effect.fail(invalidParams(`invalid params: more than ${PARAMS_LIMIT} values`))
    : method.call(entry.params, subscriber)
}

/** Ten times what the largest query of any method needs. */
const PARAMS_LIMIT = 50_000
