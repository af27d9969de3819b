/**
 * Pays for the events of one connection: some are reserved ahead, and each that arrives is charged, read or not.
 *
 * Invariant: every event that arrived is settled exactly once. While the connection is open, at least one future event is
 * reserved; when no more can be reserved, the connection is closed.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import type { RpcError, RpcRequest } from "@dotrpc/spec"
import type { Reservation } from "../ledger/Ledger.ts"
import type { Till } from "./tills.ts"

export interface EventMeter {
  /** An event has arrived. */
  readonly count: () => void
  /** Pays until the scope ends, or until the next event cannot be paid. */
  readonly paying: Effect.Effect<never, RpcError>
}

/** Reserves the first events. Events that are not paid yet are settled when the scope ends, after everything that was opened later. */
export const makeEventMeter = (
  till: Till,
  event: RpcRequest,
  price: number,
  ahead: number,
): Effect.Effect<EventMeter, RpcError, Scope.Scope> =>
  Effect.gen(function* () {
    if (price === 0) return { count: () => {}, paying: Effect.never }
    const arrived = Latch.makeUnsafe(false)
    let unpaid = 0
    const reserved: Array<Reserved> = []

    /** All events since, even if they are more than were reserved. */
    const settle = (own: Reserved) =>
      Effect.suspend(() => {
        const events = unpaid
        unpaid = 0
        return till.settle(event, own, events * price)
      })
    const settleLast = Effect.suspend(() => {
      const own = reserved.pop()
      return own === undefined ? Effect.void : settle(own)
    })
    yield* Effect.addFinalizer(() => Effect.andThen(settleLast, settleLast))

    const reserve = (events: number) =>
      Effect.uninterruptible(
        Effect.map(till.reserve(event, events * price), (reservation) => {
          reserved.push({ price: events * price, reservation })
        }),
      )
    /** Reserves fewer if more cannot be paid. */
    const reserveAhead = (events: number): Effect.Effect<void, RpcError> =>
      events === 1 ? reserve(1) : reserve(events).pipe(Effect.catch(() => reserveAhead(Math.floor(events / 2))))

    // An event that may arrive while the connection closes, and the first event. More are reserved once opening was paid.
    yield* reserve(1)
    yield* reserve(1)
    return {
      count: () => {
        unpaid++
        arrived.openUnsafe()
      },
      paying: Effect.forever(
        Effect.gen(function* () {
          yield* Effect.uninterruptible(settleLast)
          yield* reserveAhead(ahead)
          yield* arrived.await
          arrived.closeUnsafe()
        }),
      ),
    }
  })

interface Reserved {
  readonly price: number
  readonly reservation: Reservation
}
