/** Numbers with a fraction, such as amounts of Bitcoin: checked, compared and added up without losing a digit. */
import * as Schema from "effect/Schema"
import { JsonNumber, numberFromText } from "./internal/jsonValue.ts"

/** A JSON number as it was read: `0.5` is a `number`, and what a `number` would write otherwise, such as `0.10000000`, keeps its text. */
export type Decimal = number | bigint | JsonNumber

/** The schema of a number with a fraction, in every form that it is read in. */
export const decimal: Schema.Codec<Decimal, Decimal> = Schema.Union([
  Schema.Finite,
  Schema.BigInt,
  Schema.instanceOf(JsonNumber),
]).annotate({ expected: "a number" })

/**
 * A decimal as a whole number of its smallest unit, `places` after the point; `undefined` where it has more digits than that.
 *
 * @example
 * ```ts
 * toUnits(0.1, 8) // 10_000_000n, a tenth of a bitcoin in satoshi
 * ```
 */
export const toUnits = (value: Decimal, places: number): bigint | undefined => {
  const text = value.toString()
  if (text.length > longest) return undefined
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (whole === "") return undefined
  const digits = (whole + fraction).replace(/^0+/, "")
  if (digits === "") return 0n
  const shift = Number(power) - fraction.length + places
  if (shift > longest) return undefined
  const kept = shift >= 0 ? digits + "0".repeat(shift) : digits.slice(0, shift)
  const lost = shift >= 0 ? "" : digits.slice(shift)
  if (/[1-9]/.test(lost)) return undefined
  return BigInt(`${sign}${kept === "" ? "0" : kept}`)
}

/**
 * A whole number of the smallest unit as a decimal with all its digits.
 *
 * @example
 * ```ts
 * Json.stringify(fromUnits(10_000_000n, 8)) // 0.10000000
 * ```
 */
export const fromUnits = (units: bigint, places: number): Decimal => {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0")
  const point = digits.length - places
  const text = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return numberFromText(units < 0n ? `-${text}` : text)
}

/** Characters of a number: making a `bigint` of digits takes time that grows with their square. */
const longest = 1_000
