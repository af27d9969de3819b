/** Time for measuring and waiting, in milliseconds, that no correction of the wall clock can turn back. */
import { type Clock, Duration, Effect } from "effect"

/** Milliseconds since some moment in the past. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** As {@link elapsedOf}, by the clock of the fiber. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.succeed(elapsedOf(clock)))

export const millisOf = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration))
