/** The time that a ledger goes by: that of its store's clock, and its next midnight. */
import { dayMillis, dayOf } from "../internal/day.ts"
import { eachDay, nextReset, type Window } from "./window.ts"

/** What a ledger records of its store's clock. */
export interface RecordedTime {
  /** The time that was agreed last, in milliseconds since 1970. */
  readonly latest: number
  /** The first moment of a clock that is behind that. */
  readonly doubt?: number | undefined
}

export interface LedgerTime {
  readonly recorded: RecordedTime
  /** Whether the clock is believed: otherwise the time stands still, and all days since the clock's own count. */
  readonly isAgreed: boolean
  readonly today: number
  /** The earliest day that may be today. */
  readonly since: number
}

/**
 * What time it is when the store's clock says `clock`. One that is ahead is believed, as nothing is lost by that: its charges
 * become those of today when it is set right. One that is behind is believed once it has insisted for an hour.
 */
export const timeOf = (clock: number, recorded: RecordedTime | undefined): LedgerTime => {
  const { doubt, latest } = recorded ?? { latest: clock }
  const isBehind = clock < latest - toleranceMillis
  const isAgreed = !isBehind || (doubt !== undefined && clock - doubt >= insistedMillis)
  const now = isBehind && isAgreed ? clock : Math.max(clock, latest)
  const today = dayOf(now)
  return {
    isAgreed,
    recorded: isAgreed ? { latest: now } : { latest: now, doubt: Math.min(clock, doubt ?? clock) },
    today,
    since: isAgreed ? today : Math.min(today, dayOf(clock)),
  }
}

/**
 * The midnight of the ledger at which credits come free again, by a wall clock that may be another than the ledger's;
 * `undefined` where none do.
 */
export const resetOf = (time: number, wall: number, window: Window = eachDay): Date | undefined => {
  const day = nextReset(window, dayOf(time))
  if (day === undefined) return undefined
  const midnight = day * dayMillis
  const isClose = Math.abs(time - wall) <= toleranceMillis && midnight > wall
  return new Date(isClose ? midnight : wall + midnight - time)
}

/** Clocks that differ by no more agree: they are set right by a little all the time. */
const toleranceMillis = 5 * 60_000

/** How long a clock that is behind has to insist before it is believed. */
const insistedMillis = 3_600_000
