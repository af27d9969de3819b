/**
 * A layer that paces the credits of several processes together. `CreditBudget` has a limit per second of its own process; those who
 * share a key with a provider share the provider's limit as well.
 *
 * Invariant: an attempt is sent only after its whole price was taken from the rate. What was taken is not put back, so an attempt
 * that is interrupted while it waits leaves the rate unused and never exceeded.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { type Network, Options as Check, type Transport } from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { highestPrice } from "./internal/attempt.ts"
import * as Bucket from "./internal/bucket.ts"
import { elapsed } from "./internal/elapsed.ts"
import { attemptLayer } from "./internal/layerOver.ts"

/** The rate of all processes together, and where it is kept. */
export interface SharedOptions {
  /**
   * Credits per second, of all processes together, for each account separately, in its unit: from 0.000001 to a trillion. A second's
   * worth may be saved up.
   */
  readonly perSecond: number
  /** Those who use the same store and the same key share the rate; `dotrpc-credits` by default. Not a secret. */
  readonly key?: string | undefined
}

/**
 * Lets each attempt wait until all processes together, which have the same store for Effect's `RateLimiter`, may spend its highest price.
 * Belongs next to the transport, as `aroundAttempt` of `RpcClient.layerMetered`, with `perSecond` of `CreditBudget` above it: that
 * decides which call of a process is next, and refuses one that costs more than a second gives.
 *
 * While the store cannot be reached, each process keeps to the rate by itself, and says so in the log.
 *
 * The layer fails with `InvalidOptions` when the rate is outside these bounds; `Infinity` is not a rate that can be shared.
 *
 * @example
 * ```ts
 * const together = CreditRate.layerShared({ perSecond: 500 }).pipe(
 *   Layer.provide(RateLimiter.layer),
 *   Layer.provide(RateLimiter.layerStoreRedis()),
 *   Layer.provide(NodeRedis.layer({ url: "redis://redis.example:6379" })),
 * )
 * ```
 */
export const layerShared = (
  options: SharedOptions,
): Layer.Layer<Transport, Check.InvalidOptions, Transport | RateLimiter.RateLimiter> =>
  attemptLayer((transport) =>
    Effect.gen(function* () {
      const { key, perSecond } = yield* Check.inLayer(() => settingsOf(Check.members(options, optionNames)))
      const limiter = yield* RateLimiter.RateLimiter
      const tokensPerCredit = scaleOf(perSecond)
      const shared = tokensPerCredit === usualScale ? key : `${key}:${tokensPerCredit}`
      const limit = Math.floor(perSecond * tokensPerCredit)
      const own = new Map<string | undefined, Bucket.Bucket>()
      let isAway = false

      /** By this process alone; milliseconds. */
      const waitAlone = (account: string | undefined, credits: number): Effect.Effect<number> =>
        Effect.map(elapsed, (now) => {
          const bucket = own.get(account) ?? Bucket.full(perSecond, 1_000)
          own.set(account, Bucket.take(bucket, credits, now))
          return Bucket.waitFor(bucket, credits, now)
        })

      /** How long this price has to wait, which is taken already; milliseconds. */
      const waitFor = ({ account }: Network, credits: number): Effect.Effect<number> =>
        limiter
          .consume({
            algorithm: "token-bucket",
            onExceeded: "delay",
            window: "1 second",
            limit,
            key: account === undefined ? shared : `${shared}:${account}`,
            tokens: Math.ceil(credits * tokensPerCredit),
          })
          .pipe(
            Effect.matchEffect({
              onSuccess: ({ delay }) => {
                isAway = false
                return Effect.succeed(Duration.toMillis(delay))
              },
              onFailure: () => {
                const waiting = waitAlone(account, credits)
                if (isAway) return waiting
                isAway = true
                return Effect.andThen(
                  Effect.logWarning(
                    "The shared credits per second cannot be read; until then, this process keeps the limit by itself.",
                  ),
                  waiting,
                )
              },
            }),
          )

      const waitForTurn = Effect.fnUntraced(function* (network: Network, credits: number) {
        const millis = yield* waitFor(network, credits)
        if (millis === 0) return
        const observer = yield* CallObserver
        observer.onWait(millis, "waiting for the credits per second")
        yield* Effect.sleep(millis)
      })

      return (request, send) =>
        Effect.suspend(() => {
          const credits = highestPrice(request, transport)
          return credits === 0 ? send(request) : Effect.andThen(waitForTurn(request.network, credits), send(request))
        })
    }),
  )

const optionNames: Check.Members<SharedOptions> = { perSecond: true, key: true }

const settingsOf = ({ key = "dotrpc-credits", perSecond }: SharedOptions) => ({
  key: Check.text("key", key),
  perSecond: isRate(perSecond)
    ? perSecond
    : Check.refuse("perSecond", "a number of credits from 0.000001 to 1,000,000,000,000", perSecond),
})

const isRate = (value: number): boolean => typeof value === "number" && value >= 1e-6 && value <= 1e12

/**
 * Stores count whole tokens, and prices may be fractions of a credit. Two who have other rates for one key share what is left of it,
 * so tokens are worth the same at each usual rate.
 */
const scaleOf = (perSecond: number): number => {
  if (perSecond < 1) return 10 ** Math.floor(Math.log10(1e6 / perSecond))
  return perSecond <= 1e6 ? usualScale : 10 ** Math.floor(Math.log10(1e9 / perSecond))
}

/** Tokens of a credit. */
const usualScale = 1_000
