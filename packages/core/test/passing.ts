/** Time in turns of the scheduler, for programs whose steps interleave in every way. */
import { Effect, Fiber } from "effect"

/** Lets so many turns go by. */
export const pass = (count: number): Effect.Effect<void> =>
  count === 0 ? Effect.void : Effect.andThen(Effect.yieldNow, pass(count - 1))

/** When a caller starts, and when it leaves if it does. */
export interface Stay {
  readonly startsAfter: number
  readonly interruptedAfter: number | undefined
}

/** How a call ends whose caller stays so long. */
export const during = <A, E, R>({ interruptedAfter, startsAfter }: Stay, call: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* pass(startsAfter)
    const fiber = yield* Effect.forkChild(call)
    if (interruptedAfter !== undefined) {
      yield* pass(interruptedAfter)
      yield* Fiber.interrupt(fiber)
    }
    return yield* Fiber.await(fiber)
  })
