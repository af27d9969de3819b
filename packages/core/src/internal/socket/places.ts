/**
 * How many calls may be in flight on a link: many, or for a while one at a time. Those that wait for a place go in the order of
 * every other line: calls that a person waits for first, then pipelines in turn.
 *
 * Invariant: it is one at a time until as many calls have ended as were asked for.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { CurrentAllowances } from "../../Allowance.ts"
import { Priority } from "../../Priority.ts"
import * as Queue from "../queue.ts"

export interface Places {
  /** Takes a place that is free now, and returns what gives it back; `undefined` where a call has to wait. */
  readonly take: () => (() => void) | undefined
  /** Runs a call once there is a place for it. */
  readonly pass: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Calls that begin from now on run one at a time, until so many of them have ended. */
  readonly oneAtATime: (calls: number) => void
}

export const makePlaces = (most: number): Places => {
  let waiting = Queue.empty<Waiting>()
  let joined = 0
  let taken = 0
  /** How many calls are still to run alone. */
  let alone = 0

  const isFree = () => taken < (alone > 0 ? 1 : most)

  const letThrough = () => {
    for (let next = Queue.next(waiting); next !== undefined && isFree(); next = Queue.next(waiting)) {
      waiting = Queue.go(waiting, next)
      taken++
      Deferred.doneUnsafe(next.ready, Effect.void)
    }
  }
  const leave = () => {
    taken--
    letThrough()
  }

  const take = () => {
    if (!isFree() || !Queue.isEmpty(waiting)) return undefined
    taken++
    return placeBack()
  }
  /** What the call that has a place does at its end. */
  const placeBack = () => {
    const counts = alone > 0
    return () => {
      if (counts) alone--
      leave()
    }
  }

  const waitInLine = (one: Waiting): Effect.Effect<void> => {
    waiting = Queue.join(waiting, one)
    return Effect.onInterrupt(Effect.interruptible(Deferred.await(one.ready)), () =>
      Effect.sync(() => {
        // It may have got its place just before it was interrupted.
        if (Queue.has(waiting, one)) waiting = Queue.leave(waiting, one)
        else leave()
      }),
    )
  }
  const enter: Effect.Effect<void> = Effect.withFiber((fiber) => {
    if (isFree() && Queue.isEmpty(waiting)) {
      taken++
      return Effect.void
    }
    return waitInLine({
      id: joined++,
      price: 0,
      priority: fiber.getRef(Priority),
      allowances: fiber.getRef(CurrentAllowances),
      ready: Deferred.makeUnsafe(),
    })
  })

  return {
    take,
    pass: (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(enter, () => Effect.ensuring(restore(call), Effect.sync(placeBack()))),
      ),
    oneAtATime: (calls) => {
      alone = Math.max(alone, calls)
    },
  }
}

interface Waiting extends Queue.Entry {
  readonly ready: Deferred.Deferred<void>
}
