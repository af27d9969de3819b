/**
 * The layer that stops asking: while an endpoint cannot answer, its calls fail at once and nothing is sent.
 *
 * Invariant: whatever opens it, it opens for a time that is bounded, and at most one call at a time tests whether an
 * endpoint that was down is available again.
 */
import type { Context, Duration } from "effect"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import {
  type Network,
  Options as Check,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  type Transport,
} from "@dotrpc/spec"
import { type Circuit, type Limits, makeCircuit, type Verdict } from "./internal/circuit.ts"
import { configured } from "./internal/configured.ts"
import type { Around, Send } from "./internal/eachAttempt.ts"
import { elapsedOf } from "./internal/elapsed.ts"
import { perEndpoint } from "./internal/endpoint.ts"
import { failure } from "./internal/failure.ts"
import { attemptLayer } from "./internal/layerOver.ts"
import { paused } from "./Metrics.ts"

/** When a breaker opens, and for how long. */
export interface Options {
  /** How many attempts in a row must find nobody before it opens; 5 by default. */
  readonly failures?: number | undefined
  /** How long it is open before one call may find out, doubled each time that it finds nobody; 5 seconds by default. */
  readonly pause?: Duration.Input | undefined
  /** The longest that doubling leads to; 1 minute by default. */
  readonly longestPause?: Duration.Input | undefined
  /** How long it is open after the key was not accepted; 10 seconds by default. */
  readonly authPause?: Duration.Input | undefined
}

/**
 * Guards each endpoint, which is a URL with its key:
 *
 * - A balance that the server says is used up (HTTP 402 and its other forms) opens until it resets at 00:00 UTC. Calls
 *   fail with `BudgetExhausted` and that time. As the server may be wrong, one call goes ahead after a minute, and one more
 *   after twice as long each time, up to an hour; the first that is answered closes.
 * - A key that is not accepted opens for `authPause`, as the same again may be charged. Calls fail with `AuthFailed`.
 * - `failures` attempts in a row that end in `Transport` open for `pause`. Calls fail with `Transport`, what was wrong, and
 *   the time left; it is `lasting`, so that nobody waits, while the endpoint has never answered, not even with an error. Then one call goes ahead
 *   while the others wait for what becomes of it. Any answer closes, an error as well. A timeout says nothing about the
 *   endpoint, except of the one that goes ahead.
 *
 * All of these are unsent. Belongs next to the transport, as it must hear what the server said.
 * The gauge `paused` of `Metrics` shows whether calls are refused.
 *
 * The layer fails with `InvalidOptions` when `failures` is not a whole number above zero, or a pause is below zero.
 */
export const layer = (options: Options = {}): Layer.Layer<Transport, Check.InvalidOptions, Transport> =>
  attemptLayer(() =>
    Effect.map(
      Check.inLayer(() => limitsOf(Check.members(options, optionNames))),
      (limits): Around => {
        const guardOf = perEndpoint((): Guard => ({ circuit: makeCircuit(limits), probe: undefined, isPaused: false }))
        return (request, send) => guarded(request, send, guardOf(request.network))
      },
    ),
  )

/** As {@link layer}, with options that are read from Effect's `Config`. */
export const layerConfig = (
  options: Config.Wrap<Options>,
): Layer.Layer<Transport, Config.ConfigError | Check.InvalidOptions, Transport> => configured(options, layer)

/** One endpoint's circuit, and the call that finds out whether it is up again, if there is one. */
interface Guard {
  readonly circuit: Circuit
  probe: Deferred.Deferred<void> | undefined
  /** As the metric says it. */
  isPaused: boolean
}

type Guarded = (request: RpcRequest, send: Send, guard: Guard) => ReturnType<Around>

const guarded: Guarded = (request, send, guard) =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const { circuit } = guard
    const verdict = circuit.admit(clock.currentTimeMillisUnsafe(), elapsedOf(clock))
    showPaused(guard, verdict._tag === "Refused", request.network, fiber.context)
    if (verdict._tag === "Refused") return Effect.fail(failure(request, verdict.reason, "unsent"))
    return circuit.isDown() ? findOut(request, send, guard, verdict) : heard(send(request), circuit, verdict)
  })

const showPaused = (guard: Guard, isPaused: boolean, { id }: Network, context: Context.Context<never>): void => {
  if (guard.isPaused === isPaused) return
  guard.isPaused = isPaused
  Metric.withAttributes(paused, { network: id }).updateUnsafe(isPaused ? 1 : 0, context)
}

/** What the answer tells the circuit. */
const heard = (
  sent: Effect.Effect<RpcReply, RpcError>,
  circuit: Circuit,
  verdict: Verdict,
): Effect.Effect<RpcReply, RpcError> =>
  Effect.matchEffect(sent, {
    onSuccess: (reply) => {
      circuit.succeeded(verdict)
      return Effect.succeed(reply)
    },
    onFailure: (error) =>
      Effect.clockWith((clock) => {
        circuit.failed(error, verdict, clock.currentTimeMillisUnsafe(), elapsedOf(clock))
        return Effect.fail(error)
      }),
  })

/** One call asks an endpoint that was down, while the others wait. */
const findOut = (request: RpcRequest, send: Send, guard: Guard, verdict: Verdict): Effect.Effect<RpcReply, RpcError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const others = guard.probe
      const own = others === undefined ? Deferred.makeUnsafe<void>() : undefined
      guard.probe ??= own
      return { own, others }
    }),
    ({ others }) =>
      others === undefined
        ? heard(send(request), guard.circuit, verdict)
        : Effect.andThen(Deferred.await(others), guarded(request, send, guard)),
    ({ own }, exit) =>
      Effect.clockWith((clock) => {
        if (own === undefined) return Effect.void
        // One that was interrupted has found out nothing: the next call goes ahead.
        if (guard.circuit.isDown() && !Exit.hasInterrupts(exit)) guard.circuit.probeFailed(elapsedOf(clock))
        guard.probe = undefined
        return Deferred.succeed(own, undefined)
      }),
  )

const optionNames: Check.Members<Options> = { failures: true, pause: true, longestPause: true, authPause: true }

const limitsOf = (options: Options): Limits => ({
  failures: Check.wholeAboveZero("failures", options.failures ?? 5),
  pause: Check.millis("pause", options.pause ?? "5 seconds"),
  longestPause: Check.millis("longestPause", options.longestPause ?? "1 minute"),
  authPause: Check.millis("authPause", options.authPause ?? "10 seconds"),
})
