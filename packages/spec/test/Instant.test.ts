import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant } from "../src/index.ts"

/** A Wednesday. */
const now = Date.parse("2026-11-18T15:30:45.600Z")

const shown = (text: string) => {
  const read = Instant.read(text, now)
  return "problem" in read ? read.problem : new Date(read.seconds * 1_000).toISOString().replace(".000", "")
}

describe("a time", () => {
  const check = (text: string, expected: string) =>
    it(`${JSON.stringify(text)} is ${expected}`, () => expect(shown(text)).toBe(expected))
  check("now", "2026-11-18T15:30:45Z")
  check("today", "2026-11-18T00:00:00Z")
  check("yesterday", "2026-11-17T00:00:00Z")
  check("7 days ago", "2026-11-11T15:30:45Z")
  check("  7  Days AGO ", "2026-11-11T15:30:45Z")
  check("12h ago", "2026-11-18T03:30:45Z")
  check("1 day 6 hours ago", "2026-11-17T09:30:45Z")
  check("1d6h ago", "2026-11-17T09:30:45Z")
  check("2w ago", "2026-11-04T15:30:45Z")
  check("90m ago", "2026-11-18T14:00:45Z")
  check("1 month ago", "2026-10-18T15:30:45Z")
  check("2 years ago", "2024-11-18T15:30:45Z")
  check("now - 12h", "2026-11-18T03:30:45Z")
  check("now-12h", "2026-11-18T03:30:45Z")
  check("now + 1 day - 1h", "2026-11-19T14:30:45Z")
  check("yesterday + 90 minutes", "2026-11-17T01:30:00Z")
  check("start of minute", "2026-11-18T15:30:00Z")
  check("start of hour", "2026-11-18T15:00:00Z")
  check("start of day", "2026-11-18T00:00:00Z")
  check("start of week", "2026-11-16T00:00:00Z")
  check("start of the month", "2026-11-01T00:00:00Z")
  check("start of month - 1 month", "2026-10-01T00:00:00Z")
  check("start of quarter", "2026-10-01T00:00:00Z")
  check("start of year", "2026-01-01T00:00:00Z")
  check("2026-11-01", "2026-11-01T00:00:00Z")
  check("2026-11-01T12:30", "2026-11-01T12:30:00Z")
  check("2026-11-01 12:30:59.999", "2026-11-01T12:30:59Z")
  check("2026-11-01T12:30:00Z", "2026-11-01T12:30:00Z")
  check("2026-11-01 12:30 UTC", "2026-11-01T12:30:00Z")
  check("2026-11-01T00:00:00+02:00", "2026-10-31T22:00:00Z")
  check("2026-11-01T00:00:00-05:30", "2026-11-01T05:30:00Z")
  check("2026-11-01 - 1 day", "2026-10-31T00:00:00Z")
  check("2024-03-31 - 1 month", "2024-02-29T00:00:00Z")
  check("1793491200", "2026-11-01T00:00:00Z")
  check("0x6ae68100", "2026-11-01T00:00:00Z")
  check("0", "1970-01-01T00:00:00Z")
})

describe("a text that is not a time is refused with the reason", () => {
  const check = (text: string, expected: string) =>
    it(JSON.stringify(text.slice(0, 40)), () => expect(shown(text)).toContain(expected))
  check("", Instant.forms)
  check("7 dayz ago", '"7 days ago"')
  check("last tuesday", 'found "last tuesday"')
  check("ago", Instant.forms)
  check("now - 12", "a duration such as 12h")
  check("now 12h", "a duration such as 12h")
  check("2026-02-30", "a date and time that exist")
  check("2026-11-01T25:00", "a date and time that exist")
  check("2026-11-01T00:00+99:00", "a date and time that exist")
  check("2026-1-1", Instant.forms)
  check("1793491200000", "milliseconds: write 1793491200")
  check("9999999999999999", "after the year 9999")
  check("999999999 years ago", "before the year 10000")
  check("x".repeat(80_000), "80000 characters")
})

describe("a time depends on when it is read", () => {
  const check = (text: string, expected: boolean) =>
    it(`${text}: ${expected}`, () => expect(Instant.isRelative(text)).toBe(expected))
  check("yesterday", true)
  check("7 days ago", true)
  check("start of year", true)
  check("2026-11-01 - 1 day", false)
  check("1793491200", false)
  check("nonsense", false)
})

it("whatever is written, reading it ends with a time or a reason, quickly", () => {
  const words = fc.constantFrom(
    "now",
    "ago",
    "start of",
    "month",
    "7",
    "days",
    "12h",
    "-",
    "+",
    "2026-11-01",
    ":",
    "t",
    "z",
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(" ")),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 4e12 }), (text, at) => {
      const read = Instant.read(text, at)
      if ("seconds" in read) expect(Number.isSafeInteger(read.seconds)).toBe(true)
      else expect(read.problem).toContain("expected")
    }),
  )
})

it("a time is shown in UTC, and as the number where there is no such date", () => {
  expect(Instant.show(1_793_491_200)).toBe("2026-11-01 00:00:00 UTC")
  expect(Instant.show(1e15)).toBe("1000000000000000")
})
