/**
 * Backing off together: failures that overlap are one event, answered with one wait. The next wait is twice as long, and
 * a success, or a quiet time, ends the series.
 */

export interface CoolDown {
  /** How many whole milliseconds to wait after an attempt has failed, before the next. */
  readonly failed: (failure: Failure) => number
  /** An attempt that began at `began` has succeeded. */
  readonly succeeded: (began: number) => void
}

/** Times are in milliseconds of one clock. */
export interface Failure {
  /** When the attempt began. */
  readonly began: number
  readonly now: number
  /** The least that the server asked to wait; 0 when it did not. */
  readonly asked: number
  /** From 0 to 1, for jitter. */
  readonly random: number
}

export interface CoolDownOptions {
  /** The first wait in milliseconds, doubled for each one after it. */
  readonly base: number
  /** The longest wait that doubling leads to. */
  readonly cap: number
}

export const makeCoolDown = ({ base, cap }: CoolDownOptions): CoolDown => {
  let series = 0
  let since = Number.NEGATIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  return {
    failed: ({ asked, began, now, random }) => {
      // An attempt that began before the others failed tells nothing that they had not told.
      if (began >= since && now >= until) {
        if (now - until > cap) series = 0
        // A fifth more or less at random, so that processes that failed together do not come back together.
        until = now + Math.min(base * 2 ** series, cap) * (0.8 + 0.4 * random)
        since = now
        series++
      }
      until = Math.max(until, now + asked)
      return Math.ceil(Math.max(0, until - now))
    },
    succeeded: (began) => {
      if (began < since) return
      series = 0
      until = Number.NEGATIVE_INFINITY
    },
  }
}
