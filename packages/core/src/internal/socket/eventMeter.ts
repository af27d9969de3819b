/**
 * Pays for the events of one connection: some are reserved ahead, and each that arrives is charged, read or not.
 *
 * Invariant: every event that was counted is settled exactly once. Events that come faster than they are reserved are set aside in
 * the allowances at once, and no more is asked for than their limits: while the subscription is wanted, at least one future event is
 * reserved, and when no more can be reserved, it is ended. What the server sends meanwhile is charged by it, and so it is counted here as well,
 * beyond a limit.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import type { RpcError, RpcRequest } from "@dotrpc/spec"
import type { Reservation } from "../../ledger/Ledger.ts"
import type { Payments } from "../payments.ts"

export interface EventMeter {
  /** Counts an event that has arrived. False from the last one on that a limit allows: no later one is wanted. */
  readonly count: () => boolean
  /** Whether more events have arrived than the ledger has reserved: the server should wait. */
  readonly isBehind: () => boolean
  /** Pays until the scope ends, or until the next event cannot be paid. `onPaid` runs when nothing is behind any more. */
  readonly paying: (onPaid: () => void) => Effect.Effect<never, RpcError>
}

/** Reserves the first events. Events that are not paid yet are settled when the scope ends, after everything that was opened later. */
export const makeEventMeter = (
  payments: Payments,
  event: RpcRequest,
  price: number,
  ahead: number,
): Effect.Effect<EventMeter, RpcError, Scope.Scope> =>
  Effect.gen(function* () {
    if (price === 0) return { count: () => true, isBehind: never, paying: () => Effect.never }
    const arrived = Latch.makeUnsafe(false)
    /** Arrived and not settled. */
    let unpaid = 0
    /** Of those, the ones that only the allowances have set aside. */
    let extra = 0
    let refused: RpcError | undefined
    /** The first pays for an event that arrives while the connection closes. */
    const reserved: Array<Reserved> = []
    const covered = () => extra + (reserved.length > 1 ? (reserved.at(-1)?.events ?? 0) : 0)

    const settleLast = Effect.suspend(() => {
      const own = reserved.pop()
      if (own === undefined) return Effect.void
      const aside = own.events + extra
      const events = reserved.length === 0 ? unpaid : Math.min(unpaid, aside)
      unpaid -= events
      extra = 0
      return payments.settle(event, { price: aside * price, reservation: own.reservation }, events * price)
    })
    yield* Effect.addFinalizer(() => Effect.andThen(settleLast, settleLast))

    const reserve = (events: number) =>
      Effect.uninterruptible(
        Effect.map(payments.reserve(event, events * price), (reservation) => {
          reserved.push({ events, reservation })
        }),
      )
    /** Reserves fewer if more cannot be paid. */
    const reserveAhead = (events: number): Effect.Effect<void, RpcError> =>
      events === 1 ? reserve(1) : reserve(events).pipe(Effect.catch(() => reserveAhead(Math.floor(events / 2))))

    // More are reserved once opening was paid.
    yield* reserve(1)
    yield* reserve(1)
    return {
      count: () => {
        if (refused === undefined && unpaid >= covered()) {
          refused = payments.extend(event, price)
          if (refused === undefined) extra++
        }
        unpaid++
        arrived.openUnsafe()
        return refused === undefined
      },
      isBehind: () => extra > 0,
      paying: (onPaid) =>
        Effect.forever(
          Effect.gen(function* () {
            yield* Effect.uninterruptible(settleLast)
            if (refused !== undefined) return yield* refused
            yield* reserveAhead(ahead)
            if (extra === 0) onPaid()
            yield* arrived.await
            arrived.closeUnsafe()
          }),
        ),
    }
  })

const never = () => false

interface Reserved {
  readonly events: number
  readonly reservation: Reservation
}
