/**
 * Checks of the options that a layer or a constructor is given. One that makes no sense or does not exist is refused when it is
 * given, by its name, with what was expected and what was found, and not by the call or the loop that meets it later.
 *
 * Each function returns the value it was given, durations in milliseconds, and throws an {@link OptionError} otherwise.
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
import { amount, isCredits } from "./internal/credits.ts"
import { nearest } from "./Params.ts"

/** Which option is wrong, and what it should be. */
export interface OptionProblem {
  /** It begins with the path, and says what was expected and what was found. */
  readonly message: string
  /** The option, such as `perSecond` or `cache.lifetime`; `options` for all of them. Absent where several do not go together. */
  readonly path?: string | undefined
  /** What was expected there, in words. */
  readonly expected?: string | undefined
  /** The option that has nearly the same name as one that does not exist. */
  readonly meant?: string | undefined
}

/** An option of a layer that makes no sense, or does not exist. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<OptionProblem> {}

/** The same of a constructor, which throws it. */
export class OptionError extends RangeError implements OptionProblem {
  readonly path: string | undefined
  readonly expected: string | undefined
  readonly meant: string | undefined

  constructor({ expected, meant, message, path }: OptionProblem) {
    super(message)
    this.path = path
    this.expected = expected
    this.meant = meant
  }
}

/** Runs checks when a layer is built, so that an option that makes no sense fails the layer and is not thrown. */
export const inLayer = <A>(check: () => A): Effect.Effect<A, InvalidOptions> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(check())
    } catch (error) {
      if (error instanceof OptionError) {
        const { expected, meant, message, path } = error
        return Effect.fail(new InvalidOptions({ message, path, expected, meant }))
      }
      return error instanceof RangeError
        ? Effect.fail(new InvalidOptions({ message: error.message }))
        : Effect.die(error)
    }
  })

/** The same problem of an option that is itself a member of another one. */
export const inside = (member: string, { expected, meant, message, path }: InvalidOptions): InvalidOptions =>
  path === undefined
    ? new InvalidOptions({ message: `${member}: ${message}` })
    : new InvalidOptions({
        message: path === "options" ? message.replace("options", member) : `${member}.${message}`,
        path: path === "options" ? member : `${member}.${path}`,
        expected,
        meant,
      })

/** Every name that options have. */
export type Members<Given> = { readonly [Name in keyof Given]-?: true }

/**
 * Options as an object that has none but these members. `within` is the member of other options that they are.
 *
 * @example
 * ```ts
 * Options.members({ perSecnd: 500 }, { perSecond: true, perCall: true })
 * // RangeError: perSecnd is not an option; did you mean perSecond?
 * ```
 */
export const members = <Given extends object>(given: Given, names: Members<Given>, within?: string): Given => {
  const known = Object.keys(names)
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse(within ?? "options", `an object with ${listed(known, "or")}`, given)
  const strange = Object.keys(given).find((name) => !Object.hasOwn(names, name))
  if (strange === undefined) return given
  const meant = nearest(strange, known)
  const expected = `one of ${known.join(", ")}`
  const path = `${within === undefined ? "" : `${within}.`}${cut(strange)}`
  throw new OptionError({
    message: `${path} is not an option; ${meant === undefined ? `expected ${expected}.` : `did you mean ${meant}?`}`,
    path,
    expected,
    meant,
  })
}

/** A function, which is called later. */
export const func = <Given>(name: string, value: Given): Given =>
  typeof value === "function" ? value : refuse(name, "a function", value)

/** A string that is not empty. */
export const text = (name: string, value: string): string =>
  typeof value === "string" && value !== "" ? value : refuse(name, "a string that is not empty", value)

/** A number above zero: a rate. `Infinity` is one. `unit` is its unit, such as "credits". */
export const aboveZero = (name: string, value: number, unit?: string): number =>
  isNumber(value) && value > 0 ? value : refuse(name, `a number${ofUnit(unit)} above zero`, value)

/** A number of `unit`, zero or more. `Infinity` is one. */
export const zeroOrMore = (name: string, value: number, unit?: string): number =>
  isNumber(value) && value >= 0 ? value : refuse(name, `a number${ofUnit(unit)}, zero or more`, value)

/** An amount of credits that can be counted exactly. */
export const credits = (name: string, value: number): number => (isCredits(value) ? value : refuse(name, amount, value))

/** The value, when it is a whole number of 1 or more; throws an `OptionError` that names the option otherwise. */
export const wholeAboveZero = (name: string, value: number): number =>
  Number.isSafeInteger(value) && value > 0 ? value : refuse(name, "a whole number above zero", value)

/** The value, when it is a whole number of 0 or more; throws an `OptionError` that names the option otherwise. */
export const wholeOrZero = (name: string, value: number): number =>
  Number.isSafeInteger(value) && value >= 0 ? value : refuse(name, "a whole number, zero or more", value)

/** A part of a whole that leaves some of it: at least 0 and less than 1. */
export const share = (name: string, value: number): number =>
  isNumber(value) && value >= 0 && value < 1 ? value : refuse(name, "a share of at least 0 and less than 1", value)

/** The value, when it is one of the choices; throws an `OptionError` that names them otherwise. */
export const oneOf = <const Choice extends string>(
  name: string,
  value: Choice,
  choices: ReadonlyArray<Choice>,
): Choice =>
  choices.includes(value) ? value : refuse(name, `one of ${choices.map((one) => `"${one}"`).join(", ")}`, value)

/** The path of a file or a folder, which is checked no further. */
export const path = (name: string, value: string, kind: "file" | "folder" = "file"): string =>
  typeof value === "string" && value !== "" ? value : refuse(name, `the path of a ${kind}`, value)

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

/** Throws what every check throws: for those of your own. */
export const refuse = (path: string, expected: string, value: unknown): never => {
  throw new OptionError({ message: `${path} must be ${expected}; it is ${shown(value)}.`, path, expected })
}

/** Short, and without what an object holds, as that may be a secret. */
const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(cut(value))
  if (typeof value === "function") return "a function"
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

const listed = (names: ReadonlyArray<string>, last: string): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`
