/**
 * Decodes bytes by declared types. Nothing is guessed: what was decoded must encode to the same bytes again, so bytes
 * that were written for other types are refused.
 */
import type { Json } from "@dotrpc/spec"
import { hexToBytes } from "@noble/hashes/utils.js"
import * as AbiParameters from "ox/AbiParameters"
import * as Result from "effect/Result"
import type { Hex } from "../schemas/Hex.ts"
import { areWords, decodeWords, integerOf } from "./decodeWords.ts"
import { isLaidOut } from "./layout.ts"
import { itemOf, type Parameter } from "./Parameter.ts"

/**
 * The values in the data, in order, when it holds nothing else before their end; else `undefined`. Integers are
 * numbers or, of more than 48 bits, bigints; addresses and bytes hex in lower case, tuples objects by name.
 */
export const decodeValues = (parameters: ReadonlyArray<Parameter>, data: Hex): ReadonlyArray<Json.Json> | undefined => {
  if (parameters.length === 0) return []
  if (data.length > mostDigits) return undefined
  // The library reports what does not fit by throwing, in its own classes and those of numbers and bytes.
  return Result.getOrUndefined(Result.try(() => decodeExactly(parameters, data)))
}

/** As the library takes them. Without names every tuple is an array, whatever it calls its members. */
export const withoutNames = ({ components, type }: Parameter): AbiParameters.Parameter =>
  components === undefined
    ? { type: type.replace(/^function/, "bytes24") }
    : { type, components: components.map(withoutNames) }

/** Texts are read as their bytes, which are the same again when they are written: those of a few are not UTF-8. */
const asBytes = (parameter: Parameter): AbiParameters.Parameter => {
  const { components = [], type } = parameter
  return components.length > 0
    ? { type, components: components.map(asBytes) }
    : { ...withoutNames(parameter), type: type.replace(/^string/, "bytes").replace(/^function/, "bytes24") }
}

/** The text in some bytes, or the bytes themselves, in hex, where they are not UTF-8. */
const textIn = (bytes: string): string =>
  Result.getOrElse(
    Result.try(() => utf8.decode(hexToBytes(bytes.slice(2)))),
    () => bytes,
  )

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Of 256 KB. Decoding a megabyte takes a tenth of a second, and an editor waits for its rows. */
const mostDigits = 2 * 256 * 1_024

const decodeExactly = (parameters: ReadonlyArray<Parameter>, data: Hex): ReadonlyArray<Json.Json> | undefined => {
  if (areWords(parameters)) return decodeWords(parameters, data)
  if (!isLaidOut(parameters, data)) return undefined
  const types = parameters.map(asBytes)
  const values: ReadonlyArray<unknown> = AbiParameters.decode(types, data)
  const again = AbiParameters.encode(types, [...values])
  if (!data.toLowerCase().startsWith(again)) return undefined
  return parameters.map((parameter, index) => jsonOf(parameter, values[index]))
}

const jsonOf = (parameter: Parameter, value: unknown): Json.Json => {
  if (Array.isArray(value)) {
    const array = itemOf(parameter)
    if (array !== undefined) return value.map((entry) => jsonOf(array.item, entry))
    const components = parameter.components ?? []
    return Object.fromEntries(components.map((member, index) => [member.name, jsonOf(member, value[index])]))
  }
  switch (typeof value) {
    // The library decides by another size.
    case "bigint":
    case "number":
      return integerOf(Number(/\d+$/.exec(parameter.type)?.[0] ?? 256), BigInt(value))
    case "boolean":
      return value
    default:
      return parameter.type === "string" ? textIn(String(value)) : String(value).toLowerCase()
  }
}
