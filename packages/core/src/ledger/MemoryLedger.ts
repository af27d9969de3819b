/** A ledger that lives as long as this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options } from "@dotrpc/spec"
import { balanceOf, checkCredits, checkDaily, keptOf, makeOpenReservations, settledAt } from "./amounts.ts"
import { CreditLedger, LedgerFull } from "./Ledger.ts"
import { type Entry, lookUp, nothing, type Standing, type Step, takeStep } from "./rule.ts"
import { resetOf } from "./time.ts"
import { checkWindow, eachDay, type Window } from "./window.ts"

/** The balance of a ledger in memory. */
export interface MemoryOptions {
  /** Credits per day, or per `window`; `Infinity` only counts. */
  readonly daily: number
  /** When the balance resets; each day at 00:00 UTC by default. */
  readonly window?: Window | undefined
}

/**
 * A ledger in memory: one process, forgotten when it ends.
 *
 * A reservation that is open at midnight belongs to the new day: the provider may charge the attempt there. A clock that is set
 * back brings back no day, as {@link layerFile} says. The charges of earlier days count as long as they are in the window.
 *
 * The layer fails with `InvalidOptions` when `daily` is not a number of credits. Settling a reservation twice is a defect.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerMemory({ daily: 3_000_000 })
 * ```
 */
export const layerMemory = (options: MemoryOptions): Layer.Layer<CreditLedger, Options.InvalidOptions> => {
  const checked = Options.inLayer(() => {
    const { daily, window = eachDay } = Options.members(options, { daily: true, window: true })
    return { daily: checkDaily(daily), window: checkWindow(window) }
  })
  const make = Effect.map(checked, ({ daily, window }) => {
    const open = makeOpenReservations()
    let state = nothing
    /** One step of the only owner, whose lease is what it has open. */
    const step = (clock: number, asked: Partial<Pick<Step, "need" | "kept" | "entries">>): Standing => {
      const rest = { owner, leaseMillis: 0, daily, extra: 0, number: 0, last: true }
      const [next, standing] = takeStep(
        state,
        { need: 0, kept: 0, entries: [], ...asked, ...rest, open: open.credits() },
        window,
        clock,
      )
      // Nobody else has to know what is set aside.
      state = { ...next, leases: [] }
      return standing
    }
    const atNow = <A, E>(use: (clock: number) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.clockWith((clock) => use(clock.currentTimeMillisUnsafe()))

    return CreditLedger.of({
      reserve: (credits, keepShare = 0) =>
        atNow((clock) => {
          checkCredits(credits)
          const kept = keptOf(daily, keepShare)
          if (credits === 0) return Effect.succeed(open.begin(credits))
          const { free, granted, now } = step(clock, { need: credits, kept })
          if (granted === credits) return Effect.succeed(open.begin(credits))
          const resetsAt = resetOf(now, clock, window)
          const remaining = Math.max(0, free)
          return Effect.fail(
            new LedgerFull({ needed: credits, remaining, kept, reserved: open.credits(), daily, resetsAt }),
          )
        }),
      settle: (reservation, said, { method, network }) =>
        atNow((clock) => {
          const credits = settledAt(reservation, said)
          open.end(reservation)
          const entry: Entry = { day: Number.POSITIVE_INFINITY, network, method, credits, number: 0 }
          step(clock, { entries: [entry] })
          return Effect.void
        }),
      release: (reservation) => Effect.sync(() => open.end(reservation)),
      balance: atNow((clock) => {
        const [, { charges, now }] = lookUp(state, owner, window, clock)
        const resetsAt = resetOf(now, clock, window)
        return Effect.succeed(balanceOf(charges, { daily, reserved: open.credits(), lost: 0, resetsAt }))
      }),
    })
  })
  return Layer.effect(CreditLedger, make)
}

const owner = "this process"
