/**
 * The daily balance: what was charged today, and what is set aside for calls on their way (service §8).
 *
 * Invariant: every reservation ends exactly once, settled or released; `spent + reserved` never grows past `daily` by a
 * reservation.
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { dayOf, dayStart } from "./internal/day.ts"

/** Credits set aside for one attempt. */
export interface Reservation {
  readonly credits: number
}

/** What a charge was for. */
export interface Charge {
  readonly method: string
  readonly network: string
}

/** All amounts are credits of the current day, which runs from 00:00 UTC to 00:00 UTC. */
export interface Balance {
  readonly daily: number
  readonly spent: number
  /** Set aside for attempts that have not ended. */
  readonly reserved: number
  /** What a new reservation may take: never negative. */
  readonly remaining: number
  readonly resetsAt: Date
  readonly byMethod: Readonly<Record<string, number>>
  readonly byNetwork: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export class CreditLedger extends Context.Service<
  CreditLedger,
  {
    /** Sets credits aside, or fails when fewer remain today; there is no moment at which two calls could take the same credits. */
    readonly reserve: (credits: number) => Effect.Effect<Reservation, LedgerFull>
    /** Ends a reservation with what was charged. What the charge leaves is free again. */
    readonly settle: (reservation: Reservation, charged: number, charge: Charge) => Effect.Effect<void>
    /** Ends a reservation without a charge. */
    readonly release: (reservation: Reservation) => Effect.Effect<void>
    readonly balance: Effect.Effect<Balance>
  }
>()("@dotrpc/core/CreditLedger") {}

/** Fewer credits remain today than were asked for. */
export class LedgerFull extends Data.TaggedError("LedgerFull")<{
  readonly needed: number
  readonly remaining: number
  readonly daily: number
  readonly resetsAt: Date
}> {
  override get message(): string {
    return `${this.needed} credits are needed, and ${this.remaining} of ${this.daily} are left until ${this.resetsAt.toISOString()}`
  }
}

/**
 * A ledger that lives as long as this process. `daily` is the number of credits per day; `Infinity` only counts.
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
export const layerMemory = (options: { readonly daily: number }): Layer.Layer<CreditLedger> => {
  const { daily } = options
  if (!(daily >= 0)) throw new RangeError(`daily must be a number of credits, zero or more; it is ${daily}.`)
  return Layer.sync(CreditLedger, () => {
    const open = new Set<Reservation>()
    let reserved = 0
    let day = 0
    let spent = 0
    let charges = new Map<string, Map<string, number>>()

    const onDay = <A, E>(use: (resetsAt: Date) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const today = dayOf(now)
        if (today > day) {
          day = today
          spent = 0
          charges = new Map()
        }
        return use(dayStart(day + 1))
      })
    const end = (reservation: Reservation) => {
      if (!open.delete(reservation)) throw new TypeError("The reservation has ended already, or is of another ledger.")
      reserved -= reservation.credits
    }
    const remaining = () => Math.max(0, daily - spent - reserved)

    return CreditLedger.of({
      reserve: (credits) =>
        onDay((resetsAt) => {
          if (!(credits >= 0)) return Effect.die(new RangeError(`${credits} is not a number of credits.`))
          if (credits > remaining())
            return Effect.fail(new LedgerFull({ needed: credits, remaining: remaining(), daily, resetsAt }))
          const reservation: Reservation = { credits }
          open.add(reservation)
          reserved += credits
          return Effect.succeed(reservation)
        }),
      settle: (reservation, charged, { method, network }) =>
        onDay(() =>
          Effect.sync(() => {
            end(reservation)
            spent += charged
            const methods = charges.get(network) ?? new Map<string, number>()
            methods.set(method, (methods.get(method) ?? 0) + charged)
            charges.set(network, methods)
          }),
        ),
      release: (reservation) => Effect.sync(() => end(reservation)),
      balance: onDay((resetsAt) =>
        Effect.succeed({
          daily,
          spent,
          reserved,
          remaining: remaining(),
          resetsAt,
          byMethod: sumByMethod(charges),
          byNetwork: Object.fromEntries(
            [...charges].map(([network, methods]) => [network, Object.fromEntries(methods)]),
          ),
        }),
      ),
    })
  })
}

const sumByMethod = (charges: ReadonlyMap<string, ReadonlyMap<string, number>>): Readonly<Record<string, number>> => {
  const sums = new Map<string, number>()
  for (const methods of charges.values())
    for (const [method, charged] of methods) sums.set(method, (sums.get(method) ?? 0) + charged)
  return Object.fromEntries(sums)
}
