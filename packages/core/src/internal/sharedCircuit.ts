/**
 * A circuit that processes share through a store. Asking the store about each call would cost several times what the rest
 * of the call does, so it is asked about each failure, about one call in a quarter of a second while all is well, and about
 * each call that may find out whether an endpoint is back.
 */
import type { Exit, Schedule, Scope } from "effect"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { RpcError, RpcReason, RpcReply, RpcRequest } from "@dotrpc/spec"
import { elapsedOf } from "./elapsed.ts"
import { failure } from "./failure.ts"

/** How the end of a call counts. */
export type Counted = "success" | "failure" | "ignored"

export interface SharedCircuit {
  /** Sends unless the circuit is open; then fails with what `refusal` makes of the milliseconds that are left. */
  readonly pass: (request: RpcRequest, sent: Sent) => Sent
}

export interface SharedCircuitOptions {
  readonly key: string
  readonly failures: number
  readonly openFor: Schedule.Schedule<unknown, number>
  /** `asks` is true of a call that finds out whether an endpoint is back. */
  readonly count: (exit: Exit.Exit<RpcReply, RpcError>, asks: boolean) => Counted
  readonly refusal: (millis: number, wall: number) => RpcReason.Reason
}

const trustedMillis = 250
/** Another process finds out now, and is soon done. */
const halfOpenMillis = 500

export const makeSharedCircuit = (
  options: SharedCircuitOptions,
): Effect.Effect<SharedCircuit, never, CircuitBreaker.CircuitBreakerStore | Scope.Scope> =>
  Effect.gen(function* () {
    const { count, failures, key, openFor, refusal } = options
    const breaker = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(failures),
      openDuration: openFor,
    })
    let trustedUntil = Number.NEGATIVE_INFINITY
    let isOpen = false
    /** While it is open: until when nobody asks, and when it may close. */
    let [quietUntil, openUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]

    const refuse = (request: RpcRequest, millis: number, clock: Clock.Clock) =>
      Effect.fail(failure(request, refusal(Math.max(1, Math.ceil(millis)), clock.currentTimeMillisUnsafe()), "unsent"))

    const opened = (request: RpcRequest, millis: number) =>
      Effect.clockWith((clock) => {
        const now = elapsedOf(clock)
        isOpen = true
        openUntil = now + millis
        quietUntil = now + Math.min(millis, halfOpenMillis)
        return refuse(request, millis, clock)
      })

    /** Sends when the store lets it, and records how that ended. */
    const recorded = (
      request: RpcRequest,
      sent: Sent,
      counted: (exit: Exit.Exit<RpcReply, RpcError>) => Counted,
    ): Sent =>
      breaker
        .execute(
          Effect.suspend(() => {
            isOpen = false
            return Effect.onExit(sent, (exit) => {
              // A failure may have opened it for everyone, which the next call hears.
              if (counted(exit) === "failure") trustedUntil = Number.NEGATIVE_INFINITY
              return Effect.void
            })
          }),
          { key, classify: (exit) => outcomes[counted(exit)] },
        )
        .pipe(
          Effect.catchTag("CircuitBreakerError", ({ reason }) =>
            opened(request, reason._tag === "CircuitOpen" ? Duration.toMillis(reason.retryAfter) : halfOpenMillis),
          ),
        )

    return {
      pass: (request, sent) =>
        Effect.withFiber((fiber) => {
          const clock = fiber.getRef(Clock.Clock)
          const now = elapsedOf(clock)
          if (isOpen && now < quietUntil) return refuse(request, openUntil - now, clock)
          const asks = isOpen
          if (!asks && now < trustedUntil)
            return Effect.onExit(sent, (exit) =>
              count(exit, false) === "failure" ? Effect.ignore(recorded(request, exit, () => "failure")) : Effect.void,
            )
          if (!asks) trustedUntil = now + trustedMillis
          return recorded(request, sent, (exit) => count(exit, asks))
        }),
    }
  })

type Sent = Effect.Effect<RpcReply, RpcError>

const outcomes: Readonly<Record<Counted, CircuitBreaker.Outcome>> = {
  success: CircuitBreaker.success,
  failure: CircuitBreaker.failure(),
  ignored: CircuitBreaker.ignored,
}
