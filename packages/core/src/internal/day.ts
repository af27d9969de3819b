/** Days of the daily balance: they begin at 00:00 UTC. */

/** Milliseconds of a day. */
export const dayMillis = 86_400_000

/** The number of the day, counted from 1970. */
export const dayOf = (millis: number): number => Math.floor(millis / dayMillis)
