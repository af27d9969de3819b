/** Encodes JSON as the arguments of a function, or says which of them does not fit, and why. */
import { Json, nearest } from "@dotrpc/spec"
import * as AbiParameters from "ox/AbiParameters"
import * as Result from "effect/Result"
import { badDigit, type Hex, quote } from "../schemas/Hex.ts"
import { itemOf, type Parameter, typeText } from "./Parameter.ts"
import { withoutNames } from "./decodeValues.ts"

export interface UnfitArgument {
  readonly problem: string
  /** Which argument it is, counted from 0. */
  readonly argument?: number | undefined
}

/** The bytes of as many values as there are parameters. */
export const encodeArguments = (
  parameters: ReadonlyArray<Parameter>,
  values: ReadonlyArray<Json.Json>,
): Result.Result<Hex, UnfitArgument> => {
  const native: Array<unknown> = []
  for (const [argument, parameter] of parameters.entries()) {
    const place = parameter.isUnnamed === true ? `argument ${argument + 1}` : parameter.name
    const value = nativeOf(parameter, values[argument] ?? null, place)
    if (Result.isFailure(value)) return Result.fail({ problem: value.failure, argument })
    native.push(value.success)
  }
  // Nothing here is left for the library to refuse, except what is new in it.
  return Result.mapError(
    Result.try(() => AbiParameters.encode(parameters.map(withoutNames), native)),
    (error) => ({ problem: error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error) }),
  )
}

/** The value as the library takes it: integers as `bigint`, tuples as arrays. */
const nativeOf = (parameter: Parameter, value: Json.Json, place: string): Result.Result<unknown, string> => {
  const array = itemOf(parameter)
  if (array !== undefined) return nativeArray(parameter, array.item, array.length, value, place)
  if (parameter.components !== undefined) return nativeTuple(parameter, parameter.components, value, place)
  const { type } = parameter
  const expects = (expected: string) => Result.fail(`${place} expects ${expected}, found ${show(value)}`)
  switch (type) {
    case "bool":
      return typeof value === "boolean" ? Result.succeed(value) : expects("true or false")
    case "string":
      return typeof value === "string" ? Result.succeed(value) : expects("a string")
    case "address":
      return nativeBytes(value, 20, `${place} expects an address of 20 bytes (0x and 40 hex digits)`)
    case "function":
      return nativeBytes(value, 24, `${place} expects an address and a selector, 24 bytes in hex`)
    case "bytes":
      return nativeBytes(value, undefined, `${place} expects bytes in hex (0x and two digits for each)`)
  }
  const size = /^bytes(\d+)$/.exec(type)?.[1]
  if (size !== undefined)
    return nativeBytes(value, Number(size), `${place} expects ${size} bytes in hex (0x and ${Number(size) * 2} digits)`)
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  const integer = integerOf(value)
  if (integer === undefined) return expects(`a whole number for ${type}`)
  const fits = unsigned === "u" ? BigInt.asUintN(Number(bits), integer) : BigInt.asIntN(Number(bits), integer)
  return fits === integer ? Result.succeed(integer) : expects(`${rangeOf(unsigned === "u", Number(bits))} for ${type}`)
}

const nativeArray = (
  parameter: Parameter,
  item: Parameter,
  length: number | undefined,
  value: Json.Json,
  place: string,
): Result.Result<unknown, string> => {
  const list = written(value)
  const count = length === undefined ? "" : ` of ${length} ${length === 1 ? "item" : "items"}`
  if (!Json.isArray(list))
    return Result.fail(`${place} expects an array${count} for ${typeText(parameter)}, found ${show(value)}`)
  if (length !== undefined && list.length !== length)
    return Result.fail(`${place} expects an array${count} for ${typeText(parameter)}, found ${list.length}`)
  return Result.all(list.map((entry, index) => nativeOf(item, entry, `${place}[${index}]`)))
}

const nativeTuple = (
  parameter: Parameter,
  components: ReadonlyArray<Parameter>,
  value: Json.Json,
  place: string,
): Result.Result<unknown, string> => {
  const tuple = written(value)
  const names = components.map(({ name }) => name)
  const expected = `${place} expects an object with ${names.join(", ")}`
  if (Json.isArray(tuple)) {
    if (tuple.length !== components.length)
      return Result.fail(
        `${place} expects ${components.length} values for ${typeText(parameter)}, found ${tuple.length}`,
      )
    return Result.all(components.map((member, at) => nativeOf(member, tuple[at] ?? null, `${place}.${member.name}`)))
  }
  if (!Json.isObject(tuple)) return Result.fail(`${expected}, found ${show(value)}`)
  const other = Object.keys(tuple).find((name) => !names.includes(name))
  if (other !== undefined) {
    const meant = nearest(other, names)
    const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean "${meant}"?`
    return Result.fail(`${place} has no member "${other}"; ${hint}`)
  }
  const missing = names.find((name) => !Object.hasOwn(tuple, name))
  if (missing !== undefined) return Result.fail(`${expected}: "${missing}" is missing`)
  return Result.all(components.map((member) => nativeOf(member, tuple[member.name] ?? null, `${place}.${member.name}`)))
}

/** An array or object, also as JSON in a string: an expression has no other way to write one. */
const written = (value: Json.Json): Json.Json => {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value
  return Result.getOrElse(
    Result.try(() => Json.parse(value, 100)),
    () => value,
  )
}

const nativeBytes = (value: Json.Json, size: number | undefined, expected: string): Result.Result<Hex, string> => {
  if (typeof value !== "string") return Result.fail(`${expected}, found ${show(value)}`)
  if (!value.startsWith("0x")) return Result.fail(`${expected}, found ${quote(value)}, which does not begin with 0x`)
  const digits = value.length - 2
  const wrong =
    badDigit(value) ??
    (size !== undefined && digits !== size * 2
      ? `${digits} ${digits === 1 ? "digit" : "digits"} in ${quote(value)}`
      : digits % 2 === 1
        ? `an odd number of digits in ${quote(value)}`
        : undefined)
  return wrong === undefined ? Result.succeed(value as Hex) : Result.fail(`${expected}, found ${wrong}`)
}

/** A whole number as JSON has it, or as results do: in hex, or in decimal digits. */
const integerOf = (value: Json.Json): bigint | undefined => {
  if (typeof value === "bigint") return value
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined
  const isDigits = typeof value === "string" && value.length <= 80 && /^(0x[\da-f]+|-?\d+)$/i.test(value)
  return isDigits ? BigInt(value) : undefined
}

const rangeOf = (unsigned: boolean, bits: number): string => {
  if (bits <= 64)
    return unsigned ? `0 to ${2n ** BigInt(bits) - 1n}` : `-${2n ** BigInt(bits - 1)} to ${2n ** BigInt(bits - 1) - 1n}`
  return unsigned ? `0 to 2^${bits} - 1` : `-2^${bits - 1} to 2^${bits - 1} - 1`
}

const show = (value: Json.Json): string => {
  const text = Json.stringifyStart(value, 61)
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}
