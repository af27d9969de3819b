/** A bucket of tokens that refills at a constant rate. */

export interface Bucket {
  /** Milliseconds until the bucket holds what `cost` needs: all of it, or a full bucket when it costs more than that. */
  readonly waitFor: (cost: number, now: number) => number
  /** Takes `cost` tokens. A bucket that does not hold them owes them: the next wait is longer by that. */
  readonly take: (cost: number, now: number) => void
  /** Puts tokens back that were taken and not used. */
  readonly giveBack: (cost: number) => void
}

/**
 * Instead of a number of tokens it keeps the moment at which it will be full again, so that no rounding adds up.
 */
export const makeBucket = (perSecond: number, burstMillis: number): Bucket => {
  let fullAt = Number.NEGATIVE_INFINITY
  const millisOf = (cost: number) => (cost / perSecond) * 1_000
  return {
    waitFor: (cost, now) => {
      const wait = Math.max(fullAt, now) + Math.min(millisOf(cost), burstMillis) - burstMillis - now
      return Math.max(0, Math.ceil(wait - roundingMillis))
    },
    take: (cost, now) => {
      fullAt = Math.max(fullAt, now) + millisOf(cost)
    },
    giveBack: (cost) => {
      fullAt -= millisOf(cost)
    },
  }
}

/** A wait that is only an error of floating point is none. */
const roundingMillis = 1e-6
