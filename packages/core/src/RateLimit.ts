/**
 * The layer that paces calls: they leave in the order of arrival, no faster than the rate allows and than each server
 * has been found to accept, and all calls to an endpoint pause together when it asks one of them to wait.
 *
 * Invariant: a call that waits holds nothing; one that is interrupted while waiting, or fails unsent, leaves no trace.
 */
import { Cause, type Duration, Effect, Exit, type Layer } from "effect"
import { Options as Check, type RpcError, RpcReason, type RpcReply, type Transport } from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { type Attempt, attemptOf, highestPrice } from "./internal/attempt.ts"
import * as Bucket from "./internal/bucket.ts"
import { elapsed, elapsedOf } from "./internal/elapsed.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { failure } from "./internal/failure.ts"
import { layerOver } from "./internal/layerOver.ts"
import { type Line, makeLine } from "./internal/line.ts"
import { makePace, type Pace } from "./internal/pace.ts"

export interface Options {
  /** Attempts per second; without it they are not counted. */
  readonly requestsPerSecond?: number | undefined
  /** How much unused rate may be saved up and used at once; a second of it by default. */
  readonly burst?: Duration.Input | undefined
  /** The longest pause that calls wait out when a server asks for one; 1 minute by default. A longer one fails them. */
  readonly longestPause?: Duration.Input | undefined
  /** How long the pace of an endpoint takes from half back to what it was before a 429; 1 minute by default. */
  readonly recovery?: Duration.Input | undefined
}

