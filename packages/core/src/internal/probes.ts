/**
 * When an endpoint that has said it will not answer for long is asked all the same, as it may have been wrong: by one
 * call after a while, and then after twice as long each time, up to an hour.
 */

import type { RpcError } from "@dotrpc/spec"

export interface Probes {
  /** It said so; where it had said so before, this changes nothing. */
  readonly close: (now: number) => void
  /** It answers again. */
  readonly open: () => void
  /** Milliseconds until one call may find out. */
  readonly waitFor: (now: number) => number
  /** One call finds out now. */
  readonly take: (now: number) => void
}

/** How long after it closed the first call finds out, at least. */
export const firstProbeMillis = 60_000

const longestMillis = 3_600_000

export const makeProbes = (firstMillis = firstProbeMillis): Probes => {
  let wait = firstMillis
  let nextAt: number | undefined
  return {
    close: (now) => {
      nextAt ??= now + wait
    },
    open: () => {
      wait = firstMillis
      nextAt = undefined
    },
    waitFor: (now) => (nextAt === undefined ? 0 : Math.max(0, Math.ceil(nextAt - now))),
    take: (now) => {
      wait = Math.max(firstMillis, Math.min(2 * wait, longestMillis))
      nextAt = now + wait
    },
  }
}

/** Whether an error is what the server answers to calls that it takes: then it does not refuse them. */
export const isServed = ({ outcome, reason }: RpcError): boolean => outcome !== "unsent" && !refusals.has(reason._tag)

const refusals = new Set<RpcError["reason"]["_tag"]>([
  "RateLimited",
  "Transport",
  "Timeout",
  "BudgetExhausted",
  "PaymentRequired",
  "AuthFailed",
])
