/** Block times in the reader's time zone. */

/**
 * Seconds since 1970 in a zone, with its distance from UTC: `2023-11-14 23:13:20 +01:00`. The zone is that of the machine
 * when none is given. A chain may count its time as it likes: what no date can hold is shown as the number it is.
 */
export const showTime = (seconds: bigint, timeZone: string | undefined): string => {
  if (seconds > latest) return seconds.toString()
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(new Date(Number(seconds) * 1_000))
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ""
  const offset = part("timeZoneName").replace("GMT", "") || "+00:00"
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}:${part("second")} ${offset}`
}

/** The end of the year 9999. */
const latest = 253_402_300_799n

const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** Making a format takes longer than a hundred uses of it. */
const formatIn = (timeZone: string | undefined): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  })
  formats.set(timeZone, format)
  return format
}
