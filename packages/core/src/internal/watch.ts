/** A fiber that looks after those who wait, for as long as somebody does, and what each of them is told. */
import type { Scope } from "effect"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { CallObserver } from "../CallObserver.ts"

export interface Watch {
  /** Somebody waits from now on. */
  readonly start: Effect.Effect<unknown>
  /** Something has changed for anyone who waits: the fiber looks again. */
  readonly look: Effect.Effect<void>
}

/** `advance` looks once. It gives the milliseconds until it is time to look again, and `undefined` when nobody waits. */
export const makeWatch = (advance: Effect.Effect<number | undefined>): Effect.Effect<Watch, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const changed = Latch.makeUnsafe(false)
    let isWatched = false
    const look = Effect.sync(() => {
      if (isWatched) changed.openUnsafe()
    })
    const watch: Effect.Effect<void> = Effect.gen(function* () {
      while (true) {
        changed.closeUnsafe()
        const millis = yield* advance
        // Whoever came since it looked is looked after as well.
        if (changed.isOpen()) continue
        if (millis === undefined) {
          isWatched = false
          return
        }
        if (millis === Number.POSITIVE_INFINITY) yield* changed.await
        else if (millis > 0) yield* Effect.race(Effect.sleep(millis), changed.await)
      }
    })
    const start = Effect.suspend((): Effect.Effect<unknown> => {
      if (isWatched) return look
      isWatched = true
      return Effect.forkIn(Effect.interruptible(watch), scope)
    })
    return { start, look }
  })

/** Somebody who waits, and the last that it was told. */
export interface Told {
  readonly observer: CallObserver
  told: string | undefined
}

/** Says what it waits for, and for how many milliseconds; not twice in a row. */
export const tell = (one: Told, millis: number, why: string): void => {
  if (one.told === why) return
  one.told = why
  one.observer.onWait(millis, why)
}
