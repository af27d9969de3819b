/**
 * The daily balance of every key (service §1, §8), as a port: in the memory of one gateway, or shared by several. A call is
 * charged in full when it is admitted and what it did not cost is returned, so a call that is interrupted, or whose
 * gateway is killed, stays charged and two calls never spend the same credit.
 *
 * Days move forward by agreement, as those of a ledger do: on a Redis server by its clock, elsewhere as far as the wall clock
 * and the time since the machine was started agree. While they do not, both days count.
 *
 * Invariant: `spent` is the sum of `byMethod`, and an admission never takes it past `daily`. A clock that is wrong for less than
 * an hour restores no credits, and nothing is deleted because a clock says so.
 */
import type { ClockReading } from "@dotrpc/spec"
import { Data, type Effect } from "effect"

/** Credits of one call. */
export interface Charge {
  readonly method: string
  readonly credits: number
}

/** What a key may spend. */
export interface Limits {
  /** Credits per key and day. The balance resets at 00:00 UTC. */
  readonly daily: number
  /** Credits per key and second; absent means no limit. */
  readonly perSecond?: number | undefined
}

/**
 * What time it is: both clocks of the machine, or milliseconds since 1970 where there is only one, as in a simulation. That one
 * begins days by itself; set back, it has to go on for an hour before it is believed.
 */
export type Now = number | ClockReading

/** What was spent today, this admission included if it was one; `day` is where it is charged. */
export type Admission =
  | { readonly admitted: true; readonly spent: number; readonly day: number }
  | { readonly admitted: false; readonly spent: number; readonly limit: "daily" | "perSecond" }

/** What a key has spent. */
export interface KeyBalance {
  /** The first day that counts, as a number since 1970. */
  readonly day: number
  readonly spent: number
  readonly byMethod: Readonly<Record<string, number>>
}

/** Where a gateway keeps what each key has spent. */
export interface Balances {
  /**
   * Charges some calls, all or none. A body that costs more than a whole second's limit is admitted at the start of a
   * second: it could never be sent otherwise.
   */
  readonly admit: (
    key: string,
    charges: ReadonlyArray<Charge>,
    limits: Limits,
    now: Now,
  ) => Effect.Effect<Admission, BalancesUnavailable>
  /** Returns what an admitted call did not cost, on the `day` of its admission; the sum spent today after that. */
  readonly refund: (key: string, charge: Charge, day: number, now: Now) => Effect.Effect<number, BalancesUnavailable>
  /** What a key has spent. */
  readonly balance: (key: string, now: Now) => Effect.Effect<KeyBalance, BalancesUnavailable>
}

/** Where the balances are kept cannot be reached or used: nothing may be answered, because nobody knows what is left. */
export class BalancesUnavailable extends Data.TaggedError("BalancesUnavailable")<{
  /** What is wrong, without secrets. */
  readonly why: string
}> {
  override get message(): string {
    return this.why
  }
}

/** The body of the credits route. */
export interface CreditReport {
  readonly daily: number
  readonly spent: number
  readonly remaining: number
  /** The next midnight in UTC, ISO 8601. */
  readonly resetsAt: string
  readonly byMethod: Readonly<Record<string, number>>
}

export const reportOf = ({ byMethod, day, spent }: KeyBalance, daily: number): CreditReport => ({
  daily,
  spent,
  remaining: Math.max(0, daily - spent),
  resetsAt: new Date((day + 1) * DAY_MILLIS).toISOString(),
  byMethod: Object.fromEntries(Object.entries(byMethod).toSorted(([left], [right]) => (left < right ? -1 : 1))),
})

export const readingAt = (now: Now): ClockReading =>
  typeof now === "number" ? { wall: now, uptime: now, boot: "", isReplaced: true } : now

/** So many days with charges are kept, and so many by the calendar: a clock may turn out to have been wrong. */
export const daysKept = 60

export const secondOf = (now: number): number => Math.floor(now / 1_000)

/** A clock that is up to five seconds behind counts into the latest second; one that is further behind was set back. */
export const isNewSecond = (second: number, latest: number): boolean => second > latest || second < latest - 5

const DAY_MILLIS = 86_400_000
