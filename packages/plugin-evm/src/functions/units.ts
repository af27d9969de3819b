/** Amounts of ether and tokens as the integers that contracts count in. */
import { Json, maxDecimals, type PluginFunction, type TokenUnits } from "@dotrpc/spec"
import * as Result from "effect/Result"

/** Named units, in decimals of a wei. */
const decimalsOf: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 }

/**
 * A decimal amount as an integer of its smallest unit: exact, never rounded. `unit` is `"wei"`, `"gwei"`, `"ether"`, or
 * a token's number of decimals. Throws a `TypeError` when the amount has more decimals than the unit.
 *
 * @example
 * ```ts
 * units("1.5", "gwei") // 1500000000n
 * units("0.25", 6) // 250000n
 * ```
 */
export const units = (amount: string | number | bigint, unit: string | number): bigint =>
  Result.getOrThrowWith(smallest(amount, unit), (problem) => new TypeError(problem))

export const unitsFunction: PluginFunction = {
  name: "units",
  signature: "units(amount, unit)",
  docs: [
    'A decimal amount as an integer of its smallest unit. The unit is `"wei"`, `"gwei"`, `"ether"`, or a number of',
    "decimals.",
    "",
    "```rpc",
    '{{units("1.5", "gwei")}}      // 1500000000',
    '{{units("0.25", 6)}}          // 250000',
    '{{hex(units(1, "ether"))}}    // "0xde0b6b3a7640000", for a place that wants hex',
    "```",
    "",
    "The result is an exact integer, and an amount finer than the unit is an error and is never rounded.",
  ].join("\n"),
  call: (args) => {
    const [amount, unit] = args
    if (args.length !== 2 || amount === undefined || unit === undefined)
      return { problem: 'units takes an amount and a unit, such as units("1.5", "gwei")' }
    return Result.match(smallest(amount, unit), {
      onSuccess: (value) => ({ value: Json.numberFromText(String(value)), units: unitsOf(unit) }),
      onFailure: (problem) => ({ problem }),
    })
  },
  suggest: (argument) =>
    argument === 1
      ? Object.entries(decimalsOf).map(([text, decimals]) => ({ text, detail: `${decimals} decimals` }))
      : [],
}

/** Of a unit that {@link smallest} has taken. */
const unitsOf = (unit: Json.Json): Pick<TokenUnits, "decimals" | "symbol"> =>
  typeof unit === "string" ? { decimals: decimalsOf[unit] ?? 0, symbol: unit } : { decimals: Number(unit) }

const smallest = (amount: Json.Json, unit: Json.Json): Result.Result<bigint, string> => {
  const decimals = typeof unit === "string" && Object.hasOwn(decimalsOf, unit) ? decimalsOf[unit] : unit
  if (typeof decimals !== "number" || !Number.isInteger(decimals) || decimals < 0 || decimals > maxDecimals)
    return Result.fail(
      `units expects "wei", "gwei", "ether" or 0 to ${maxDecimals} decimals, found ${Json.stringify(unit)}`,
    )
  const text = typeof amount === "string" ? amount.trim() : Json.stringify(amount)
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null)
    return Result.fail(
      `units expects a decimal amount such as "1.5", without an exponent, found ${Json.stringify(amount)}`,
    )
  const [, sign = "", whole = "", fraction = ""] = parts
  const significant = fraction.replace(/(?<!0)0+$/, "")
  if (significant.length > decimals) {
    const found = `${text} has ${significant.length} ${significant.length === 1 ? "decimal" : "decimals"}`
    return Result.fail(
      typeof unit === "string" ? `${found}, but "${unit}" takes ${decimals}` : `${found}, more than ${decimals}`,
    )
  }
  const value = BigInt(whole + significant.padEnd(decimals, "0"))
  return Result.succeed(sign === "-" ? -value : value)
}
