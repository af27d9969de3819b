/** A ledger that lives as long as this process. */
import type { Clock } from "effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Options, readingOf } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import { type AgreedTime, agreeOn, type Days, daysOf, resetOf } from "./agreedTime.ts"
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
import { checkWindow, daysKept, earlierDays, eachDay, firstDay, type Window } from "./window.ts"

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
 * A reservation that is open at midnight belongs to the new day: the provider may charge the attempt there. A clock that jumps
 * begins no new day, as {@link layerFile} says. The charges of earlier days count as long as they are in the window.
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
    let time: AgreedTime | undefined
    let days: Days = { since: 0, day: 0 }
    /** The first day that counts. */
    let first = firstDay(window, days.since)
    /** By day. */
    const charges = new Map<number, DayCharges>()

    const today = (clock: Clock.Clock, now: number) => {
      // The second clock is asked only where the first one says something new.
      if (time?.doubt === undefined && dayOf(now) === days.day) return
      time = agreeOn(time, readingOf(clock))
      days = daysOf(time, now)
      first = firstDay(window, days.since)
      if (time.doubt !== undefined) return
      for (const day of charges.keys()) if (day > days.day) moveCharges(day, days.day)
      const oldest = [...charges.keys()].toSorted((left, right) => left - right)
      for (const day of oldest.slice(0, Math.max(0, oldest.length - daysKept))) moveCharges(day, earlierDays)
    }
    const moveCharges = (from: number, to: number) => {
      const of = charges.get(from)
      if (of === undefined || from === to) return
      charges.delete(from)
      addAll(chargesOn(to), of)
    }
    const chargesOn = (day: number): DayCharges => {
      const of = charges.get(day) ?? { spent: 0, byNetwork: new Map() }
      charges.set(day, of)
      return of
    }
    const counted = () => [...charges].flatMap(([day, of]) => (day >= first ? [of] : []))
    const spent = (): number => {
      let sum = 0
      for (const [day, of] of charges) if (day >= first) sum += of.spent
      return sum
    }
    const onDay = <A, E>(use: (resetsAt: () => Date | undefined) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.clockWith((clock) => {
        const now = clock.currentTimeMillisUnsafe()
        today(clock, now)
        return use(() => resetOf(time?.doubt === undefined ? now : time.time, now, window))
      })

    return CreditLedger.of({
      reserve: (credits, keepShare = 0) =>
        onDay((resetsAt) => {
          checkCredits(credits)
          const remaining = Math.max(0, daily - spent() - open.credits())
          const kept = keptOf(daily, keepShare)
          if (credits === 0 || credits + kept <= remaining) return Effect.succeed(open.begin(credits))
          const full = { needed: credits, remaining, kept, reserved: open.credits(), daily, resetsAt: resetsAt() }
          return Effect.fail(new LedgerFull(full))
        }),
      settle: (reservation, said, { method, network }) =>
        onDay(() => {
          const charged = settledAt(reservation, said)
          open.end(reservation)
          const of = chargesOn(days.day)
          of.spent += charged
          addCharge(of.byNetwork, network, method, charged)
          return Effect.void
        }),
      release: (reservation) => Effect.sync(() => open.end(reservation)),
      balance: onDay((resetsAt) => {
        const sum: DayCharges = { spent: 0, byNetwork: new Map() }
        for (const of of counted()) addAll(sum, of)
        return Effect.succeed(
          balanceOf(sum.byNetwork, { daily, reserved: open.credits(), lost: 0, resetsAt: resetsAt() }),
        )
      }),
    })
  })
  return Layer.effect(CreditLedger, make)
}

interface DayCharges {
  spent: number
  readonly byNetwork: Charges
}

const addAll = (sum: DayCharges, { byNetwork, spent }: DayCharges): void => {
  sum.spent += spent
  for (const [network, methods] of byNetwork)
    for (const [method, credits] of methods) addCharge(sum.byNetwork, network, method, credits)
}
