/**
 * What is known about one endpoint's health, and the calls that it rules out. Two clocks: the balance resets by the
 * wall clock, pauses end by elapsed time.
 */
import { type RpcError, RpcReason } from "@dotrpc/spec"

export interface Limits {
  /** Attempts in a row that find nobody before it opens. */
  readonly failures: number
  /** Milliseconds, as are the others. */
  readonly pause: number
  readonly longestPause: number
  readonly authPause: number
}

export interface Circuit {
  /** Why a call must not be sent now; `undefined` lets it pass. */
  readonly refusal: (wall: number, elapsed: number) => RpcReason.Reason | undefined
  /** Whether the endpoint was down and nobody has seen it answer since: one call may find out. */
  readonly isDown: () => boolean
  readonly succeeded: () => void
  readonly failed: (error: RpcError, wall: number, elapsed: number) => void
  /** The call that was to find out has found nobody. */
  readonly probeFailed: (elapsed: number) => void
}

const dayMillis = 86_400_000

export const makeCircuit = (limits: Limits): Circuit => {
  let spent: RpcReason.BudgetExhausted | undefined
  let denied: { readonly reason: RpcReason.AuthFailed; readonly until: number } | undefined
  let failures = 0
  let pauses = 0
  let downUntil: number | undefined

  const answered = () => {
    failures = 0
    pauses = 0
    downUntil = undefined
  }
  const open = (elapsed: number) => {
    downUntil = elapsed + Math.min(limits.pause * 2 ** pauses, limits.longestPause)
    pauses++
    failures = 0
  }
  return {
    refusal: (wall, elapsed) => {
      if (spent !== undefined) {
        const left = spent.resetsAt.getTime() - wall
        // More than a day means that the clock was wrong when the server said so, or is wrong now.
        if (left > 0 && left <= dayMillis)
          return new RpcReason.BudgetExhausted({
            said: `${spent.said} (the server reported this before; nothing was sent)`,
            resetsAt: spent.resetsAt,
          })
        spent = undefined
      }
      if (denied !== undefined) {
        if (elapsed < denied.until)
          return new RpcReason.AuthFailed({
            said: `${denied.reason.said} (the server reported this a moment ago; nothing was sent)`,
          })
        denied = undefined
      }
      if (downUntil === undefined || elapsed >= downUntil) return undefined
      return new RpcReason.Transport({
        said: "the endpoint failed to answer several times in a row, so calls to it are paused; nothing was sent",
        retryAfterMillis: Math.ceil(downUntil - elapsed),
      })
    },
    isDown: () => downUntil !== undefined,
    succeeded: () => {
      denied = undefined
      answered()
    },
    failed: ({ outcome, reason }, wall, elapsed) => {
      switch (reason._tag) {
        case "Timeout":
          return
        case "Transport":
          // What was sent before it opened has nothing new to tell.
          if (downUntil === undefined && ++failures >= limits.failures) open(elapsed)
          return
        case "BudgetExhausted":
          if (isServers(reason) && reason.resetsAt.getTime() > wall) spent = reason
          break
        case "AuthFailed":
          if (isServers(reason)) denied = { reason, until: elapsed + limits.authPause }
      }
      if (outcome !== "unsent") answered()
    },
    probeFailed: open,
  }
}

/** The runtime's own refusals have no code: they say nothing about the server. */
const isServers = (reason: RpcReason.ServerWords): boolean =>
  reason.rpcCode !== undefined || reason.httpStatus !== undefined
