/** How params name a time: words, a date, or seconds since 1970. */
import { Instant } from "@dotrpc/spec"
import * as Schema from "effect/Schema"

/** A time as text, `"7 days ago"`, or seconds since 1970. */
export type Time = string | number

const expected = Instant.forms

const problemOf = (value: Time): string | undefined => {
  if (typeof value === "number" && !(Number.isInteger(value) && value >= 0))
    return `expected ${expected}, found ${value}`
  const read = Instant.read(String(value), Date.UTC(2_000, 0))
  return "problem" in read ? read.problem : undefined
}

export const Time: Schema.Codec<Time, Time> = Schema.make<Schema.Codec<Time, Time>>(
  Schema.Union([Schema.String, Schema.Number]).check(Schema.makeFilter(problemOf, { expected })).annotate({ expected })
    .ast,
)
