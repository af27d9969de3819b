/** A queue: one waits at the head and the others after it, in the order of arrival. */
import { Effect, Semaphore } from "effect"

export interface Line {
  /** Runs the effect once everyone who came before has left the line. */
  readonly wait: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly isEmpty: () => boolean
}

export const makeLine = (): Line => {
  const head = Semaphore.makeUnsafe(1)
  let length = 0
  return {
    wait: (effect) =>
      Effect.uninterruptibleMask((restore) => {
        length++
        return Effect.onExit(restore(head.withPermit(effect)), () => {
          length--
          return Effect.void
        })
      }),
    isEmpty: () => length === 0,
  }
}
