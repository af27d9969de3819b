/**
 * The meaning of an error that the method itself did not recognise: statuses of the gate in front of the node, then codes
 * with which the node says that this very request can never succeed, then any other status.
 */
import type { ServerFailure } from "../Method.ts"
import {
  AuthFailed,
  BudgetExhausted,
  InvalidParams,
  Rejected,
  type Reason,
  RateLimited,
  Transport,
  Unsupported,
} from "../RpcReason.ts"

const dayMillis = 86_400_000

/** Some servers report a used-up day as a rate limit, and only the words tell. */
const dailyLimitReached = /\bdaily (request count exceeded|credit limit)\b/i

/** The next midnight in UTC, when the daily balance resets. */
export const nextReset = (now: number): Date => new Date((Math.floor(now / dayMillis) + 1) * dayMillis)

export const classifyCommon = (failure: ServerFailure, now: number): Reason => {
  const words = {
    said: failure.message,
    httpStatus: failure.httpStatus,
    rpcCode: failure.rpcCode,
  }
  const delay = failure.retryAfterMillis === undefined ? {} : { retryAfterMillis: failure.retryAfterMillis }
  if (dailyLimitReached.test(failure.message)) return new BudgetExhausted({ ...words, resetsAt: nextReset(now) })
  // A WebSocket has no HTTP status, so the service puts 402 and 429 into the JSON-RPC code there.
  switch (failure.httpStatus < 400 ? failure.rpcCode : failure.httpStatus) {
    case 402:
      return new BudgetExhausted({ ...words, resetsAt: nextReset(now) })
    case 429:
      return new RateLimited({ ...words, ...delay })
    case 401:
    case 403:
      return new AuthFailed(words)
    case 408:
      return new Transport({ ...words, ...delay })
  }
  const rejected = () => new Rejected(failure.data === undefined ? words : { ...words, data: failure.data })
  // Some nodes send every error as an HTTP 500. Sending a call with one of these again changes nothing.
  switch (failure.rpcCode) {
    case -32601:
      return new Unsupported({ ...words, lacks: "method" })
    case -32602:
      return new InvalidParams(words)
    case -32600:
    case -32700:
      return rejected()
  }
  return failure.httpStatus >= 500 ? new Transport({ ...words, ...delay }) : rejected()
}