/**
 * Paces all networks together, as they share a key, and pauses each endpoint on its own. It counts requests; credits per
 * second are a limit of `CreditBudget`.
 *
 * After a 429 the endpoint's calls are spread evenly at half of the credits per second that went there, at half of that
 * after the next, and faster again over the time of `recovery`; never faster than the rate given here. Refusals of calls
 * that had left before count once.
 *
 * Fails with `RateLimited`, unsent, while a server's pause is longer than `longestPause`.
 *
 * Throws a `RangeError` when the rate or `recovery` is not above zero, or `burst` or `longestPause` is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, never, Transport> => {
  const burst = Check.millis("burst", options.burst ?? "1 second")
  const longestPause = Check.millis("longestPause", options.longestPause ?? "1 minute")
  const recovery = Check.millisAboveZero("recovery", options.recovery ?? "1 minute")
  const requestsPerSecond = Check.aboveZero("requestsPerSecond", options.requestsPerSecond ?? Infinity, "requests")

  return layerOver((below, transport) => {
    let requests = Bucket.full(requestsPerSecond, burst)
    const line = makeLine()
    const laneOf = perEndpoint((): Lane => ({ pace: makePace(recovery), line: makeLine(), pausedUntil: 0 }))

    const take = (turn: Turn, lane: Lane, now: number) => {
      requests = Bucket.take(requests, 1, now)
      turn.taken = { at: now, paced: lane.pace.take(weightOf(turn), now) }
    }

    const giveBack = (turn: Turn, lane: Lane) => {
      if (turn.taken === undefined) return
      requests = Bucket.giveBack(requests, 1)
      lane.pace.giveBack(turn.taken.paced)
    }

    /** Takes the turn if it is there and nobody waits for one. */
    const takeAtOnce = (turn: Turn, lane: Lane, now: number): boolean => {
      if (!line.isEmpty() || !lane.line.isEmpty() || pauseLeft(lane, now) > 0) return false
      if (lane.pace.waitFor(now) > 0 || Bucket.waitFor(requests, 1, now) > 0) return false
      take(turn, lane, now)
      return true
    }

    const sitOutPause = (turn: Turn, lane: Lane): Effect.Effect<void, RpcError> =>
      Effect.flatMap(elapsed, (now) => {
        const millis = pauseLeft(lane, now)
        if (millis === 0) return Effect.void
        if (millis > longestPause) return Effect.fail(failure(turn.attempt.request, tooLong(millis), "unsent"))
        return Effect.andThen(pause(millis, "the server asked this network to wait"), sitOutPause(turn, lane))
      })

    /** Waits in the endpoint's own line, so that no other endpoint waits with it, and then in the line of all. */
    const keepPace = (turn: Turn, lane: Lane): Effect.Effect<void> =>
      Effect.flatMap(elapsed, (now) => {
        // A pause that has begun meanwhile is not to be waited out in a line.
        if (pauseLeft(lane, now) > 0) return Effect.void
        const millis = lane.pace.waitFor(now)
        if (millis === 0) return line.wait(keepRate(turn, lane))
        return Effect.andThen(pause(millis, "keeping to the server's pace"), keepPace(turn, lane))
      })

    const keepRate = (turn: Turn, lane: Lane): Effect.Effect<void> =>
      Effect.flatMap(elapsed, (now) => {
        if (pauseLeft(lane, now) > 0) return Effect.void
        const millis = Bucket.waitFor(requests, 1, now)
        if (millis > 0) return Effect.andThen(pause(millis, "waiting for the rate limit"), keepRate(turn, lane))
        return Effect.sync(() => take(turn, lane, now))
      })

    const waitForTurn = (turn: Turn, lane: Lane): Effect.Effect<void, RpcError> =>
      sitOutPause(turn, lane).pipe(
        Effect.andThen(lane.line.wait(keepPace(turn, lane))),
        Effect.flatMap(() => (turn.taken === undefined ? waitForTurn(turn, lane) : Effect.void)),
      )

    const sendInTurn = (turn: Turn, lane: Lane): Effect.Effect<RpcReply, RpcError> =>
      Effect.clockWith((clock) =>
        takeAtOnce(turn, lane, elapsedOf(clock))
          ? below(turn.attempt.request)
          : Effect.flatMap(waitForTurn(turn, lane), () => below(turn.attempt.request)),
      )

    return (request) =>
      Effect.suspend(() => {
        const lane = laneOf(request.network)
        const turn: Turn = { attempt: attemptOf(request), price: highestPrice(request, transport), taken: undefined }
        return Effect.onExit(sendInTurn(turn, lane), (exit) => {
          if (Exit.isSuccess(exit)) return Effect.void
          const error = Cause.findError(exit.cause)
          if (error._tag === "Success" ? error.success.outcome === "unsent" : !turn.attempt.sent) giveBack(turn, lane)
          if (error._tag === "Failure") return Effect.void
          return Effect.clockWith((clock) => Effect.sync(() => heard(error.success, turn, lane, elapsedOf(clock))))
        })
      })
  })
}

/** What is known of one endpoint. */
interface Lane {
  readonly pace: Pace
  readonly line: Line
  pausedUntil: number
}

/** One attempt, and the turn it has taken. */
interface Turn {
  readonly attempt: Attempt
  readonly price: number
  taken: { readonly at: number; readonly paced: number } | undefined
}

/** A call that is free still counts. */
const weightOf = ({ price }: Turn): number => Math.max(1, price)

const pauseLeft = ({ pausedUntil }: Lane, now: number): number => Math.max(0, Math.ceil(pausedUntil - now))

/** What the server said that concerns the calls to come. */
const heard = ({ outcome, reason }: RpcError, turn: Turn, lane: Lane, now: number): void => {
  if (reason._tag !== "RateLimited" || outcome === "unsent" || turn.taken === undefined) return
  lane.pausedUntil = Math.max(lane.pausedUntil, now + (RpcReason.retryAfterMillis(reason) ?? 0))
  lane.pace.refused(weightOf(turn), turn.taken.at, now, lane.pausedUntil)
}

const pause = (millis: number, why: string): Effect.Effect<void> =>
  Effect.flatMap(CallObserver, (observer) => {
    observer.onWait(millis, why)
    return Effect.sleep(millis)
  })

const tooLong = (millis: number): RpcReason.RateLimited =>
  new RpcReason.RateLimited({
    said: "the server asked this network to wait. Nothing was sent.",
    retryAfterMillis: millis,
  })
