/** Time for measuring and waiting, in milliseconds, that no correction of the wall clock can turn back. */
import type { Clock } from "effect"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Milliseconds since some moment in the past. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** As {@link elapsedOf}, by the clock of the fiber. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.succeed(elapsedOf(clock)))

export const millisOf = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration))

/**
 * The wall time of a clock that is not the machine's, such as one of a test: it stands for all clocks there are, a server's too.
 * `undefined` for the machine's, which may be wrong by itself.
 */
export const replacedTime = (clock: Clock.Clock): number | undefined =>
  isOfMachine(clock) ? undefined : clock.currentTimeMillisUnsafe()

/** Whether a clock runs with the machine: its wall time may be wrong, but its seconds are the machine's. */
const isOfMachine = (clock: Clock.Clock): boolean => {
  const nanos = (globalThis as { readonly process?: Process | undefined }).process?.hrtime?.bigint?.()
  return nanos === undefined || Math.abs(elapsedOf(clock) - Number(nanos) / 1_000_000) < 1_000
}

interface Process {
  readonly hrtime?: { readonly bigint?: (() => bigint) | undefined } | undefined
}
