/** What time it is for the balances of a gateway. */
import { type ClockReading, readingOf } from "@dotrpc/spec"
import { Effect } from "effect"

/** Both clocks of this machine. */
export const clocks: Effect.Effect<ClockReading> = Effect.clockWith((clock) => Effect.succeed(readingOf(clock)))
