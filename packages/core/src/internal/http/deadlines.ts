/**
 * Deadlines of many calls on one timer. A separate timer is the most expensive part of a successful call, and almost no
 * call ever reaches its deadline.
 *
 * Invariant: deadlines after the same time expire in the order in which they were added, so that only the first of these is
 * looked at, however many there are.
 */
import type { Clock, Fiber } from "effect"
import * as Effect from "effect/Effect"
import { elapsedOf } from "../elapsed.ts"

export interface Deadlines {
  /** Runs `expire` after so many milliseconds, unless the returned function is called before. */
  readonly add: (millis: number, expire: () => void) => () => void
}

/** Nothing expires after the end of the scope. */
export const makeDeadlines = Effect.gen(function* () {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const clock: Clock.Clock = yield* Effect.clockWith(Effect.succeed)
  /** By the time that they were given, in milliseconds. */
  const waiting = new Map<number, Set<Deadline>>()
  let timer: { readonly at: number; readonly fiber: Fiber.Fiber<void> } | undefined

  const stop = () => {
    timer?.fiber.interruptUnsafe()
    timer = undefined
  }
  const wakeBy = (at: number, now: number) => {
    if (timer !== undefined && timer.at <= at) return
    timer?.fiber.interruptUnsafe()
    timer = { at, fiber: run(Effect.andThen(Effect.sleep(Math.ceil(at - now)), Effect.sync(wake))) }
  }
  const wake = () => {
    timer = undefined
    const now = elapsedOf(clock)
    let next = Number.POSITIVE_INFINITY
    for (const [millis, deadlines] of waiting) {
      for (const deadline of deadlines) {
        if (deadline.at > now) {
          next = Math.min(next, deadline.at)
          break
        }
        remove(millis, deadline)
        deadline.expire()
      }
    }
    if (waiting.size > 0) wakeBy(next, now)
  }
  const remove = (millis: number, deadline: Deadline) => {
    const deadlines = waiting.get(millis)
    deadlines?.delete(deadline)
    if (deadlines?.size === 0) waiting.delete(millis)
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      waiting.clear()
      stop()
    }),
  )
  const deadlines: Deadlines = {
    add: (millis, expire) => {
      if (millis === Number.POSITIVE_INFINITY) return () => {}
      const now = elapsedOf(clock)
      const deadline: Deadline = { at: now + millis, expire }
      const others = waiting.get(millis)
      if (others === undefined) waiting.set(millis, new Set([deadline]))
      else others.add(deadline)
      wakeBy(deadline.at, now)
      return () => {
        // A timer without a deadline would keep the process alive.
        remove(millis, deadline)
        if (waiting.size === 0) stop()
      }
    },
  }
  return deadlines
})

interface Deadline {
  readonly at: number
  readonly expire: () => void
}
