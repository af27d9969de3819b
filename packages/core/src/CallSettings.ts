/** What one call may ask of the layers it passes: references with a default, set around an effect. */
import type { Duration } from "effect"
import * as Context from "effect/Context"

/**
 * How long to wait for a reply, instead of the transport's own timeout; `undefined` leaves that. Each attempt has the
 * whole of it.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(Effect.provideService(RequestTimeout, "5 seconds"))
 * ```
 */
export const RequestTimeout = Context.Reference<Duration.Input | undefined>("@dotrpc/core/RequestTimeout", {
  defaultValue: () => undefined,
})

/** How many times a call is sent again after its first attempt, instead of the `times` of `Retry.layer`; 0 means never. */
export const RetryTimes = Context.Reference<number | undefined>("@dotrpc/core/RetryTimes", {
  defaultValue: () => undefined,
})

/**
 * Whether the caller asks for less when no reply comes in time, as a scan does. `Retry` then leaves a `Timeout` to it,
 * and an error of HTTP 408, 504 or 524: the same query would run out of time again, and be charged again. Other errors of 500 and
 * above are left to it when they come twice.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(Effect.provideService(NarrowsOnTimeout, true))
 * ```
 */
export const NarrowsOnTimeout = Context.Reference<boolean>("@dotrpc/core/NarrowsOnTimeout", {
  defaultValue: () => false,
})

/**
 * How a call is sent when `Transports.layer` has both ways; `undefined` means HTTP where the network has a URL for
 * it, and a WebSocket otherwise.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(Effect.provideService(TransportKind, "ws"))
 * ```
 */
export const TransportKind = Context.Reference<"http" | "ws" | undefined>("@dotrpc/core/TransportKind", {
  defaultValue: () => undefined,
})

/** Where calls go together: see the option `use` of `Multicall.layer` and of `WholeBlock.layer`. */
export type MulticallUse = "try" | "known" | "off"

/**
 * Whether calls go together with others; it replaces the option `use` of `Multicall.layer` and of `WholeBlock.layer`, which applies when it is `undefined`.
 *
 * @example
 * ```ts
 * Evm.call({ to: oracle, input }).pipe(Effect.provideService(MulticallUse, "off"))
 * ```
 */
export const MulticallUse = Context.Reference<MulticallUse | undefined>("@dotrpc/core/MulticallUse", {
  defaultValue: () => undefined,
})
