/** Whole numbers in JSON, exact to the last digit: a `number` while it is one, a `bigint` beyond. */
import * as Schema from "effect/Schema"

export const maxU64 = 2n ** 64n - 1n

/** A whole number from `least` to 18446744073709551615. */
export const u64From = (least: number) =>
  Schema.Union([Schema.Number, Schema.BigInt]).check(
    Schema.makeFilter((value) => isWhole(value) && value >= least && value <= maxU64, {
      expected: `a whole number from ${least} to ${maxU64}`,
    }),
  )

/** Whether a JSON value is a whole number, negative ones included. */
export const isWhole = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || Number.isInteger(value)
