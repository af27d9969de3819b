/**
 * One count of what was spent, shared by all projects of the window, under the daily limit of each.
 *
 * Invariant: no reservation is granted that would take the day's count past the limit of the project that asks.
 */
import { CreditLedger } from "@dotrpc/core"
import { Effect, Layer } from "effect"

/** Counts, and refuses nothing. */
export const counted: Layer.Layer<CreditLedger.CreditLedger> = CreditLedger.layerMemory({
  daily: Number.POSITIVE_INFINITY,
})

/** The ledger below, with a limit of its own. */
export const limited = (daily: number): Layer.Layer<CreditLedger.CreditLedger, never, CreditLedger.CreditLedger> =>
  Layer.effect(
    CreditLedger.CreditLedger,
    Effect.map(CreditLedger.CreditLedger, (below) => {
      const balance = Effect.map(below.balance, (all) => ({
        ...all,
        daily,
        remaining: Math.max(0, daily - all.spent - all.reserved),
      }))
      const reserve = (credits: number) =>
        Effect.gen(function* () {
          // Reserved before it is compared: of two calls that cannot both be paid, never both are granted.
          const reservation = yield* below.reserve(credits)
          const { spent, reserved, resetsAt } = yield* below.balance
          if (spent + reserved <= daily) return reservation
          yield* below.release(reservation)
          const others = reserved - credits
          const remaining = Math.max(0, daily - spent - others)
          return yield* new CreditLedger.LedgerFull({
            needed: credits,
            remaining,
            kept: 0,
            reserved: others,
            daily,
            resetsAt,
          })
        })
      return CreditLedger.CreditLedger.of({
        ...below,
        balance,
        reserve: (credits) => Effect.uninterruptible(reserve(credits)),
      })
    }),
  )
