/**
 * Times as people write them: `7 days ago`, `2026-11-01`, `now - 12h`, `start of month`. A time without a zone is UTC, and a week
 * begins on Monday.
 */

/** Seconds since 1970 of a time, or what is wrong with it. */
export type InstantReading = { readonly seconds: number } | { readonly problem: string }

/** The ways to write a time, for messages. */
export const forms =
  'a time such as "7 days ago", "2026-11-01", "2026-11-01T12:30:00+02:00", "now - 12h", "yesterday", "start of month", or seconds since 1970'

/**
 * Reads a time. Hex and digits are seconds since 1970, and parts of a second are dropped.
 *
 * @param now milliseconds since 1970
 * @example
 * ```ts
 * Instant.read("7 days ago", 1_795_737_600_000) // { seconds: 1_795_132_800 }
 * Instant.read("2026-11-01", 0) // { seconds: 1_793_491_200 }: midnight, UTC
 * ```
 */
export const read = (text: string, now: number): InstantReading => {
  if (text.length > longest) return { problem: `expected ${forms}, found ${text.length} characters` }
  const words = text
    .trim()
    .replace(/[ \t]+/g, " ")
    .toLowerCase()
  const count = /^(?:0x[\da-f]{1,13}|\d{1,16})$/.test(words) ? Number(words) : undefined
  if (count !== undefined) return ofCount(count, words)
  const ago = /^(.*\S) ?ago$/.exec(words)?.[1]
  const duration = ago === undefined ? undefined : durationIn(ago)
  if (duration !== undefined) return instantAt(moved(now, duration, -1), text)
  const base = dateIn(words) ?? wordIn(words, now)
  if (base === undefined) return { problem: `expected ${forms}, found ${JSON.stringify(text)}` }
  if ("problem" in base) return base
  let millis = base.millis
  let rest = base.rest
  while (rest !== "") {
    const [, sign, parts = "", more = ""] = /^ ?([+-]) ?([\da-z ]+)(.*)$/.exec(rest) ?? []
    const offset = durationIn(parts.trim())
    if (offset === undefined)
      return {
        problem: `expected "+" or "-" and a duration such as 12h or 7 days after the time, found ${JSON.stringify(rest.trim())}`,
      }
    millis = moved(millis, offset, sign === "-" ? -1 : 1)
    rest = more
  }
  return instantAt(millis, text)
}

/** Whether a time means another instant at another moment: `yesterday`, but not a date. */
export const isRelative = (text: string): boolean => {
  const [then, later] = [read(text, 0), read(text, 86_400_000 * 1_000)]
  return "seconds" in then && "seconds" in later && then.seconds !== later.seconds
}

/** `2026-11-16 20:08:11 UTC`; the number where there is no such date. */
export const show = (seconds: number): string =>
  Math.abs(seconds) > latest
    ? `${seconds}`
    : new Date(seconds * 1_000).toISOString().slice(0, 19).replace("T", " ") + " UTC"

/** In characters. */
const longest = 80

/** The end of the year 9999, in seconds. */
const latest = 253_402_300_799

const ofCount = (count: number, words: string): InstantReading =>
  count > latest
    ? {
        problem:
          count < latest * 1_000
            ? `expected seconds since 1970, found ${words}, which are milliseconds: write ${Math.floor(count / 1_000)}`
            : `expected seconds since 1970, found ${words}, which is after the year 9999`,
      }
    : { seconds: count }

const instantAt = (millis: number, text: string): InstantReading => {
  const seconds = Math.floor(millis / 1_000)
  return Math.abs(seconds) <= latest
    ? { seconds }
    : { problem: `expected a time before the year 10000, found ${JSON.stringify(text)}` }
}

/** The beginning of a text as a time. */
type Base = { readonly millis: number; readonly rest: string } | { readonly problem: string }

const dateIn = (words: string): Base | undefined => {
  const found =
    /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?(?: ?(z|utc|[+-]\d\d:\d\d))?(?=$| |[+-])/.exec(
      words,
    )
  if (found === null) return undefined
  const [whole, year, month, day, hour = "0", minute = "0", second = "0", zone = "z"] = found
  const parts = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(y, m - 1, d)
  date.setUTCHours(h, min, s)
  const isReal =
    date.getUTCMonth() === m - 1 && date.getUTCDate() === d && date.getUTCHours() === h && min < 60 && s < 60
  const offset = zone.length < 6 ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  if (!isReal || offset > 14 * 60 || Number(zone.slice(4, 6)) > 59)
    return { problem: `expected a date and time that exist, found ${JSON.stringify(whole)}` }
  return {
    millis: date.getTime() - (zone.startsWith("-") ? -offset : offset) * 60_000,
    rest: words.slice(whole.length),
  }
}

const wordIn = (words: string, now: number): Base | undefined => {
  const [whole, word = "", unit] =
    /^(now|today|yesterday|start of (?:the )?(minute|hour|day|week|month|quarter|year))(?=$| |[+-])/.exec(words) ?? []
  if (whole === undefined) return undefined
  const rest = words.slice(whole.length)
  if (word === "now") return { millis: now, rest }
  const start = startOf(unit ?? "day", now)
  return { millis: word === "yesterday" ? start - day : start, rest }
}

const day = 86_400_000

const startOf = (unit: string, now: number): number => {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const midnight = Date.UTC(year, month, date.getUTCDate())
  switch (unit) {
    case "minute":
      return now - (now % 60_000)
    case "hour":
      return now - (now % 3_600_000)
    case "week":
      return midnight - ((date.getUTCDay() + 6) % 7) * day
    case "month":
      return Date.UTC(year, month)
    case "quarter":
      return Date.UTC(year, month - (month % 3))
    case "year":
      return Date.UTC(year, 0)
    default:
      return midnight
  }
}

interface Duration {
  readonly months: number
  readonly millis: number
}

/** `12h`, `7 days`, `1 day 6 hours`; months and years are those of the calendar. */
const durationIn = (text: string): Duration | undefined => {
  let [months, millis, end] = [0, 0, 0]
  for (const { 0: whole, 1: count = "", 2: name = "", index } of text.matchAll(/ ?(\d{1,9}) ?([a-z]{1,9})/g)) {
    const unit = units.find(({ names }) => names.includes(name))
    if (index !== end || unit === undefined) return undefined
    months += Number(count) * (unit.months ?? 0)
    millis += Number(count) * (unit.millis ?? 0)
    end = index + whole.length
  }
  return end === 0 || end !== text.length ? undefined : { months, millis }
}

const units: ReadonlyArray<Partial<Duration> & { readonly names: ReadonlyArray<string> }> = [
  { names: ["s", "sec", "secs", "second", "seconds"], millis: 1_000 },
  { names: ["m", "min", "mins", "minute", "minutes"], millis: 60_000 },
  { names: ["h", "hr", "hrs", "hour", "hours"], millis: 3_600_000 },
  { names: ["d", "day", "days"], millis: day },
  { names: ["w", "week", "weeks"], millis: 7 * day },
  { names: ["month", "months"], months: 1 },
  { names: ["y", "year", "years"], months: 12 },
]

/** A month before 31 March is the last day of February. */
const moved = (millis: number, duration: Duration, sign: 1 | -1): number => {
  const date = new Date(millis)
  if (duration.months > 0) {
    const dayOfMonth = date.getUTCDate()
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() + sign * duration.months)
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    date.setUTCDate(Math.min(dayOfMonth, last))
  }
  return date.getTime() + sign * duration.millis
}
