/** The time that a ledger goes by, and its next midnight. */
import { toleranceMillis } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"
import { eachDay, nextReset, type Window } from "./window.ts"

export {
  type AgreedTime,
  agreeOn,
  type ClockReading as Reading,
  type Days,
  daysOf,
  insistedMillis,
  toleranceMillis,
} from "@dotrpc/spec"

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

const dayMillis = 86_400_000
