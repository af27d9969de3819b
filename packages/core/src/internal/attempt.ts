/** One attempt, as the layers above the wire see it: whether it was sent, how it ended, and so its charge. */
import type { Exit } from "effect"
import * as Cause from "effect/Cause"
import {
  Price,
  type PriceSheet,
  type RequestPricing,
  type RpcError,
  type RpcReason,
  type RpcReply,
  type RpcRequest,
  type Transport,
} from "@dotrpc/spec"
import { usualBytes } from "./replyLimit.ts"
import { pricingOf } from "./methodPricing.ts"

export interface Attempt {
  /** What is sent on: it tells when it leaves. */
  readonly request: RpcRequest
  /** Whether its first byte has left. */
  sent: boolean
  /** How many times it was sent: more than once where something below, of a user's own perhaps, sends it again by itself. */
  sendings: number
  /** Credits for the way it was sent; `undefined` once it was given as something else: then nobody knows what it cost. */
  surcharge: number | undefined
  /** By the price sheet of the network, where it has one. */
  readonly pricing: RequestPricing | undefined
  readonly mostBytes: number
  /** What came over HTTP; `bytes` over a WebSocket as well. */
  reply: { readonly status?: number | undefined; readonly bytes?: number | undefined } | undefined
}

/** What a price counts, and the length of the reply that it pays for, where that has a price. */
export type PriceWords = Pick<RpcReason.BudgetRefused, "unit" | "replyBytes">

export const attemptOf = (request: RpcRequest, transport: Transport["Service"]): Attempt => {
  const pricing = pricingFor(request)
  const attempt: Attempt = {
    pricing,
    mostBytes: mostBytesOf(transport),
    reply: undefined,
    request: {
      ...request,
      onSend: (surcharge = 0) => {
        attempt.sent = true
        attempt.sendings++
        attempt.surcharge =
          attempt.surcharge === undefined || !Price.isCredits(surcharge) ? undefined : attempt.surcharge + surcharge
        request.onSend?.(surcharge)
      },
      ...(pricing === undefined
        ? {}
        : {
            onReply: (reply) => {
              attempt.reply = reply
              request.onReply?.(reply)
            },
          }),
    },
    sent: false,
    sendings: 0,
    surcharge: 0,
  }
  return attempt
}

const pricingFor = ({ method, network, pricing }: RpcRequest): RequestPricing | undefined =>
  pricing ?? (network.prices === undefined ? undefined : pricingOf(network.prices, network, method))

const mostBytesOf = ({ replyBytes = usualBytes }: Transport["Service"]): number => replyBytes

/** The most that one sending of this request is charged. Throws a `RangeError` when that is not a number of credits. */
export const highestPrice = (request: RpcRequest, transport: Transport["Service"]): number => {
  const pricing = pricingFor(request)
  const credits =
    pricing === undefined
      ? Price.priceOf(request.method, request.network).credits
      : pricing.most(request.params, mostBytesOf(transport))
  const surcharge = transport.surchargeOf?.(request).credits ?? 0
  checkPart("price", credits, request)
  checkPart("surcharge", surcharge, request)
  return credits + surcharge
}

/** What to say beside {@link highestPrice} when it cannot be paid. */
export const priceWords = (request: RpcRequest, transport: Transport["Service"]): PriceWords => ({
  unit: request.network.prices?.unit,
  replyBytes: pricingFor(request)?.countsBytes === true ? mostBytesOf(transport) : undefined,
})

const checkPart = (what: string, credits: number, { method }: RpcRequest): void => {
  if (!Price.isCredits(credits))
    throw new RangeError(`The ${what} of ${method.name} must be a number of credits, zero or more; it is ${credits}.`)
}

/** An attempt that was stopped counts as a timeout once its first byte had left: the server may have charged it. */
export const outcomeOf = ({ sent }: Attempt, exit: Exit.Exit<RpcReply, RpcError>): Price.Outcome => {
  if (exit._tag === "Success") return "ok"
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") return error.success.outcome
  return sent ? "timeout" : "unsent"
}

/** What is charged for an attempt that ended so, and for which `reserved` is set aside. */
export const chargeOf = (attempt: Attempt, exit: Exit.Exit<RpcReply, RpcError>, reserved: number): number => {
  const { mostBytes, request, pricing } = attempt
  const { method, network, params } = request
  const price = pricing === undefined ? Price.priceOf(method, network).credits : pricing.most(params, mostBytes)
  // How the sendings before the last one ended is not known here: each may have been charged.
  const before = Math.max(0, attempt.sendings - 1) * price
  const outcome = outcomeOf(attempt, exit)
  if (outcome === "unsent") return before
  const last =
    pricing === undefined
      ? Price.chargeFor(method.settle, price, outcome)
      : pricing.charge(
          params,
          endOf(attempt, outcome, exit),
          isTooLong(exit) ? Math.max(mostBytes, usualBytes) : mostBytes,
        )
  const charged = before + last
  // A batch is charged as such, whatever its calls cost.
  return attempt.surcharge === undefined ? Math.max(charged, reserved) : charged + attempt.surcharge
}

/**
 * Whether the reply was longer than what was reserved for. Nobody knows by how much, as its rest was not read: it counts as long
 * as replies are where nobody lowers the limit.
 */
const isTooLong = (exit: Exit.Exit<RpcReply, RpcError>): boolean => {
  if (exit._tag === "Success") return false
  const error = Cause.findError(exit.cause)
  return error._tag === "Success" && error.success.reason._tag === "ReplyTooLarge"
}

/** What is known of how it ended. What came in part is not known to be all that was sent. */
const endOf = (
  { reply, pricing }: Attempt,
  outcome: Price.Outcome,
  exit: Exit.Exit<RpcReply, RpcError>,
): PriceSheet.CallEnd => {
  const bytes = pricing?.countsBytes === true ? reply?.bytes : undefined
  if (exit._tag === "Success") return { outcome, bytes }
  const error = Cause.findError(exit.cause)
  const { httpStatus, rpcCode } = error._tag === "Success" ? serverWordsOf(error.success) : {}
  const status = reply?.status ?? httpStatus
  // An error in a batch whose status says that the batch failed: nobody knows which of them the provider goes by.
  if (outcome === "rpc-error" && status !== undefined && status >= 400) return { outcome: "ok", bytes }
  return { outcome, httpStatus: status, rpcCode, bytes }
}

const serverWordsOf = ({ reason }: RpcError): Pick<PriceSheet.CallEnd, "httpStatus" | "rpcCode"> => ({
  httpStatus: "httpStatus" in reason ? reason.httpStatus : undefined,
  rpcCode: "rpcCode" in reason ? reason.rpcCode : undefined,
})
