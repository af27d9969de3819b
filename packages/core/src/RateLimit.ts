/**
 * The layer that paces calls: it is the one place that decides which of them is sent next. They leave no faster than the
 * rate allows and than each server has been found to accept, and all calls to an endpoint pause together when it asks one
 * of them to wait. Calls that a person waits for go first.
 *
 * Invariant: a call that waits holds nothing; one that is interrupted while waiting, or fails unsent, leaves no trace.
 */
import type { Duration, Scope } from "effect"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { Options as Check, type RpcError, type Transport } from "@dotrpc/spec"
import { CurrentAllowances } from "./Allowance.ts"
import { CallObserver } from "./CallObserver.ts"
import { attemptOf, highestPrice } from "./internal/attempt.ts"
import { configured } from "./internal/configured.ts"
import { elapsed, elapsedOf } from "./internal/elapsed.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { failure } from "./internal/failure.ts"
import * as Lanes from "./internal/lane.ts"
import { attemptLayer } from "./internal/layerOver.ts"
import * as Line from "./internal/line.ts"
import { ownSupply, sharedSupply, type Supply } from "./internal/supply.ts"
import { makeWatch, type Watch } from "./internal/watch.ts"
import { Priority } from "./Priority.ts"

/** How many attempts may start, and how the rate follows the server. */
export interface Options {
  /** Attempts per second; without it they are not counted. */
  readonly requestsPerSecond?: number | undefined
  /** How much unused rate may be saved up and used at once; a second of it by default. */
  readonly burst?: Duration.Input | undefined
  /** The longest pause that calls wait out when a server asks for one; 1 minute by default. A longer one fails them. */
  readonly longestPause?: Duration.Input | undefined
  /** How long the pace of an endpoint takes from half of what was refused back to the whole of it; 1 minute by default. */
  readonly recovery?: Duration.Input | undefined
}

/**
 * Paces all networks together, as they share a key, and pauses each endpoint on its own. It counts requests; credits per
 * second are a limit of `CreditBudget`. Interactive calls go before those of `Priority` `"background"`, and pipelines,
 * which are distinguished by their allowances, take turns.
 *
 * When an endpoint answers more than 2 of 100 calls with a 429, its calls are spread evenly at half of the credits per
 * second that went there, or at 95 % of those that it answered where that is more. From there the pace grows evenly, over
 * the time of `recovery`, to what was refused, and beyond it faster and faster; never faster than the rate given here.
 * Refusals of calls that had left before count once. In the first second of a series of calls nobody knows how many a second are answered:
 * then only four refusals without an answer between them, or one with a time to wait, slow calls down.
 *
 * Fails with `RateLimited`, unsent, while a server's pause is longer than `longestPause`. As that may be a mistake, one call
 * goes ahead after a minute, and one more after twice as long each time, up to an hour, until the server answers.
 *
 * The layer fails with `InvalidOptions` when the rate or `recovery` is not above zero, or `burst` or `longestPause` is
 * below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  layerOf(
    () => limitsOf(Check.members(options, optionNames)),
    ({ rate }) => Effect.sync(() => ownSupply(rate)),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

/** The rate of all processes together, and where it is kept. */
export interface SharedOptions extends Options {
  /** Attempts per second, of all processes together. */
  readonly requestsPerSecond: number
  /** Those who use the same store and the same key share the rate; `dotrpc` by default. Not a secret. */
  readonly key?: string | undefined
}

/**
 * As {@link layer}, with a rate that all processes share that have the same store for Effect's `RateLimiter`, such as a
 * Redis server: however many they are, together they send no more than one would. Which call of a process is next is decided in the
 * process, so people go first in each.
 *
 * While the store cannot be reached, each process keeps to the rate by itself, and says so in the log. Pauses and paces are
 * each process's own.
 *
 * Fails as {@link layer} does.
 *
 * @example
 * ```ts
 * const rate = RateLimit.layerShared({ requestsPerSecond: 300 }).pipe(
 *   Layer.provide(RateLimiter.layer),
 *   Layer.provide(RateLimiter.layerStoreRedis()),
 *   Layer.provide(NodeRedis.layer({ url: "redis://redis.example:6379" })),
 * )
 * ```
 */
