/**
 * The layer that paces: calls leave in the order they came, no faster than the rates allow, and all calls to a network
 * pause together when its server asks one of them to wait.
 *
 * Invariant: a call that waits holds nothing; one that is interrupted while waiting leaves no trace.
 */
import { Clock, Duration, Effect, type Layer, Semaphore } from "effect"
import { Price, type RpcError, RpcReason, type RpcRequest, type Transport } from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { makeBucket } from "./internal/bucket.ts"
import { failure } from "./internal/failure.ts"
import { layerOver } from "./internal/layerOver.ts"

export interface Options {
  /** Attempts per second; without it they are not counted. */
  readonly requestsPerSecond?: number
  /** Credits per second, by the price of each attempt; without it they are not counted. */
  readonly creditsPerSecond?: number
  /** How much unused rate may be saved up and used at once; a second of it by default. */
  readonly burst?: Duration.Input
  /** The longest pause that calls wait out when a server asks for one; 1 minute by default. A longer one fails them. */
  readonly longestPause?: Duration.Input
}

/**
 * Paces all networks together, as they share a key, and pauses each on its own. A call that costs more than the bucket
 * ever holds waits until it is full and leaves alone; the calls after it wait until its cost has been made up for.
 *
 * Fails with `RateLimited`, unsent, while a server's pause is longer than `longestPause`.
 *
 * Throws a `RangeError` when a rate is not above zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, never, Transport> => {
  const burst = millisOf(options.burst ?? "1 second")
  const longestPause = millisOf(options.longestPause ?? "1 minute")
  const requestsPerSecond = checkRate("requestsPerSecond", options.requestsPerSecond)
  const creditsPerSecond = checkRate("creditsPerSecond", options.creditsPerSecond)

  return layerOver((below) => {
    const requests = makeBucket(requestsPerSecond, burst)
    const credits = makeBucket(creditsPerSecond, burst)
    const pausedUntil = new Map<string, number>()
    const line = Semaphore.makeUnsafe(1)

    const pauseLeft = (request: RpcRequest, now: number) =>
      Math.max(0, Math.ceil((pausedUntil.get(request.network.id) ?? now) - now))

    const sitOutPause = (request: RpcRequest): Effect.Effect<void, RpcError> =>
      Effect.flatMap(now, (now) => {
        const millis = pauseLeft(request, now)
        if (millis === 0) return Effect.void
        if (millis > longestPause) return Effect.fail(failure(request, tooLong(millis), "unsent"))
        return Effect.andThen(pause(millis, "the server asked this network to wait"), sitOutPause(request))
      })

    /** True when the turn was taken; false when a pause began meanwhile, which is not to be waited out in the line. */
    const takeTurn = (request: RpcRequest): Effect.Effect<boolean> =>
      Effect.flatMap(now, (now) => {
        if (pauseLeft(request, now) > 0) return Effect.succeed(false)
        const price = Price.priceOf(request.method, request.network).credits
        const millis = Math.max(requests.waitFor(1, now), credits.waitFor(price, now))
        if (millis > 0) return Effect.andThen(pause(millis, "waiting for the rate limit"), takeTurn(request))
        requests.take(1, now)
        credits.take(price, now)
        return Effect.succeed(true)
      })

    const admit = (request: RpcRequest): Effect.Effect<void, RpcError> =>
      sitOutPause(request).pipe(
        Effect.andThen(line.withPermit(takeTurn(request))),
        Effect.flatMap((taken) => (taken ? Effect.void : admit(request))),
      )

    const notePause = (request: RpcRequest, error: RpcError) =>
      Effect.map(now, (now) => {
        if (error.reason._tag !== "RateLimited" || error.reason.retryAfterMillis === undefined) return
        const until = Math.max(pausedUntil.get(request.network.id) ?? 0, now + error.reason.retryAfterMillis)
        pausedUntil.set(request.network.id, until)
      })

    return (request) =>
      Effect.andThen(
        admit(request),
        Effect.tapError(below(request), (error) => notePause(request, error)),
      )
  })
}

const checkRate = (name: string, rate = Number.POSITIVE_INFINITY): number => {
  if (!(rate > 0)) throw new RangeError(`${name} must be above zero; it is ${rate}. Leave it out for no limit.`)
  return rate
}

const millisOf = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))

/** Elapsed time that no correction of the wall clock can turn back. */
const now: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1_000_000)

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
