/** The time that a ledger goes by, and its next midnight. */
import { toleranceMillis } from "@dotrpc/spec"
import { dayOf } from "../internal/day.ts"

export {
  type AgreedTime,
  agreeOn,
  type ClockReading as Reading,
  type Days,
  daysOf,
  insistedMillis,
  toleranceMillis,
} from "@dotrpc/spec"

/** The next midnight of the ledger, by a wall clock that may be another than the ledger's. */
export const resetOf = (time: number, wall: number): Date => {
  const midnight = (dayOf(time) + 1) * dayMillis
  const isClose = Math.abs(time - wall) <= toleranceMillis && midnight > wall
  return new Date(isClose ? midnight : wall + midnight - time)
}

const dayMillis = 86_400_000
