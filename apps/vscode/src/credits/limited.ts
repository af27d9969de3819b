/**
 * The daily limit of one project over a count that several of them share.
 *
 * Invariant: no reservation is granted that would take the day's count past the limit of the project that asks, unless
 * the person has allowed it for this run.
 */
import { CreditLedger } from "@dotrpc/core"
import { Context, Effect, Layer } from "effect"

/** Credits above the daily limit that the person has allowed the current run. */
export const AllowedOnce = Context.Reference<number>("dotrpc/AllowedOnce", { defaultValue: () => 0 })

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
      const reserve = (credits: number, keepShare: number) =>
        Effect.gen(function* () {
          const limit = daily + (yield* AllowedOnce)
          const kept = daily === Number.POSITIVE_INFINITY ? 0 : daily * keepShare
          // Reserved before it is compared: of two calls that cannot both be paid, never both are granted.
          const reservation = yield* below.reserve(credits)
          const { spent, reserved, resetsAt } = yield* below.balance
          if (spent + reserved + kept <= limit) return reservation
          yield* below.release(reservation)
          const others = reserved - credits
          const remaining = Math.max(0, limit - spent - others)
          return yield* new CreditLedger.LedgerFull({
            needed: credits,
            remaining,
            kept,
            reserved: others,
            daily,
            resetsAt,
          })
        })
      return CreditLedger.CreditLedger.of({
        ...below,
        balance,
        reserve: (credits, keepShare = 0) => Effect.uninterruptible(reserve(credits, keepShare)),
      })
    }),
  )
