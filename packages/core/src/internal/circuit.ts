/**
 * What is known about one endpoint's health, and the calls that it rules out. Two clocks: the balance resets by the
 * wall clock, pauses end by elapsed time.
 */
import { type RpcError, RpcReason } from "@dotrpc/spec"
import { isServed, makeProbes } from "./probes.ts"

export interface Limits {
  /** Attempts in a row that find nobody before it opens. */
  readonly failures: number
  /** Milliseconds, as are the others. */
  readonly pause: number
  readonly longestPause: number
  readonly authPause: number
}

/** Whether a call may be sent; one that finds out is the only one that is sent while the balance is said to be used up. */
export type Verdict =
  | { readonly _tag: "Goes" }
  | { readonly _tag: "FindsOut" }
  | { readonly _tag: "Refused"; readonly reason: RpcReason.Reason }

export interface Circuit {
  /** What becomes of a call that comes now. When it finds out, it has to be sent. */
  readonly admit: (wall: number, elapsed: number) => Verdict
  /** Whether the endpoint was down and nobody has seen it answer since: one call may find out. */
  readonly isDown: () => boolean
  readonly succeeded: (verdict: Verdict) => void
  readonly failed: (error: RpcError, verdict: Verdict, wall: number, elapsed: number) => void
  /** The call that was to find out has found nobody. */
  readonly probeFailed: (elapsed: number) => void
}

const dayMillis = 86_400_000

export const makeCircuit = (limits: Limits): Circuit => {
  let spent: RpcReason.BudgetExhausted | undefined
  const probes = makeProbes()
  let denied: { readonly reason: RpcReason.AuthFailed; readonly until: number } | undefined
  let failures = 0
  let pauses = 0
  let downUntil: number | undefined
  let lastFailure: RpcReason.Transport | undefined
  let hasAnswered = false

  const answered = () => {
    failures = 0
    pauses = 0
    downUntil = undefined
    hasAnswered = true
  }
  const open = (elapsed: number) => {
    downUntil = elapsed + Math.min(limits.pause * 2 ** pauses, limits.longestPause)
    pauses++
    failures = 0
  }
  const hasCredits = () => {
    spent = undefined
    probes.open()
  }
  return {
    admit: (wall, elapsed) => {
      if (denied !== undefined) {
        if (elapsed < denied.until) return refused(stillDenied(denied.reason))
        denied = undefined
      }
      if (downUntil !== undefined && elapsed < downUntil)
        return refused(paused(lastFailure, hasAnswered, downUntil - elapsed))
      if (spent === undefined) return goes
      const left = spent.resetsAt.getTime() - wall
      // More than a day means that the clock was wrong when the server said so, or is wrong now.
      if (left <= 0 || left > dayMillis) {
        hasCredits()
        return goes
      }
      const untilProbe = probes.waitFor(elapsed)
      if (untilProbe > 0) return refused(usedUp(spent, untilProbe))
      probes.take(elapsed)
      return findsOut
    },
    isDown: () => downUntil !== undefined,
    succeeded: ({ _tag }) => {
      if (_tag === "FindsOut") hasCredits()
      denied = undefined
      answered()
    },
    failed: (error, { _tag }, wall, elapsed) => {
      const { outcome, reason } = error
      if (_tag === "FindsOut" && isServed(error)) hasCredits()
      switch (reason._tag) {
        case "Timeout":
          return
        case "Transport":
          lastFailure = reason
          // A server that has an error is there, and may be restarting.
          if (reason.httpStatus !== undefined) hasAnswered = true
          // What was sent before it opened has nothing new to tell.
          if (downUntil === undefined && ++failures >= limits.failures) open(elapsed)
          return
        case "BudgetExhausted":
          if (!isServers(reason) || reason.resetsAt.getTime() <= wall) break
          spent = reason
          probes.close(elapsed)
          break
        case "AuthFailed":
          if (isServers(reason)) denied = { reason, until: elapsed + limits.authPause }
      }
      if (outcome !== "unsent") answered()
    },
    probeFailed: open,
  }
}

const goes: Verdict = { _tag: "Goes" }
const findsOut: Verdict = { _tag: "FindsOut" }
const refused = (reason: RpcReason.Reason): Verdict => ({ _tag: "Refused", reason })

const stillDenied = ({ said }: RpcReason.AuthFailed): RpcReason.AuthFailed =>
  new RpcReason.AuthFailed({ said: `${said} (the server reported this a moment ago; nothing was sent)` })

const usedUp = ({ resetsAt, said }: RpcReason.BudgetExhausted, untilProbe: number): RpcReason.BudgetExhausted =>
  new RpcReason.BudgetExhausted({
    said: `${said} (the server reported this before; nothing was sent. A call that comes in ${Math.ceil(untilProbe / 1_000)} s or later asks it again)`,
    resetsAt,
  })

/** With what was wrong. An endpoint that has never answered is more likely to be another than to come back. */
const paused = (last: RpcReason.Transport | undefined, hasAnswered: boolean, left: number): RpcReason.Transport =>
  new RpcReason.Transport({
    said: `${last?.said ?? "the endpoint failed to answer"}; it failed several times in a row, so calls to it are paused, and nothing was sent`,
    hint: last?.hint,
    retryAfterMillis: Math.ceil(left),
    ...(hasAnswered ? {} : { lasting: true }),
  })

/** The runtime's own refusals have no code: they say nothing about the server. */
const isServers = (reason: RpcReason.ServerWords): boolean =>
  reason.rpcCode !== undefined || reason.httpStatus !== undefined
