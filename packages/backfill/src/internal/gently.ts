/** Work that is asked to stop before it is interrupted. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** A call that is paid for is waited for so long, in milliseconds. */
const grace = 5_000

/** When it is interrupted, `ask` tells the effect to end soon; it is interrupted itself only if it does not. */
export const gently = <A, E, R>(effect: Effect.Effect<A, E, R>, ask: () => void): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDetach(Effect.interruptible(effect), { startImmediately: true })
      return yield* restore(Fiber.join(fiber)).pipe(
        Effect.onInterrupt(() => {
          ask()
          return Effect.andThen(Effect.raceFirst(Fiber.await(fiber), Effect.sleep(grace)), Fiber.interrupt(fiber))
        }),
      )
    }),
  )
