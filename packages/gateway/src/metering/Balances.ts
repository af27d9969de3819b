/**
 * The daily balance of every key (service §1, §8), as a port: in the memory of one gateway, or shared by several. A call is
 * charged in full when it is admitted and what it did not cost is returned, so a call that is interrupted, or whose
 * gateway is killed, stays charged and two calls never spend the same credit. The rule is that of every ledger, in `@dotrpc/core`.
 *
 * Invariant: `spent` is the sum of `byMethod`, and an admission never takes it past `daily`. A clock that is set back
 * restores no credits until it has insisted for an hour, and nothing is deleted because a clock says so.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as AdmissionLedger from "@dotrpc/core/AdmissionLedger"
import type { RpcReason } from "@dotrpc/spec"
import { Data, Effect } from "effect"

/** Credits of one call. */
export type Charge = AdmissionLedger.AdmittedCharge

/** What a key may spend: credits per day, from 00:00 UTC, and per second. */
export type Limits = AdmissionLedger.AdmissionLimits

/** Milliseconds since 1970, as in a simulation; absent where the place of the balances says what time it is. */
export type Now = number

/** What was spent today, this admission included if it was one; `day` is where it is charged. */
export type Admission = AdmissionLedger.Admission

/** What a key has spent. */
export type KeyBalance = AdmissionLedger.SpentSince

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
    now?: Now,
  ) => Effect.Effect<Admission, BalancesUnavailable>
  /** Returns what an admitted call did not cost, on the `day` of its admission; the sum spent today after that. */
  readonly refund: (key: string, charge: Charge, day: number, now?: Now) => Effect.Effect<number, BalancesUnavailable>
  /** What a key has spent. */
  readonly balance: (key: string, now?: Now) => Effect.Effect<KeyBalance, BalancesUnavailable>
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

/** The balances of one gateway, for as long as it lives. Every key begins with nothing spent. */
export const memoryBalances = (): Balances => balancesOf(AdmissionLedger.inMemory)

/** A balance for each key, under a name from which nobody can learn the key. An outage is reported when it begins and when it is over. */
export const balancesOf = (named: (name: string) => AdmissionLedger.AdmissionLedger): Balances => {
  const ledgers = new Map<string, AdmissionLedger.AdmissionLedger>()
  const ledgerOf = (key: string) => {
    const ledger = ledgers.get(key) ?? named(nameOf(key))
    ledgers.set(key, ledger)
    return ledger
  }
  let isAway = false
  const ask = <A>(use: Effect.Effect<A, RpcReason.LedgerUnavailable>): Effect.Effect<A, BalancesUnavailable> =>
    use.pipe(
      Effect.mapError(({ advice, why }) => new BalancesUnavailable({ why: `${why}. ${advice}` })),
      Effect.tap(() => {
        if (!isAway) return Effect.void
        isAway = false
        return Effect.logInfo("the balances are back: requests are answered again")
      }),
      Effect.tapError(({ why }) => {
        if (isAway) return Effect.void
        isAway = true
        return Effect.logError(`requests are refused: ${why}`)
      }),
    )
  return {
    admit: (key, charges, limits, now) => ask(ledgerOf(key).admit(charges, limits, now)),
    refund: (key, charge, day, now) => ask(ledgerOf(key).refund(charge, day, now)),
    balance: (key, now) => ask(ledgerOf(key).spent(now)),
  }
}

const nameOf = (key: string): string => bytesToHex(sha256(new TextEncoder().encode(key))).slice(0, 32)

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

const DAY_MILLIS = 86_400_000
