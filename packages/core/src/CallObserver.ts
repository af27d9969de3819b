/** Reports the progress of a call to an observer. */
import * as Context from "effect/Context"
import type { RpcReason, RpcRequest } from "@dotrpc/spec"

export interface CallObserver {
  /** An attempt starts; the first is number 1. Told by `Retry`. */
  readonly onAttempt: (attempt: number, request: RpcRequest) => void
  /** An attempt has ended, however it did. Reported by `Retry`, which counts attempts. Nothing in it is a secret. */
  readonly onAttemptEnd?: ((end: AttemptEnd, request: RpcRequest) => void) | undefined
  /** Nothing is sent for this many milliseconds, and why, in words without secrets. Reported by `Retry`, `RateLimit`, `CreditBudget` and `CreditRate`. */
  readonly onWait: (millis: number, why: string) => void
  /**
   * The call costs nothing, because the same one is in flight, or its result is cached. Reported by `Coalesce`; attempts and
   * waits of a call in flight are reported to the observer that it began with.
   */
  readonly onShared?: ((from: "in flight" | "cached", request: RpcRequest) => void) | undefined
  /**
   * `Multicall` or `WholeBlock` answered the call with others, `calls` in total, which saved this many credits compared with a separate call.
   */
  readonly onSaved?:
    | ((saved: { readonly credits: number; readonly calls: number }, request: RpcRequest) => void)
    | undefined
  /**
   * Calls that `Multicall` or `WholeBlock` would have made one are made one by one, and why, in words without secrets. Reported to the first of
   * `calls` that failed as one, and to each call that is made alone because earlier ones failed, as one call.
   */
  readonly onSeparate?:
    | ((separate: { readonly calls: number; readonly why: string }, request: RpcRequest) => void)
    | undefined
  /** `Cassette` answered the call from a recording: what it cost when it was recorded, in credits, was not paid again. */
  readonly onAvoided?: ((credits: number, request: RpcRequest) => void) | undefined
}

/** How an attempt went. */
export interface AttemptEnd {
  /** Its number, from 1. */
  readonly attempt: number
  /** How many there may be at most, this one included. */
  readonly most: number
  /** The host and port it goes to; absent for a gateway in this process. */
  readonly host?: string | undefined
  /** Credits that were to be set aside before it was sent. */
  readonly reserved: number
  /** Credits that it was charged. */
  readonly charged: number
  /** Milliseconds until it left, such as for a turn. */
  readonly waited: number
  /** Absent when nothing was sent. */
  readonly sent?:
    | {
        /** Milliseconds from its first byte to its end. */
        readonly millis: number
        /** The HTTP status of the reply; absent without one, and over a WebSocket. */
        readonly status?: number | undefined
        /** Bytes of the reply, once it is unpacked; absent where it was not read to its end, and over a WebSocket. */
        readonly bytes?: number | undefined
      }
    | undefined
  /** Why there is no result, in words without secrets. */
  readonly failure?:
    | { readonly reason: RpcReason.ReasonTag | "Interrupted" | "Internal"; readonly message: string }
    | undefined
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
