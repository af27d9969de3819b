/**
 * The layer that tries again: only methods that are idempotent, only errors that say the same request may succeed
 * later, never without an end.
 *
 * Invariant: a query the server wants narrowed (`SplitRequired`) is never sent a second time as it was.
 */
import { Duration, Effect, type Layer, Schedule } from "effect"
import { type RpcError, type Transport } from "@dotrpc/spec"
import { CallObserver } from "./CallObserver.ts"
import { RetryTimes } from "./CallSettings.ts"
import { layerOver } from "./internal/layerOver.ts"

export interface Options {
  /** How many times a call is sent again after its first attempt; 4 by default. `RetryTimes` replaces it for a call. */
  readonly times?: number
  /** The first wait, doubled for each one after it; 150 milliseconds by default. Waits vary by a fifth at random. */
  readonly base?: Duration.Input
  /** The longest wait that doubling leads to; 10 seconds by default. */
  readonly cap?: Duration.Input
  /** No attempt starts later than this after the first one failed; 1 minute by default. */
  readonly total?: Duration.Input
}

/**
 * Tries again what may succeed later. A server's own delay (`Retry-After`) is a floor: the wait is never shorter, and
 * when it does not fit into `total` the call fails at once with the server's error.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, never, Transport> => {
  const policy = policyOf(options)
  return layerOver(
    (below) => (request) =>
      Effect.suspend(() => {
        let attempt = 0
        const once = Effect.flatMap(CallObserver, (observer) => {
          attempt++
          observer.onAttempt(attempt, request)
          return below(request)
        })
        return request.method.idempotent ? Effect.retry(once, policy) : once
      }),
  )
}

const policyOf = (options: Options) => {
  const times = options.times ?? 4
  const total = Duration.toMillis(Duration.fromInputUnsafe(options.total ?? "1 minute"))
  return Schedule.min([
    Schedule.exponential(options.base ?? "150 millis"),
    Schedule.spaced(options.cap ?? "10 seconds"),
  ]).pipe(
    Schedule.jittered,
    Schedule.setInputType<RpcError>(),
    Schedule.modifyDelay(({ input, duration }) => Effect.succeed(Duration.max(duration, askedDelay(input)))),
    Schedule.while(({ input, attempt, elapsed, duration }) =>
      Effect.map(
        RetryTimes,
        (own) => input.retryable && attempt <= (own ?? times) && elapsed + Duration.toMillis(duration) <= total,
      ),
    ),
    Schedule.tap(({ input, duration }) =>
      Effect.map(CallObserver, (observer) => observer.onWait(Duration.toMillis(duration), input.reason.message)),
    ),
  )
}

/** The delay the server asked for. */
const askedDelay = (error: RpcError): Duration.Duration =>
  error.reason._tag === "RateLimited" ? Duration.millis(error.reason.retryAfterMillis ?? 0) : Duration.zero
