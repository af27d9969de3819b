/**
 * Failures in viem's own classes: what its users catch, and what its actions look into to explain a revert.
 *
 * Invariant: no text contains more of a URL than its scheme and host.
 */
import type { RpcError, RpcReason } from "@dotrpc/spec"
import { type BaseError, HttpRequestError, RpcRequestError, TimeoutError } from "viem"
import { CallFailed } from "../CallFailed.ts"
import type { EvmRequest } from "./request.ts"

/** Where and what was asked; the URL as it may be shown. */
export interface Asked {
  readonly request: EvmRequest
  readonly url: string
}

/**
 * An error with a JSON-RPC code is a `RpcRequestError`, which viem then turns into its class for the code; no reply in time
 * is a `TimeoutError`, anything else between here and a reply a `HttpRequestError`.
 */
export const viemError = (failure: RpcError, { request, url }: Asked): BaseError => {
  const { reason } = failure
  const cause = new CallFailed(failure)
  const body = { method: request.method, params: request.params ?? [] }
  const code = codeOf(reason)
  if (code !== undefined) {
    const data = failure.data === undefined ? {} : { data: failure.data }
    const error = Object.assign(cause, { code, ...data })
    return withAdvice(new RpcRequestError({ body, url, error }), failure)
  }
  if (reason._tag === "Timeout") {
    const error = new TimeoutError({ body, url })
    error.cause = cause
    return withAdvice(error, failure)
  }
  const status = "httpStatus" in reason && reason.httpStatus !== undefined ? { status: reason.httpStatus } : {}
  return withAdvice(new HttpRequestError({ body, url, cause, ...status }), failure)
}

/** viem's own message with the advice in it, which it also copies from here into the error it makes for a code. */
const withAdvice = <E extends BaseError>(error: E, { advice, code }: RpcError): E => {
  const lines = [...(error.metaMessages ?? []), `Advice: ${advice} (${code})`]
  error.metaMessages = lines
  error.message = [error.shortMessage, "", ...lines, "", `Details: ${error.details}`, `Version: ${error.version}`].join(
    "\n",
  )
  return error
}

/** The JSON-RPC code of an error: the server's, or the one that stands for a refusal before anything was sent. */
const codeOf = (reason: RpcReason.Reason): number | undefined => {
  if ("rpcCode" in reason && reason.rpcCode !== undefined) return reason.rpcCode
  if ("httpStatus" in reason && reason.httpStatus !== undefined) return undefined
  switch (reason._tag) {
    case "InvalidParams":
    case "TooManyParams":
      return INVALID_PARAMS
    case "BudgetRefused":
    case "BudgetExhausted":
    case "PaymentRequired":
    case "DailyLimitReached":
    case "RateLimited":
    case "SplitRequired":
    case "ReplyTooLarge":
    case "UnsplittableRange":
      return LIMIT_EXCEEDED
    case "LedgerUnavailable":
      return RESOURCE_UNAVAILABLE
    case "Unsupported":
      return METHOD_NOT_SUPPORTED
    default:
      return undefined
  }
}

/** EIP-1474, as viem has it. */
const INVALID_PARAMS = -32602
const RESOURCE_UNAVAILABLE = -32002
const METHOD_NOT_SUPPORTED = -32004
const LIMIT_EXCEEDED = -32005
