/** Time for measuring and waiting, in milliseconds, that no correction of the wall clock can turn back. */
import { elapsedOf } from "@dotrpc/spec"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export { elapsedOf } from "@dotrpc/spec"

/** As {@link elapsedOf}, by the clock of the fiber. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.succeed(elapsedOf(clock)))

export const millisOf = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration))
