/**
 * The daily balance of every key (service §1, §8), as a port: in the memory of one gateway, or shared by several. A call is
 * charged in full when it is admitted and what it did not cost is returned, so a call that is interrupted, or whose
 * gateway is killed, stays charged and two calls never spend the same credit.
 *
 * Invariant: `spent` is the sum of `byMethod`, and an admission never takes it past `daily`.
 */
import { Data, type Effect } from "effect"

/** Credits of one call. */
export interface Charge {
  readonly method: string
  readonly credits: number
}

export interface Limits {
  /** Credits per key and day. The balance resets at 00:00 UTC. */
  readonly daily: number
  /** Credits per key and second; absent means no limit. */
  readonly perSecond?: number | undefined
}

/** What was spent today, this admission included if it was one. */
export type Admission =
  | { readonly admitted: true; readonly spent: number }
  | { readonly admitted: false; readonly spent: number; readonly limit: "daily" | "perSecond" }

export interface KeyBalance {
  /** The number of the day since 1970. A clock that is set back must not bring a day's credits back. */
  readonly day: number
  readonly spent: number
  readonly byMethod: Readonly<Record<string, number>>
}

/** `now` is milliseconds since 1970, by the clock of the gateway. */
export interface Balances {
  /**
   * Charges some calls, all or none. A body that costs more than a whole second's limit is admitted at the start of a
   * second: it could never be sent otherwise.
   */
  readonly admit: (
    key: string,
    charges: ReadonlyArray<Charge>,
    limits: Limits,
    now: number,
  ) => Effect.Effect<Admission, BalancesUnavailable>
  /** Returns what an admitted call did not cost, on the day it was admitted; the sum spent today after that. */
  readonly refund: (key: string, charge: Charge, admittedAt: number) => Effect.Effect<number, BalancesUnavailable>
  readonly balance: (key: string, now: number) => Effect.Effect<KeyBalance, BalancesUnavailable>
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

export const dayOf = (now: number): number => Math.floor(now / DAY_MILLIS)

export const secondOf = (now: number): number => Math.floor(now / 1_000)

/** A clock that is up to five seconds behind counts into the latest second; one that is further behind was set back. */
export const isNewSecond = (second: number, latest: number): boolean => second > latest || second < latest - 5

const DAY_MILLIS = 86_400_000
