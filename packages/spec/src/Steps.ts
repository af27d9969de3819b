/**
 * Long work in steps, so that other work on the thread is not blocked: an editor's extension host, a timeout, Ctrl-C.
 *
 * Invariant: the outcome does not depend on how the steps were driven.
 */

import * as Effect from "effect/Effect"
import { nextTurn } from "./NextTurn.ts"

/** Work that stops for a moment at every `yield`, and returns what came of it. */
export type Steps<Value> = Generator<void, Value>

/** When work in slices ends early. */
export interface SliceOptions {
  /** Asked before each slice: once it is true, nobody wants the outcome any more. */
  readonly isStale?: (() => boolean) | undefined
  /** How long the work goes on at a time, in milliseconds, unless a single step takes longer; twice that at first. */
  readonly sliceMillis?: number | undefined
}

/** Takes all the steps, one right after the other. */
export const atOnce = <Value>(steps: Steps<Value>): Value => {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

/**
 * Takes the steps in slices of a few milliseconds and lets everything else on the thread run between them. Gives
 * `undefined` when the work became stale.
 *
 * @example
 * ```ts
 * const value = await inSlices(Json.parsing(text), { isStale: () => document.version !== version })
 * ```
 */
export const inSlices = async <Value>(
  steps: Steps<Value>,
  { isStale = () => false, sliceMillis = 5 }: SliceOptions = {},
): Promise<Value | undefined> => {
  // The first slice is longer, as most work is short and ends in it.
  for (let millis = 2 * sliceMillis; ; millis = sliceMillis) {
    if (isStale()) {
      // Work that holds something, such as an open file, lets go of it.
      const left: Iterator<void, Value> = steps
      left.return?.()
      return undefined
    }
    const end = performance.now() + millis
    do {
      const next = steps.next()
      if (next.done === true) return next.value
    } while (performance.now() < end)
    await nextTurn()
  }
}

/**
 * Takes the steps as {@link inSlices} does, in an effect. Interrupting it ends the work; what a step throws is a defect.
 * `Effect.yieldNow` would not do: it lets other fibers run, and timers and signals only when those are done.
 */
export const inTurns = <Value>(steps: () => Steps<Value>): Effect.Effect<Value> =>
  Effect.callback((resume, signal) => {
    const isStale = () => signal.aborted
    inSlices(outcomeOf(steps()), { isStale }).then(
      (ended) => (ended === undefined ? undefined : resume(Effect.succeed(ended.outcome))),
      (defect: unknown) => resume(Effect.die(defect)),
    )
  })

/** An outcome that may be `undefined`, as that of work that became stale is. */
function* outcomeOf<Value>(steps: Steps<Value>): Steps<{ readonly outcome: Value }> {
  return { outcome: yield* steps }
}
