/** Errors after which a narrower query is the only thing that can help, when it can. */
import type { RpcError } from "@dotrpc/spec"

/** Whether a query took too long: no reply came in time, or what stands in front of the node gave up. */
export const ranOutOfTime = ({ outcome, reason }: RpcError): boolean =>
  reason._tag === "Timeout" ? outcome !== "unsent" : reason._tag === "Transport" && gaveUp.has(reason.httpStatus ?? 0)

const gaveUp = new Set([408, 504, 524])

/**
 * Whether a server failed and named no time to come back, or its reply broke off: it may be down, or the query was too much for it or for
 * what lies between.
 */
export const brokeDown = (error: RpcError): boolean => {
  const { outcome, reason } = error
  if (reason._tag !== "Transport" || reason.retryAfterMillis !== undefined) return false
  return isBusy(error) || outcome === "malformed"
}

/** Whether a server failed as those do that have too much to do, whatever is asked of them. */
export const isBusy = ({ reason }: RpcError): boolean => reason._tag === "Transport" && (reason.httpStatus ?? 0) >= 500
