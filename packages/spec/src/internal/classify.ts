/** The meaning of an error that the method itself did not recognise: HTTP statuses, then JSON-RPC's reserved codes. */
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
    ...(failure.rpcCode === undefined ? {} : { rpcCode: failure.rpcCode }),
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
  if (failure.httpStatus >= 500) return new Transport({ ...words, ...delay })
  switch (failure.rpcCode) {
    case -32601:
      return new Unsupported(words)
    case -32602:
      return new InvalidParams(words)
  }
  return new Rejected(failure.data === undefined ? words : { ...words, data: failure.data })
}
