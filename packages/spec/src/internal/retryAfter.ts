/**
 * How long a server asks to wait. Providers say it in the header `Retry-After`, in the error's `data`, or in words only;
 * the longest wins, as coming back too early is what costs.
 */
import { isObject, type Json, JsonNumber } from "../Json.ts"

/** No server is believed to mean a longer pause than a day, after which the balance is a new one anyway. */
const longestMillis = 86_400_000

export interface Hints {
  /** `Retry-After`: seconds, or an HTTP date. */
  readonly header: string | undefined
  /** `data` of the JSON-RPC error: `backoff_seconds`, or `rate.backoff_seconds`. */
  readonly data?: Json | undefined
  /** Words such as "try again in 4ms". */
  readonly message?: string | undefined
  /** Milliseconds since 1970, to read a date against. */
  readonly now: number
}

/** Milliseconds to wait, from 0 to a day, or `undefined` when nothing usable is said. */
export const retryAfterMillis = ({ data, header, message, now }: Hints): number | undefined => {
  const asked = [fromHeader(header, now), fromData(data), fromWords(message)].filter((millis) => millis !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}

const fromHeader = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1_000)
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : bounded(Math.max(0, date - now))
}

const fromData = (data: Json | undefined): number | undefined => {
  if (!isObject(data)) return undefined
  const holder = isObject(data.rate) ? data.rate : data
  return bounded(numberOf(holder.backoff_seconds) * 1_000)
}

const numberOf = (value: Json | undefined): number => {
  if (typeof value === "string") return /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  return typeof value === "number" || typeof value === "bigint" || value instanceof JsonNumber
    ? Number(value)
    : Number.NaN
}

const fromWords = (message = ""): number | undefined => {
  const [, amount, unit = ""] = inWords.exec(message) ?? []
  if (amount === undefined) return undefined
  const scale = /^m(illi)?s/i.test(unit) ? 1 : /^m/i.test(unit) ? 60_000 : 1_000
  return bounded(Number(amount) * scale)
}

const inWords =
  /\b(?:(?:try|retry)(?: again| request)?|retry|wait)(?: in| after| for)? (?:at least )?(\d{1,12}(?:\.\d{1,6})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)\b/i

/** A number that is not a time to wait is not a hint. */
const bounded = (millis: number): number | undefined =>
  millis >= 0 ? Math.min(Math.ceil(millis), longestMillis) : undefined
