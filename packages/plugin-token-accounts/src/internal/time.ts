/** Block times in the reader's time zone. */

/**
 * Seconds since 1970 in a zone, that of the machine when none is given: `2023-11-14 23:13:20`. What no date can hold is
 * shown as the number it is.
 */
export const showTime = (seconds: number | bigint, timeZone: string | undefined): string => {
  if (seconds < 0 || seconds > latest) return String(seconds)
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  return format.format(new Date(Number(seconds) * 1_000))
}

/** The end of the year 9999. */
const latest = 253_402_300_799
