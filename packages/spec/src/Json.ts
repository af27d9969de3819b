/**
 * JSON that keeps every digit. A number that a JavaScript `number` writes back exactly stays a `number`; a longer
 * integer (u64, wei, felt) of up to 1,000 digits becomes a `bigint`; anything else, such as `1.0` or `1e400`, is kept as a
 * {@link JsonNumber} with its own text.
 *
 * Invariant: `stringify(parse(text))` differs from `text` in white space, string escapes and repeated keys only.
 */
import { needsExactReader } from "./internal/needsExactReader.ts"
import { parseExact, parsingExact } from "./internal/parseExact.ts"
import type { Steps } from "./Steps.ts"

const brand: unique symbol = Symbol.for("@dotrpc/spec/JsonNumber")

/** Any JSON value, with exact numbers. */
export type Json = null | boolean | string | number | bigint | JsonNumber | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * A number that neither `number` nor `bigint` can write back as it was read, or an integer of more than 1,000 digits. `instanceof` also knows those of another
 * copy of this package, because a plugin may have been built with its own.
 */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The nearest double: for comparing and charting, never for saving. */
  valueOf(): number {
    return Number(this.text)
  }

  toString(): string {
    return this.text
  }

  get [brand](): true {
    return true
  }

  static [Symbol.hasInstance](value: unknown): value is JsonNumber {
    return typeof value === "object" && value !== null && brand in value
  }
}

/**
 * Reads JSON text without losing a digit.
 *
 * Throws {@link JsonSyntaxError} with the offset of the first offending character. Text with more than `depth` arrays and
 * objects inside each other is refused: what reads values goes down into them, and a hostile text could go as deep as it
 * likes.
 *
 * @example
 * ```ts
 * parse('{"lamports": 18446744073709551615}') // { lamports: 18446744073709551615n }
 * ```
 */
export const parse = (text: string, depth: number = maxDepth): Json => {
  if (!needsExactReader(text, depth)) {
    try {
      return JSON.parse(text) as Json
    } catch {
      // The exact reader below reports where the text is wrong.
    }
  }
  return parseExact(text, depth)
}

/** As {@link parse}, in steps that each take a few milliseconds, which together take longer. */
export const parsing = (text: string, depth: number = maxDepth): Steps<Json> => parsingExact(text, depth)

/** How many arrays and objects a text may have inside each other, where nothing else is asked for. */
export const maxDepth = 1_000

/** Writes a value as JSON text, `indent` spaces deep when given. */
export const stringify = (value: Json, indent = 0): string =>
  indent === 0 && isPlain(value) ? JSON.stringify(value) : write(value, indent, "\n")

/** Reads a number's text into the narrowest exact form. */
export const numberFromText = (text: string): number | bigint | JsonNumber => {
  if (text.length > longestInteger) return new JsonNumber(text)
  const value = Number(text)
  const isInteger = /^-?(0|[1-9]\d*)$/.test(text) && text !== "-0"
  // A large double may be written with the digits of another integer: 851332247301198300 is the text of ...336.
  if (String(value) === text && (!isInteger || Number.isSafeInteger(value) || BigInt(value) === BigInt(text)))
    return value
  return isInteger ? BigInt(text) : new JsonNumber(text)
}

/**
 * Nothing on a chain is counted in more digits. Making a `bigint` of digits takes time that grows with their square, so that
 * one number of a few megabytes would stop the process for minutes.
 */
const longestInteger = 1_000

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

export const isArray = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** `text` is not JSON: `offset` is where, in UTF-16 units, and the message says what was expected there. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError"
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`)
    this.offset = offset
  }
}

/** Whether `JSON.stringify` writes it exactly, which is several times as fast. */
const isPlain = (value: Json | undefined): boolean => {
  if (typeof value === "bigint") return false
  if (typeof value !== "object" || value === null) return true
  if (isArray(value)) return value.every(isPlain)
  if (value instanceof JsonNumber) return false
  for (const key in value) if (!isPlain(value[key])) return false
  return true
}

const write = (value: Json, indent: number, newline: string): string => {
  if (value === null) return "null"
  switch (typeof value) {
    case "string":
      return JSON.stringify(value)
    case "number":
    case "bigint":
    case "boolean":
      return String(value)
  }
  if (value instanceof JsonNumber) return value.text
  const inner = indent > 0 ? newline + " ".repeat(indent) : ""
  const outer = indent > 0 ? newline : ""
  if (isArray(value)) {
    if (value.length === 0) return "[]"
    return `[${value.map((item) => inner + write(item, indent, inner)).join(",")}${outer}]`
  }
  const colon = indent > 0 ? ": " : ":"
  const parts: Array<string> = []
  for (const [key, item] of Object.entries(value as JsonObject)) {
    // A member that is `undefined` in a hand-written object is absent, as in JSON.stringify.
    if (item !== undefined) parts.push(inner + JSON.stringify(key) + colon + write(item, indent, inner))
  }
  return parts.length === 0 ? "{}" : `{${parts.join(",")}${outer}}`
}
