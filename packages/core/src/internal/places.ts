/**
 * How many calls may be in flight on a link: many, or for a while one at a time.
 *
 * Invariant: it is one at a time until as many calls have ended as were asked for.
 */
import { Effect, Semaphore } from "effect"

export interface Places {
  /** Runs a call once there is a place for it. */
  readonly pass: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Calls that begin from now on run one at a time, until so many of them have ended. */
  readonly oneAtATime: (calls: number) => void
}

export const makePlaces = (most: number): Places => {
  const semaphore = Semaphore.makeUnsafe(most)
  let permits = most
  /** How many calls are still to run alone. */
  let alone = 0

  const resized = Effect.suspend(() => {
    const wanted = alone > 0 ? 1 : most
    if (wanted === permits) return Effect.void
    permits = wanted
    return semaphore.resize(wanted)
  })

  return {
    pass: (call) =>
      semaphore.withPermit(
        Effect.suspend(() => {
          const counts = alone > 0
          const ended = Effect.suspend(() => {
            if (counts) alone--
            return resized
          })
          return Effect.ensuring(Effect.andThen(resized, call), ended)
        }),
      ),
    oneAtATime: (calls) => {
      alone = Math.max(alone, calls)
    },
  }
}
