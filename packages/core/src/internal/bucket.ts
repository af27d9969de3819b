/**
 * A bucket of tokens that refills at a constant rate, as a value. Instead of a number of tokens it keeps the moment at
 * which it will be full again, so that no rounding adds up.
 */

export interface Bucket {
  readonly perSecond: number
  /** How long it takes to fill from empty. */
  readonly burstMillis: number
  readonly fullAt: number
}

export const full = (perSecond: number, burstMillis: number): Bucket => ({
  perSecond,
  burstMillis,
  fullAt: Number.NEGATIVE_INFINITY,
})

/** Milliseconds until the bucket holds what `cost` needs: all of it, or a full bucket when it costs more than that. */
export const waitFor = (bucket: Bucket, cost: number, now: number): number => {
  const { burstMillis, fullAt } = bucket
  const wait = Math.max(fullAt, now) + Math.min(millisOf(bucket, cost), burstMillis) - burstMillis - now
  return Math.max(0, Math.ceil(wait - roundingMillis))
}

/** Takes `cost` tokens. A bucket that does not hold them owes them: the next wait is longer by that. */
export const take = (bucket: Bucket, cost: number, now: number): Bucket => ({
  ...bucket,
  fullAt: Math.max(bucket.fullAt, now) + millisOf(bucket, cost),
})

/** Puts tokens back that were taken and not used. */
export const refund = (bucket: Bucket, cost: number): Bucket => ({
  ...bucket,
  fullAt: bucket.fullAt - millisOf(bucket, cost),
})

const millisOf = ({ perSecond }: Bucket, cost: number): number => (cost / perSecond) * 1_000

/** A wait that is only an error of floating point is none. */
const roundingMillis = 1e-6
