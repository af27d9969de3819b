/** What JSON text is read into: values with exact numbers, or where it is wrong. */
const brand: unique symbol = Symbol.for("@dotrpc/spec/JsonNumber")

/** Any JSON value, with exact numbers. */
export type Json = null | boolean | string | number | bigint | JsonNumber | ReadonlyArray<Json> | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * A number that neither `number` nor `bigint` can write back as it was read, or an integer of more than 1,000 digits.
 * `instanceof` also knows those of another copy of this package, because a plugin may have been built with its own.
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

  /** The text, with every digit. */
  toString(): string {
    return this.text
  }

  get [brand](): true {
    return true
  }

  /** Also true for a number of another copy of this package. */
  static [Symbol.hasInstance](value: unknown): value is JsonNumber {
    return typeof value === "object" && value !== null && brand in value
  }
}

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

/** Whether a value is a JSON object. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** Whether a value is a JSON array. */
export const isArray = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** `text` is not JSON: `offset` is where, in UTF-16 units, and the message says what was expected there. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError"
  readonly offset: number
  /** The text ended before the value did. */
  readonly isCut: boolean

  constructor(message: string, offset: number, isCut = false) {
    super(`${message} at offset ${offset}`)
    this.offset = offset
    this.isCut = isCut
  }
}
