/**
 * The daily balance: what was charged today, and what is set aside for calls in flight (service §8).
 *
 * Invariant: every reservation ends exactly once, settled or released; `spent + reserved` never grows past `daily` by a
 * reservation, however many processes share the ledger.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { PriceSheet, RpcReason } from "@dotrpc/spec"

/** Credits set aside for one attempt. */
export interface Reservation {
  readonly credits: number
}

/** What a charge was for. */
export interface Charge {
  readonly method: string
  readonly network: string
  /** The file whose request it was. */
  readonly file?: string | undefined
}

/** All amounts are credits of the current window: of the current day, from 00:00 UTC to 00:00 UTC, unless the ledger has another. */
export interface Balance {
  /** The credits of a window. */
  readonly daily: number
  readonly spent: number
  /** Set aside for attempts that have not ended, and held by other processes for their next ones. */
  readonly reserved: number
  /** What a new reservation may take: never negative. */
  readonly remaining: number
  /** The part of `spent` that processes had set aside which ended without a word; nobody knows what it was for. */
  readonly lost: number
  /** When credits come free again; absent in a window without end. */
  readonly resetsAt: Date | undefined
  /** With `lost` they sum up to `spent`. */
  readonly byMethod: Readonly<Record<string, number>>
  readonly byNetwork: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Of the latest 24 hours, as far as it was written down; absent where there is only this process. */
  readonly uses?:
    | ReadonlyArray<{
        /** When the hour began. */
        readonly hour: Date
        /** The program that made the calls: `dotrpc run`. */
        readonly by: string
        /** The file whose requests they were. */
        readonly file?: string | undefined
        readonly credits: number
      }>
    | undefined
}

/** An account at a provider: a balance of its own, in the unit and the window of its price sheet. */
export interface Account {
  /** As `Network.account` names it. */
  readonly id: string
  /** Absent where its networks have no price sheet. */
  readonly prices?: PriceSheet.PriceSheet | undefined
  readonly ledger: CreditLedger["Service"]
}

/** The service that counts spending: every attempt is reserved before it is sent, and settled when it ends. */
export class CreditLedger extends Context.Service<
  CreditLedger,
  {
    /**
     * Sets credits aside, or fails when fewer remain today; there is no moment at which two calls could take the same
     * credits. With `keepShare` it also fails when less than that share of the daily balance would remain after it.
     */
    readonly reserve: (
      credits: number,
      keepShare?: number,
    ) => Effect.Effect<Reservation, LedgerFull | RpcReason.LedgerUnavailable>
    /**
     * Ends a reservation with what was charged. What the charge leaves is free again. A charge that is not a number of credits,
     * such as a negative one, counts as the whole reservation.
     */
    readonly settle: (
      reservation: Reservation,
      charged: number,
      charge: Charge,
    ) => Effect.Effect<void, RpcReason.LedgerUnavailable>
    /** Ends a reservation without a charge. */
    readonly release: (reservation: Reservation) => Effect.Effect<void, RpcReason.LedgerUnavailable>
    readonly balance: Effect.Effect<Balance, RpcReason.LedgerUnavailable>
    /**
     * Takes credits from the rate that all processes with this ledger keep together; the milliseconds until they may be spent. Absent where there is only this process.
     */
    readonly pace?:
      | ((credits: number, perSecond: number) => Effect.Effect<number, RpcReason.LedgerUnavailable>)
      | undefined
    /** The accounts at providers, by their ids; `paidFrom` tells which one a network is paid from, and every other network is paid from here. */
    readonly accounts?: ReadonlyMap<string, Account> | undefined
  }
>()("@dotrpc/core/CreditLedger") {
  /** What is left today, by the ledger that is provided. */
  static readonly balance: Effect.Effect<Balance, RpcReason.LedgerUnavailable, CreditLedger> = Effect.flatMap(
    CreditLedger,
    (ledger) => ledger.balance,
  )
}

/** Fewer credits remain today than were asked for. */
export class LedgerFull extends Data.TaggedError("LedgerFull")<{
  readonly needed: number
  readonly remaining: number
  /** Of what remains, the credits that have to be left; 0 for a reservation without `keepShare`. */
  readonly kept: number
  /** Set aside for other attempts: what they do not use comes free. */
  readonly reserved: number
  readonly daily: number
  /** Absent in a window without end. */
  readonly resetsAt: Date | undefined
}> {
  override get message(): string {
    const kept = this.kept === 0 ? "" : `, ${this.kept} of them kept for interactive calls`
    const until = this.resetsAt === undefined ? "" : ` until ${this.resetsAt.toISOString()}`
    return `${this.needed} credits are needed, and ${this.remaining} of ${this.daily} are left${until}${kept}`
  }
}

/** The credits per day that shared ledgers assume when they are not told: the daily balance of a free plan. */
export const defaultDaily = 3_000_000
