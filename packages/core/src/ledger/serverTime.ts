/**
 * The time of a ledger where one server says what time it is, as its store has recorded it. Scripts on a Redis server go by the
 * same rule.
 */
import { dayOf } from "../internal/day.ts"
import { insistedMillis, toleranceMillis } from "./agreedTime.ts"

/** What is recorded of a server's clock. */
export interface RecordedTime {
  /** The time that was agreed last. */
  readonly latest: number
  /** The first moment of a clock that is behind that. */
  readonly doubt: number | undefined
}

export interface ServerTime extends RecordedTime {
  /** Whether the clock is believed: otherwise the time stands still, and all days since the clock's own count. */
  readonly isAgreed: boolean
  readonly today: number
  /** The earliest day that may be today. */
  readonly since: number
}

/** What time it is when the server's clock says `clock`. A clock that is behind is believed once it has insisted for an hour. */
export const serverTimeOf = (clock: number, recorded: RecordedTime | undefined): ServerTime => {
  const { doubt, latest } = recorded ?? { latest: clock, doubt: undefined }
  const isBehind = clock < latest - toleranceMillis
  const isAgreed = !isBehind || (doubt !== undefined && clock - doubt >= insistedMillis)
  const now = isBehind && isAgreed ? clock : Math.max(clock, latest)
  const today = dayOf(now)
  return {
    isAgreed,
    latest: now,
    doubt: isAgreed ? undefined : Math.min(clock, doubt ?? clock),
    today,
    since: isAgreed ? today : Math.min(today, dayOf(clock)),
  }
}
