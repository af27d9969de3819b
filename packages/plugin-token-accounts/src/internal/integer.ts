/** Whole numbers in JSON, exact to the last digit: a `number` while it is one, a `bigint` beyond. */
import * as Schema from "effect/Schema"

export const maxU64 = 2n ** 64n - 1n

/** A whole number from 0 to 18446744073709551615. */
export const U64 = Schema.Union([Schema.Number, Schema.BigInt]).check(
  Schema.makeFilter((value) => isWhole(value) && value <= maxU64, { expected: `a whole number from 0 to ${maxU64}` }),
)

/** A whole number from -9223372036854775808 to 9223372036854775807, such as a time. */
export const I64 = Schema.Union([Schema.Number, Schema.BigInt]).check(
  Schema.makeFilter(
    (value) => (typeof value === "bigint" || Number.isInteger(value)) && value >= -(2n ** 63n) && value < 2n ** 63n,
    { expected: "a whole number of 64 bits" },
  ),
)

/** A whole number of any size. Some proxies round 18446744073709551615 up, past a u64. */
export const Whole = Schema.Union([Schema.Number, Schema.BigInt]).check(
  Schema.makeFilter((value) => isWhole(value), { expected: "a whole number" }),
)

/** The form in which JSON with exact numbers holds this value. */
export const exactNumber = (value: bigint): number | bigint => {
  const double = Number(value)
  return BigInt(double) === value ? double : value
}

const isWhole = (value: number | bigint): boolean =>
  (typeof value === "bigint" || Number.isInteger(value)) && value >= 0
