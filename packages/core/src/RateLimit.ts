/**
 * The layer that paces calls: it is the one place that decides which of them is sent next. They leave no faster than the
 * rate allows and than each server has been found to accept, and all calls to an endpoint pause together when it asks one
 * of them to wait. Calls that a person waits for go first.
 *
 * Invariant: a call that waits holds nothing; one that is interrupted while waiting, or fails unsent, leaves no trace.
 */
import type { Duration, Scope } from "effect"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import type * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import {
  Options as Check,
  type Network,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  type Transport,
} from "@dotrpc/spec"
import { CurrentAllowances } from "./Allowance.ts"
import { CallObserver } from "./CallObserver.ts"
import { attemptOf, highestPrice } from "./internal/attempt.ts"
import { configured } from "./internal/configured.ts"
import { elapsed, elapsedOf } from "./internal/elapsed.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { failure } from "./internal/failure.ts"
import * as Lanes from "./internal/lane.ts"
import { attemptLayer } from "./internal/layerOver.ts"
import { isServed } from "./internal/probes.ts"
import * as Queue from "./internal/queue.ts"
import { ownSupply, type Rate, sharedSupply, type Supply } from "./internal/supply.ts"
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

interface Limits extends Lanes.LaneOptions {
  readonly rate: Rate
}

const optionNames: Check.Members<Options> = { requestsPerSecond: true, burst: true, longestPause: true, recovery: true }
const sharedNames: Check.Members<SharedOptions> = { ...optionNames, key: true }

const limitsOf = (options: Options): Limits => ({
  rate: {
    burst: Check.millis("burst", options.burst ?? "1 second"),
    perSecond: Check.aboveZero("requestsPerSecond", options.requestsPerSecond ?? Infinity, "requests"),
  },
  longestPause: Check.millis("longestPause", options.longestPause ?? "1 minute"),
  recovery: Check.millisAboveZero("recovery", options.recovery ?? "1 minute"),
})

