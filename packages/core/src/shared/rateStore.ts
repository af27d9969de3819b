/** Effect's store for its `RateLimiter`, in a table. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { Cells } from "./cells.ts"

const Bucket = Schema.fromJsonString(Schema.Struct({ tokens: Schema.Finite, since: Schema.Finite }))
const Window = Schema.fromJsonString(Schema.Struct({ count: Schema.Finite, until: Schema.Finite }))

export const makeRateStore = (cells: Cells): RateLimiter.RateLimiterStore["Service"] => {
  const buckets = cells.of("bucket:", Bucket)
  const windows = cells.of("window:", Window)
  return {
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) => {
      const every = Duration.toMillis(refillRate)
      return buckets
        .change(key, (found, now) => {
          const before = found ?? { tokens: limit, since: now }
          // A clock that was ahead wrote this moment; nobody waits for it.
          const since = Math.min(before.since, now)
          const refills = Math.floor((now - since) / every)
          const held = Math.min(limit, before.tokens + refills)
          const from = held >= limit ? now : since + refills * every
          const left = held - tokens
          return {
            state: { tokens: allowOverflow || left >= 0 ? left : held, since: from },
            result: [left, now - from] as const,
          }
        })
        .pipe(Effect.mapError(unavailable))
    },
    fixedWindow: ({ key, limit, refillRate, tokens }) => {
      const every = Duration.toMillis(refillRate)
      return windows
        .change(key, (found, now) => {
          const { count, until } = found === undefined || found.until <= now ? { count: 0, until: now } : found
          const taken = count + tokens
          if (limit !== undefined && taken > limit) return { state: undefined, result: [taken, until - now] as const }
          const next = { count: taken, until: until + every * tokens }
          return { state: next, result: [taken, next.until - now] as const }
        })
        .pipe(Effect.mapError(unavailable))
    },
    adaptiveConsume: () => Effect.fail(notKept),
    adaptiveFeedback: () => Effect.fail(notKept),
  }
}

const unavailable = (cause: Error) =>
  new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: cause.message, cause }) })

const notKept = new RateLimiter.RateLimiterError({
  reason: new RateLimiter.RateLimitStoreError({
    message: "The tables of SharedSql keep no adaptive limits: use the store in memory or on Redis for those.",
  }),
})
