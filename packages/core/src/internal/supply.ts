/** Where the calls of a rate come from: each process has a bucket of its own, or all of them share one. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { RateLimiter } from "effect/persistence"
import * as Bucket from "./bucket.ts"
import { elapsed } from "./elapsed.ts"

export interface Supply {
  /** Milliseconds until a call may go, as far as is known; `undefined` when {@link Supply.more} has to be run first. */
  readonly waitFor: (now: number) => number | undefined
  readonly take: (now: number) => void
  /** A call that was taken did not go. */
  readonly refund: () => void
  /** Gets some for so many that wait, however long that takes. */
  readonly more: (waiting: number) => Effect.Effect<void>
}

export interface Rate {
  readonly perSecond: number
  /** How much unused rate may be saved up, in milliseconds. */
  readonly burst: number
}

export const ownSupply = ({ burst, perSecond }: Rate): Supply => {
  let bucket = Bucket.full(perSecond, burst)
  return {
    waitFor: (now) => Bucket.waitFor(bucket, 1, now),
    take: (now) => {
      bucket = Bucket.take(bucket, 1, now)
    },
    refund: () => {
      bucket = Bucket.refund(bucket, 1)
    },
    more: () => Effect.void,
  }
}

/** What is got at once at most: a trip to the store for each call would take longer than the calls of a high rate. */
const batchMillis = 20

/** While the store cannot be reached, the process keeps to the rate by itself. */
export const sharedSupply = (limiter: RateLimiter.RateLimiter, key: string, rate: Rate): Supply => {
  const { burst, perSecond } = rate
  const most = Math.max(1, Math.floor((perSecond * batchMillis) / 1_000))
  const limit = Math.max(1, Math.floor((perSecond * burst) / 1_000))
  const window = Duration.millis((limit / perSecond) * 1_000)
  const own = ownSupply(rate)
  let available = 0
  let isAway = false

  const fromOwn = Effect.gen(function* () {
    yield* Effect.sleep(own.waitFor(yield* elapsed) ?? 0)
    own.take(yield* elapsed)
    return 1
  })

  return {
    waitFor: () => (available > 0 ? 0 : undefined),
    take: () => void available--,
    refund: () => void available++,
    more: (waiting) => {
      const tokens = Math.max(1, Math.min(waiting, most))
      const asked = limiter.consume({ algorithm: "token-bucket", onExceeded: "delay", window, limit, key, tokens })
      return Effect.matchEffect(asked, {
        onSuccess: ({ delay }) => {
          isAway = false
          return Duration.isZero(delay) ? Effect.succeed(tokens) : Effect.as(Effect.sleep(delay), tokens)
        },
        onFailure: () => {
          if (isAway) return fromOwn
          isAway = true
          return Effect.andThen(
            Effect.logWarning(
              "The shared rate cannot be read; until it can, this process keeps to the rate by itself.",
            ),
            fromOwn,
          )
        },
      }).pipe(
        Effect.map((got) => {
          available += got
        }),
      )
    },
  }
}
