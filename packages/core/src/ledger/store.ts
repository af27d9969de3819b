/**
 * What a ledger keeps outside the process, and the two things that are done with it.
 *
 * It keeps the charges of each day, and one lease per owner, that is per process that uses it: credits which the owner may
 * spend without asking again, until a moment. A lease that was not renewed in time, or what is known to be used of it,
 * counts as spent on the day on which it ended; its owner may still say what became of it, and then that counts instead.
 *
 * Invariant: charges of a window + leases that end on its latest day or later never grow past `daily` by a step.
 */
import type { Effect } from "effect"
import type { RpcReason } from "@dotrpc/spec"
import type { Reading } from "./agreedTime.ts"

export interface LedgerStore {
  /** One atomic step of one owner: writes its charges down and replaces its lease. */
  readonly step: (step: Step) => Effect.Effect<Standing, RpcReason.LedgerUnavailable>
  /**
   * Notes how much of its lease the owner has used at most, and how much of the one that a step in flight asks for, where a
   * note costs next to nothing and outlives the process: when that is killed, the rest of the lease is free again. `false`
   * when it could not be noted: then the lease is not used.
   */
  readonly mark?: ((used: number, usedOfNext: number) => boolean) | undefined
  /** What an owner cannot know by itself. */
  readonly account: (question: Question) => Effect.Effect<DayAccount, RpcReason.LedgerUnavailable>
}

export interface Step {
  readonly owner: string
  /** The clocks of the owner. The store says what time it is. */
  readonly reading: Reading
  /** How long the new lease lasts. */
  readonly leaseMillis: number
  /** When the owner stops using it at the latest, by the clock of its machine that cannot be set. */
  readonly ends: number
  /** How much of it is marked as used from the beginning: `open`, or a call more. */
  readonly marked: number
  readonly daily: number
  /** Credits of attempts in flight. They stay in the lease whatever else there is. */
  readonly open: number
  /** Credits that are needed on top: all of them are granted, or nothing is. */
  readonly need: number
  /** Credits that would be welcome after that; granted while there is plenty. */
  readonly extra: number
  /** Credits that have to stay free. */
  readonly kept: number
  /** Charges since the last step that is known to have arrived. */
  readonly entries: ReadonlyArray<Entry>
  /** The number of the latest entry. Entries up to the number that the store knows of the owner are skipped: a step whose reply was lost is taken again. */
  readonly number: number
  /** The owner goes: without open attempts none of it is kept. */
  readonly last: boolean
}

export interface Entry {
  readonly number: number
  /** By the clock of the owner; a day that has not come yet for the store is its own day. */
  readonly day: number
  readonly network: string
  readonly method: string
  readonly credits: number
}

export interface Standing {
  /** Credits in the lease on top of `open`. */
  readonly granted: number
  /** What was free before they were granted; negative when more was charged than was reserved. */
  readonly free: number
  /** In the leases of others. */
  readonly others: number
  /** Milliseconds since 1970, by the clock that decides. */
  readonly now: number
}

export interface Question {
  readonly owner: string
  readonly reading: Reading
}

export interface DayAccount {
  readonly charges: ReadonlyArray<Omit<Entry, "number" | "day">>
  /** In leases of others that last. */
  readonly reserved: number
  /** In leases of others that ended today and were not renewed. */
  readonly lost: number
  /** The first day whose charges count today. */
  readonly since: number
  readonly now: number
}

/**
 * What a step grants. Near the end of the balance leases shrink, so that many processes can share the rest of it: nobody
 * is given more ahead than this part of what is free.
 */
export const shareAhead = 16

export const grantOf = (free: number, { need, extra, kept }: Pick<Step, "need" | "extra" | "kept">): number => {
  const plenty = free - kept - need
  return plenty < 0 ? 0 : need + Math.min(extra, Math.floor(plenty / shareAhead))
}

/** What a charge was for that a user has set. */
export const setByHand = "set by hand"

/** What the charges of an earlier day were for that a process had set aside when it ended without a word. */
export const leftBehind = "left behind"
