/**
 * When a balance resets, in days: which charges it counts, and from when on it counts others. Days begin at 00:00 UTC.
 *
 * Charges are kept by day whatever the window is, so a balance whose window changes counts by the new one at once: what it has of
 * the latest two months.
 */
import { Options, type PriceSheet } from "@dotrpc/spec"
import { dayMillis } from "../internal/day.ts"

/** The time that a balance covers. */
export type Window = PriceSheet.Window

/** What applies when nothing is said: the balance of a free plan. */
export const eachDay: Window = { kind: "day" }

/** Throws an `OptionError` for what is not a window. */
export const checkWindow = (window: Window): Window => {
  if (typeof window !== "object" || window === null || Array.isArray(window))
    return Options.refuse("window", 'a window, such as { kind: "month" }', window)
  Options.oneOf("window.kind", window.kind, ["day", "month", "days", "none"])
  if (window.kind !== "days") return Options.members(window, { kind: true }, "window")
  Options.wholeAboveZero("window.days", window.days)
  return Options.members(window, { kind: true, days: true }, "window")
}

/** The day that stands for all days which are kept no longer one by one. */
export const earlierDays = -1

/** The charges of so many days are kept one by one at least, and those of all days that a window of many days counts. */
export const daysNamed = 62

/** The first day that counts on a day. */
export const firstDay = (window: Window, day: number): number => {
  switch (window.kind) {
    case "day":
      return day
    case "days":
      return Math.max(0, day - window.days + 1)
    case "month": {
      const date = new Date(day * dayMillis)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / dayMillis
    }
    case "none":
      return earlierDays
  }
}

/** The next day on which something that counts on this one does not any more; `undefined` where all of it always does. */
export const nextReset = (window: Window, day: number): number | undefined => {
  if (window.kind === "none") return undefined
  if (window.kind !== "month") return day + 1
  const date = new Date(day * dayMillis)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / dayMillis
}
