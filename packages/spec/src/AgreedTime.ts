/**
 * The time that daily balances go by where no server says it: those of a ledger, and those of a gateway's keys. One clock may be
 * wrong, so the time only moves as far as two say: the wall clock, and the time since the machine was started, which nobody
 * can set and which counts while it sleeps.
 *
 * Where they disagree, the days of both are counted, so a balance is never below the truth: charges go to the later day, and
 * every charge since the earlier one counts. A wall clock that insists for an hour is believed, forwards and backwards.
 *
 * Invariant: the time moves backwards only when both clocks say so, and then charges of later days become charges of its day.
 */

/** Both clocks of a machine, in milliseconds. */
export interface ClockReading {
  /** Since 1970, by the wall clock. */
  readonly wall: number
  /** Since the machine was started; since some other moment where `boot` is empty. */
  readonly uptime: number
  /** Which start of which machine that was. Empty where the system has no name for it: then the wall clock alone moves the day forward. */
  readonly boot: string
  /** These are not the machine's clocks, as in a test: then they stand for a server's as well. */
  readonly isReplaced?: boolean | undefined
}

/** The time that processes agree on, and by which clock. */
export interface AgreedTime {
  /** Milliseconds since 1970. */
  readonly time: number
  /** The latest reading at which both clocks agreed. */
  readonly agreed: ClockReading
  /** A wall clock that disagrees: how far it is ahead of `uptime`, and since which `uptime`. */
  readonly doubt?: { readonly ahead: number; readonly since: number } | undefined
}

/** What a balance counts. */
export interface Days {
  /** The first day whose charges count. */
  readonly since: number
  /** The day that new charges are of; later than `since` only while the clocks disagree. */
  readonly day: number
}

/** The time after one more reading. */
export const agreeOn = (before: AgreedTime | undefined, reading: ClockReading): AgreedTime => {
  const { boot, uptime, wall } = reading
  if (before === undefined) return { time: wall, agreed: reading }
  const { agreed, doubt, time } = before
  // Processes wait for each other after they have read their clocks, so a reading may be a little older than the latest.
  const isSameStart = boot === agreed.boot && uptime >= agreed.uptime - toleranceMillis
  // While a machine was off, or on another one, nothing but the wall clock says how much time has passed.
  const expected = isSameStart ? agreed.wall + uptime - agreed.uptime : Math.max(wall, time)
  const ahead = wall - uptime
  const forward = { time: Math.max(time, wall), agreed: reading }
  if (Math.abs(wall - expected) <= toleranceMillis || (boot === "" && wall > expected)) return forward
  const isSameDoubt = isSameStart && doubt !== undefined && Math.abs(ahead - doubt.ahead) <= toleranceMillis
  const since = isSameDoubt ? doubt.since : uptime
  if (uptime - since >= insistedMillis) return { time: wall, agreed: reading }
  return {
    time: Math.max(time, Math.min(expected, wall)),
    agreed: isSameStart ? agreed : { ...reading, wall: expected },
    doubt: { ahead, since },
  }
}

/** The days to count for a process whose wall clock says `wall`. */
export const daysOf = ({ doubt, time }: AgreedTime, wall: number): Days => {
  const day = dayOf(time)
  return doubt === undefined
    ? { since: day, day }
    : { since: Math.min(day, dayOf(wall)), day: Math.max(day, dayOf(wall)) }
}

/** Clocks that differ by no more agree: they are set right by a little all the time. */
export const toleranceMillis = 5 * 60_000

/** How long a wall clock has to insist before it is believed. */
export const insistedMillis = 3_600_000

/** The number of the day, counted from 1970. Days begin at 00:00 UTC. */
export const dayOf = (millis: number): number => Math.floor(millis / dayMillis)

/** Milliseconds of a day. */
export const dayMillis = 86_400_000