const layerOf = <Own extends Limits, Needs>(
  limitsOf: () => Own,
  makeSupply: (limits: Own) => Effect.Effect<Supply, never, Needs>,
): Layer.Layer<Transport, Check.InvalidOptions, Transport | Exclude<Needs, Scope.Scope>> =>
  attemptLayer((transport) =>
    Effect.gen(function* () {
      const limits = yield* Check.inLayer(limitsOf)
      const { longestPause, recovery } = limits
      const isUnlimited = limits.rate.perSecond === Infinity
      const scope = yield* Effect.scope
      const changed = Latch.makeUnsafe(false)
      /** A fiber looks at those who wait, and is woken by `changed`. */
      let watched = false
      let joined = 0
      let waitingCount = 0
      const supply = yield* makeSupply(limits)
      /** The supply is to be asked for more before the next call may go. */
      let runsDry = false
      const laneOf = perEndpoint((): Lane => Lanes.makeLane({ recovery, longestPause }))
      /** Those that somebody waits in. */
      const occupied = new Set<Lane>()
      const seeWhoWaits = (lane: Lane) => {
        if (Queue.isEmpty(lane.waiting)) occupied.delete(lane)
        else occupied.add(lane)
      }

      const look = Effect.sync(() => {
        if (watched) changed.openUnsafe()
      })

      const depart = (turn: Turn, at: number, findsOut: boolean) => {
        supply.take(at)
        const { lane, price } = turn
        // A call that is free still counts.
        const weight = Math.max(1, price)
        if (findsOut) lane.probes.take(at)
        turn.departure = { at, findsOut, weight, paced: lane.pace.take(weight, at) }
      }

      const refund = ({ departure, lane }: Turn) => {
        if (departure === undefined) return Effect.void
        supply.refund()
        lane.pace.refund(departure.paced)
        return look
      }

      /** Goes, fails or says what it waits for; nobody else is before it. */
      const decide = (turn: Turn, now: number): Lanes.Hold => {
        const hold = Lanes.holdOf(turn.lane, longestPause, now)
        if (hold._tag !== "Nothing") return hold
        const millis = supply.waitFor(now)
        if (millis === undefined) runsDry = true
        if (millis !== 0) return { _tag: "Wait", millis: millis ?? 0, why: "waiting for the rate limit" }
        depart(turn, now, hold.findsOut)
        return hold
      }

      /** The next of all endpoints but these: one that a person waits for first, then the first to come. */
      const nextBeside = (held: ReadonlySet<Lane>): Turn | undefined => {
        let first: Turn | undefined
        for (const lane of occupied) {
          const turn = held.has(lane) ? undefined : Queue.next(lane.waiting)
          if (turn !== undefined && (first === undefined || goesBefore(turn, first))) first = turn
        }
        return first
      }

      /** Lets through the calls that may go now; the milliseconds until the next look, `undefined` when nobody waits. */
      const advance = (now: number): number | undefined => {
        let soonest: number | undefined
        const held = new Set<Lane>()
        while (true) {
          const turn = nextBeside(held)
          if (turn === undefined) return soonest
          const { lane } = turn
          const hold = decide(turn, now)
          if (hold._tag === "Wait") {
            tell(turn, hold)
            if (hold.why !== Lanes.askedToWait) lane.unaware.add(turn)
            soonest = Math.min(soonest ?? hold.millis, hold.millis)
            held.add(lane)
            continue
          }
          Lanes.go(lane, turn)
          seeWhoWaits(lane)
          Deferred.doneUnsafe(
            turn.ready,
            hold._tag === "Nothing" ? Exit.void : Exit.fail(failure(turn.request, hold.reason, "unsent")),
          )
        }
      }

      const watch: Effect.Effect<void> = Effect.gen(function* () {
        while (true) {
          changed.closeUnsafe()
          const millis = advance(yield* elapsed)
          if (millis === undefined) {
            watched = false
            return
          }
          if (runsDry) {
            runsDry = false
            yield* supply.more(waitingCount)
            continue
          }
          yield* Effect.race(Effect.sleep(millis), changed.await)
        }
      })
      const startWatching = Effect.suspend(() => {
        if (watched) return look
        watched = true
        return Effect.asVoid(Effect.forkIn(Effect.interruptible(watch), scope))
      })

      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const { waiting } of occupied)
            for (const { ready } of Queue.inTurn(waiting)) Deferred.doneUnsafe(ready, Exit.interrupt())
        }),
      )

      const nobodyIsBefore = (lane: Lane): boolean => (isUnlimited ? Queue.isEmpty(lane.waiting) : occupied.size === 0)

      /** Every waiting call reports a pause, and only the next one other waits. */
      const tellPause = (lane: Lane, now: number) => {
        const hold = Lanes.holdOf(lane, longestPause, now)
        if (hold._tag !== "Wait" || hold.why !== Lanes.askedToWait) return
        for (const turn of lane.unaware) tell(turn, hold)
        lane.unaware.clear()
      }

      const waitForTurn = (turn: Turn, now: number): Effect.Effect<void, RpcError> =>
        Effect.suspend(() => {
          const { lane } = turn
          Lanes.join(lane, turn)
          seeWhoWaits(lane)
          waitingCount++
          tellPause(lane, now)
          return Effect.andThen(startWatching, Deferred.await(turn.ready)).pipe(
            Effect.onExit((exit) => {
              waitingCount--
              if (Exit.isSuccess(exit)) return Effect.void
              Lanes.leave(lane, turn)
              seeWhoWaits(lane)
              return look
            }),
          )
        })

      /** What it waits for, or why it fails; `undefined` when it goes at once. */
      const takeTurn = (turn: Turn, now: number): Effect.Effect<void, RpcError> | undefined => {
        if (!nobodyIsBefore(turn.lane)) return waitForTurn(turn, now)
        const hold = decide(turn, now)
        switch (hold._tag) {
          case "Nothing":
            return undefined
          case "Refuse":
            return Effect.fail(failure(turn.request, hold.reason, "unsent"))
          case "Wait":
            return waitForTurn(turn, now)
        }
      }

      /** What the end of a call says to those that come after it. */
      const heard = (
        exit: Exit.Exit<RpcReply, RpcError>,
        turn: Turn,
        sent: boolean,
        now: number,
      ): Effect.Effect<void> => {
        const { departure, lane } = turn
        if (departure === undefined) return Effect.void
        if (Exit.isSuccess(exit)) {
          Lanes.accepted(lane, departure, now)
          return departure.findsOut ? look : Effect.void
        }
        const error = Cause.findError(exit.cause)
        if (error._tag === "Failure") return sent ? Effect.void : refund(turn)
        const { outcome, reason } = error.success
        if (outcome === "unsent") return refund(turn)
        if (reason._tag === "RateLimited") {
          Lanes.refused(lane, departure, reason, longestPause, now)
          tellPause(lane, now)
        } else if (isServed(error.success)) Lanes.accepted(lane, departure, now)
        return look
      }

      return (request, send) =>
        Effect.withFiber((fiber) => {
          const clock = fiber.getRef(Clock.Clock)
          const attempt = attemptOf(request, transport)
          const turn: Turn = {
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
            const wait = takeTurn(turn, elapsedOf(clock))
            return wait === undefined ? send(attempt.request) : Effect.andThen(wait, send(attempt.request))
          })
          return Effect.onExit(sending, (exit) => heard(exit, turn, attempt.sent, elapsedOf(clock)))
        })
    }),
  )

type Lane = Lanes.Lane<Turn>

/** One attempt, and the turn that it waits for or has taken. */
interface Turn extends Queue.Entry {
  readonly request: RpcRequest & { readonly network: Network }
  readonly lane: Lane
  readonly observer: CallObserver
  readonly ready: Deferred.Deferred<void, RpcError>
  departure: (Lanes.Departure & { readonly paced: number }) | undefined
  /** The last report to its observer. */
  told: string | undefined
}

const goesBefore = (one: Turn, other: Turn): boolean =>
  one.priority === other.priority ? one.id < other.id : one.priority === "interactive"

const tell = (turn: Turn, { millis, why }: { readonly millis: number; readonly why: string }): void => {
  if (turn.told === why) return
  turn.told = why
  turn.observer.onWait(millis, why)
}