export const layerShared = (
  options: SharedOptions,
): Layer.Layer<Transport, Check.InvalidOptions, Transport | RateLimiter.RateLimiter> =>
  layerOf(
    () => {
      const { key = "dotrpc", ...rest } = Check.members(options, sharedNames)
      // Without a rate there is nothing to share.
      Check.aboveZero("requestsPerSecond", rest.requestsPerSecond, "requests")
      return { ...limitsOf(rest), key: Check.text("key", key) }
    },
    ({ key, rate }) => Effect.map(RateLimiter.RateLimiter, (limiter) => sharedSupply(limiter, key, rate)),
  )

const optionNames: Check.Members<Options> = { requestsPerSecond: true, burst: true, longestPause: true, recovery: true }
const sharedNames: Check.Members<SharedOptions> = { ...optionNames, key: true }

const limitsOf = (options: Options): Line.Limits => ({
  rate: {
    burst: Check.millis("burst", options.burst ?? "1 second"),
    perSecond: Check.aboveZero("requestsPerSecond", options.requestsPerSecond ?? Infinity, "requests"),
  },
  longestPause: Check.millis("longestPause", options.longestPause ?? "1 minute"),
  recovery: Check.millisAboveZero("recovery", options.recovery ?? "1 minute"),
})

const layerOf = <Own extends Line.Limits, Needs>(
  limitsOf: () => Own,
  makeSupply: (limits: Own) => Effect.Effect<Supply, never, Needs>,
): Layer.Layer<Transport, Check.InvalidOptions, Transport | Exclude<Needs, Scope.Scope>> =>
  attemptLayer((transport) =>
    Effect.gen(function* () {
      const limits = yield* Check.inLayer(limitsOf)
      const line: Line.Line = {
        supply: yield* makeSupply(limits),
        limits,
        occupied: new Set(),
        waiting: 0,
      }
      const watch = yield* makeWatch(advance(line))
      yield* Effect.addFinalizer(() => Effect.sync(() => Line.close(line)))
      const laneOf = perEndpoint((): Line.Lane => Lanes.makeLane(limits))
      let joined = 0
      return (request, send) =>
        Effect.withFiber((fiber) => {
          const clock = fiber.getRef(Clock.Clock)
          const attempt = attemptOf(request, transport)
          const turn: Line.Turn = {
            id: joined++,
            request,
            price: highestPrice(request, transport),
            lane: laneOf(request.network),
            priority: fiber.getRef(Priority),
            allowances: fiber.getRef(CurrentAllowances),
            observer: fiber.getRef(CallObserver),
            ready: Deferred.makeUnsafe(),
            departure: undefined,
            told: undefined,
          }
          const sending = Effect.suspend(() => {
            const wait = takeTurn(line, turn, elapsedOf(clock), watch)
            return wait === undefined ? send(attempt.request) : Effect.andThen(wait, send(attempt.request))
          })
          return Effect.onExit(sending, (exit) =>
            Line.heard(line, turn, exit, attempt.sent, elapsedOf(clock)) ? watch.look : Effect.void,
          )
        })
    }),
  )

/** Lets through those who may go, and gets more of the rate where that is what they wait for. */
const advance = (line: Line.Line): Effect.Effect<number | undefined> =>
  Effect.flatMap(elapsed, (now) => {
    const millis = Line.advance(line, now)
    return millis === 0 ? Effect.as(line.supply.more(line.waiting), 0) : Effect.succeed(millis)
  })

/** What it waits for, or why it fails; `undefined` when it goes at once. */
const takeTurn = (
  line: Line.Line,
  turn: Line.Turn,
  now: number,
  { look, start }: Watch,
): Effect.Effect<void, RpcError> | undefined => {
  const hold = Line.isNext(line, turn) ? Line.decide(line, turn, now) : undefined
  if (hold?._tag === "Nothing") return undefined
  if (hold?._tag === "Refuse") return Effect.fail(failure(turn.request, hold.reason, "unsent"))
  Line.join(line, turn, now)
  return Effect.andThen(start, Deferred.await(turn.ready)).pipe(
    Effect.onExit((exit) => {
      line.waiting--
      if (Exit.isSuccess(exit)) return Effect.void
      Line.leave(line, turn)
      return look
    }),
  )
}
