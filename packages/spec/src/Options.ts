/**
 * Checks of the options that a layer or a constructor is given. One that makes no sense is refused when it is given, by its
 * name, with what was expected and what was found, and not by the call or the loop that meets it later.
 *
 * Each function returns the value it was given, durations in milliseconds, and throws a `RangeError` otherwise.
 *
 * @example
 * ```ts
 * Options.wholeAboveZero("lanes", 1.5)
 * // RangeError: lanes must be a whole number above zero; it is 1.5.
 * ```
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { checkCredits } from "./internal/credits.ts"

/** An option of a layer that makes no sense. The message names it, and says what was expected and what was found. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly message: string }> {}

/** Runs checks when a layer is built, so that an option that makes no sense fails the layer and is not thrown. */
export const inLayer = <A>(check: () => A): Effect.Effect<A, InvalidOptions> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(check())
    } catch (error) {
      return error instanceof RangeError
        ? Effect.fail(new InvalidOptions({ message: error.message }))
        : Effect.die(error)
    }
  })

/** A number above zero: a rate. `Infinity` is one. `unit` is its unit, such as "credits". */
export const aboveZero = (name: string, value: number, unit?: string): number =>
  isNumber(value) && value > 0 ? value : refuse(name, `a number${ofUnit(unit)} above zero`, value)

/** A number of `unit`, zero or more. `Infinity` is one. */
export const zeroOrMore = (name: string, value: number, unit?: string): number =>
  isNumber(value) && value >= 0 ? value : refuse(name, `a number${ofUnit(unit)}, zero or more`, value)

/** An amount of credits that can be counted exactly. */
export const credits = (name: string, value: number): number => checkCredits(name, value)

/** The value, when it is a whole number of 1 or more; throws a `RangeError` that names the option otherwise. */
export const wholeAboveZero = (name: string, value: number): number =>
  Number.isSafeInteger(value) && value > 0 ? value : refuse(name, "a whole number above zero", value)

/** The value, when it is a whole number of 0 or more; throws a `RangeError` that names the option otherwise. */
export const wholeOrZero = (name: string, value: number): number =>
  Number.isSafeInteger(value) && value >= 0 ? value : refuse(name, "a whole number, zero or more", value)

/** A part of a whole that leaves some of it: at least 0 and less than 1. */
export const share = (name: string, value: number): number =>
  isNumber(value) && value >= 0 && value < 1 ? value : refuse(name, "a share of at least 0 and less than 1", value)

/** The value, when it is one of the choices; throws a `RangeError` that names them otherwise. */
export const oneOf = <const Choice extends string>(
  name: string,
  value: Choice,
  choices: ReadonlyArray<Choice>,
): Choice =>
  choices.includes(value) ? value : refuse(name, `one of ${choices.map((one) => `"${one}"`).join(", ")}`, value)

/** The path of a file, which is checked no further. */
export const path = (name: string, value: string): string =>
  typeof value === "string" && value !== "" ? value : refuse(name, "the path of a file", value)

/** A duration of zero or more, in milliseconds. `Infinity` is one. */
export const millis = (name: string, value: Duration.Input): number => {
  const found = millisOf(value)
  return found !== undefined && found >= 0 ? found : refuse(name, `${aDuration}, zero or more`, value)
}

/** A duration above zero, in milliseconds. `Infinity` is one. */
export const millisAboveZero = (name: string, value: Duration.Input): number => {
  const found = millisOf(value)
  return found !== undefined && found > 0 ? found : refuse(name, `${aDuration}, above zero`, value)
}

const aDuration = `a duration such as "30 seconds" or a number of milliseconds`

const ofUnit = (unit: string | undefined): string => (unit === undefined ? "" : ` of ${unit}`)

const isNumber = (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value)

/** `undefined` for what is not a duration. Effect takes `NaN` for zero. */
const millisOf = (value: Duration.Input): number | undefined => {
  if (typeof value === "number") return isNumber(value) ? value : undefined
  try {
    return Duration.toMillis(Duration.fromInputUnsafe(value))
  } catch {
    return undefined
  }
}

const refuse = (name: string, expected: string, value: unknown): never => {
  throw new RangeError(`${name} must be ${expected}; it is ${shown(value)}.`)
}

/** Short, and without what an object holds, as that may be a secret. */
const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  return typeof value === "object" && value !== null ? "an object" : String(value)
}
