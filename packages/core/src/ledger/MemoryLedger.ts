/** A ledger that lives as long as this process. */
import { Clock, Effect, Layer } from "effect"
import { dayOf, dayStart } from "../internal/day.ts"
import {
  addCharge,
  balanceOf,
  type Charges,
  checkCredits,
  checkDaily,
  keptOf,
  makeOpenReservations,
  settledAt,
} from "./amounts.ts"
import { CreditLedger, LedgerFull } from "./Ledger.ts"

export interface MemoryOptions {
  /** Credits per day; `Infinity` only counts. */
  readonly daily: number
}

/**
 * A ledger in memory: one process, forgotten when it ends.
 *
 * A reservation that is open at midnight belongs to the new day: the provider may charge the attempt there.
 *
 * Throws a `RangeError` when `daily` is not a number of credits. Settling a reservation twice is a defect.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerMemory({ daily: 3_000_000 })
 * ```
 */
export const layerMemory = (options: MemoryOptions): Layer.Layer<CreditLedger> => {
  const daily = checkDaily(options.daily)
  return Layer.sync(CreditLedger, () => {
    const open = makeOpenReservations()
    let day = 0
    let spent = 0
    let charges: Charges = new Map()

    const today = (now: number) => {
      if (dayOf(now) <= day) return
      day = dayOf(now)
      spent = 0
      charges = new Map()
    }
    const onDay = <A, E>(use: (resetsAt: Date) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        today(now)
        return use(dayStart(day + 1))
      })

    return CreditLedger.of({
      reserve: (credits, keepShare = 0) =>
        onDay((resetsAt) => {
          checkCredits(credits)
          const remaining = Math.max(0, daily - spent - open.credits())
          const kept = keptOf(daily, keepShare)
          if (credits === 0 || credits + kept <= remaining) return Effect.succeed(open.begin(credits))
          return Effect.fail(
            new LedgerFull({ needed: credits, remaining, kept, reserved: open.credits(), daily, resetsAt }),
          )
        }),
      settle: (reservation, said, { method, network }) =>
        onDay(() => {
          const charged = settledAt(reservation, said)
          open.end(reservation)
          spent += charged
          addCharge(charges, network, method, charged)
          return Effect.void
        }),
      release: (reservation) => Effect.sync(() => open.end(reservation)),
      balance: onDay((resetsAt) =>
        Effect.succeed(balanceOf(charges, { daily, reserved: open.credits(), lost: 0, resetsAt })),
      ),
    })
  })
}
