/**
 * How values of the language compare and calculate. Quantities are compared by value whatever their spelling: `1`,
 * `0x1`, `"0x1"` and `"1"` are equal, and so are two hex texts that differ in case only.
 */
import { Json } from "@dotrpc/spec"
import { longestValue } from "./internal/size.ts"

/** Equality of the language. */
export const equalValues = (left: Json.Json, right: Json.Json): boolean => {
  if (left === right) return true
  const leftInteger = integerOf(left)
  const rightInteger = integerOf(right)
  if (leftInteger !== undefined && rightInteger !== undefined) return leftInteger === rightInteger
  if (typeof left === "string" && typeof right === "string")
    return isHex(left) && left.toLowerCase() === right.toLowerCase()
  const leftNumber = numberOf(left)
  if (leftNumber !== undefined && typeof left !== "string" && typeof right !== "string")
    return leftNumber === numberOf(right)
  if (Json.isArray(left) && Json.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalValues(item, right[index] ?? null))
  }
  if (!Json.isObject(left) || !Json.isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key] ?? null, right[key] ?? null))
  )
}

/** Negative, zero or positive as `left` is below, equal to or above `right`; `undefined` when they have no order. */
export const compareValues = (left: Json.Json, right: Json.Json): number | undefined => {
  const leftInteger = integerOf(left)
  const rightInteger = integerOf(right)
  if (leftInteger !== undefined && rightInteger !== undefined) {
    return leftInteger < rightInteger ? -1 : leftInteger > rightInteger ? 1 : 0
  }
  const leftNumber = numberOf(left)
  const rightNumber = numberOf(right)
  return leftNumber === undefined || rightNumber === undefined ? undefined : leftNumber - rightNumber
}

/** The integer a value stands for: a whole number, a hex quantity of at most 32 bytes, or decimal digits in a string. */
export const integerOf = (value: Json.Json): bigint | undefined => {
  switch (typeof value) {
    case "bigint":
      return value
    case "number":
      return Number.isInteger(value) ? BigInt(value) : undefined
    case "string":
      return (value.length > 2 && value.length <= 66 && isHex(value)) ||
        (value.length <= mostDigits && /^-?\d+$/.test(value))
        ? BigInt(value)
        : undefined
    default:
      return undefined
  }
}

/** An exact integer as JSON: a `number` when it is safe, else a `bigint`. */
export const integerValue = (integer: bigint): Json.Json => {
  const value = Number(integer)
  return Number.isSafeInteger(value) ? value : integer
}

/** What counts as true in a check: everything but `false`, `null`, `0` and the empty string. */
export const isTruthy = (value: Json.Json): boolean =>
  value !== false && value !== null && value !== 0 && value !== "" && value !== 0n

/** The operators that numbers are computed with. */
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%"

/** `left operator right` for `+ - * / %`; in words what is wrong when the operands do not calculate. Integers stay exact. */
export const calculate = (
  operator: ArithmeticOperator,
  left: Json.Json,
  right: Json.Json,
): { value: Json.Json } | { problem: string; isTooLarge?: boolean | undefined } => {
  const [integers, fractions] = arithmetic[operator]
  const leftInteger = integerOf(left)
  const rightInteger = integerOf(right)
  if (leftInteger !== undefined && rightInteger !== undefined) {
    if (rightInteger === 0n && (operator === "/" || operator === "%")) return { problem: "division by zero" }
    // Digits of a product are those of both factors.
    if (hexDigits(leftInteger) + hexDigits(rightInteger) > mostDigits)
      return {
        problem: `a number may have ${mostDigits.toLocaleString("en")} digits at most: calculate with smaller ones`,
        isTooLarge: true,
      }
    return { value: integerValue(integers(leftInteger, rightInteger)) }
  }
  if (operator === "+" && typeof left === "string" && typeof right === "string")
    return left.length + right.length <= longestValue
      ? { value: left + right }
      : {
          problem: `a string may have ${longestValue.toLocaleString("en")} characters at most: join shorter ones`,
          isTooLarge: true,
        }
  const leftNumber = numberOf(left)
  const rightNumber = numberOf(right)
  if (leftNumber === undefined || rightNumber === undefined) {
    return { problem: `"${operator}" needs two numbers, found ${typeName(left)} and ${typeName(right)}` }
  }
  return { value: fractions(leftNumber, rightNumber) }
}

/** "a string", "an array": for messages. */
export const typeName = (value: Json.Json): string => {
  if (value === null) return "null"
  if (Json.isArray(value)) return "an array"
  if (Json.isObject(value)) return "an object"
  if (typeof value === "string") return "a string"
  return typeof value === "boolean" ? "true or false" : "a number"
}

/** The most digits of an integer that is calculated with; 256 bits are 78. */
const mostDigits = 10_000

const hexDigits = (integer: bigint): number => (integer >= -small && integer <= small ? 1 : integer.toString(16).length)

const small = BigInt(Number.MAX_SAFE_INTEGER)

const isHex = (text: string): boolean => /^0x[0-9a-f]*$/i.test(text)

const numberOf = (value: Json.Json): number | undefined => {
  if (typeof value === "number") return value
  if (typeof value === "bigint" || value instanceof Json.JsonNumber) return Number(value)
  const integer = integerOf(value)
  if (integer !== undefined) return Number(integer)
  return typeof value === "string" && /^-?\d+\.\d+$/.test(value) ? Number(value) : undefined
}

type Arithmetic = readonly [
  integers: (left: bigint, right: bigint) => bigint,
  fractions: (left: number, right: number) => number,
]

const arithmetic: Readonly<Record<ArithmeticOperator, Arithmetic>> = {
  "+": [(left, right) => left + right, (left, right) => left + right],
  "-": [(left, right) => left - right, (left, right) => left - right],
  "*": [(left, right) => left * right, (left, right) => left * right],
  "/": [(left, right) => left / right, (left, right) => left / right],
  "%": [(left, right) => left % right, (left, right) => left % right],
}
