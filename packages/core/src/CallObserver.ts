/** Progress of a call, told to anyone who shows it. */
import { Context } from "effect"
import type { RpcRequest } from "@dotrpc/spec"

export interface CallObserver {
  /** An attempt starts; the first is number 1. Told by `Retry`. */
  readonly onAttempt: (attempt: number, request: RpcRequest) => void
  /** Nothing is sent for this many milliseconds, and why, in words without secrets. Told by `Retry` and `RateLimit`. */
  readonly onWait: (millis: number, why: string) => void
  /**
   * The call costs nothing, because the same one is under way, or its result was kept. Told by `Coalesce`; of a call under
   * way, attempts and waits are told to the observer that it began with.
   */
  readonly onShared?: ((from: "under way" | "kept", request: RpcRequest) => void) | undefined
}

/**
 * The observer of the calls of an effect. Its functions return at once and do not throw.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(
 *   Effect.provideService(CallObserver, { onAttempt: () => {}, onWait: (millis, why) => show(`${why}: ${millis} ms`) }),
 * )
 * ```
 */
export const CallObserver = Context.Reference<CallObserver>("@dotrpc/core/CallObserver", {
  defaultValue: () => ({ onAttempt: () => {}, onWait: () => {} }),
})
