/**
 * JSON that keeps every digit. A number that a JavaScript `number` writes back exactly stays a `number`; a longer
 * integer (u64, wei, felt) of up to 1,000 digits becomes a `bigint`; anything else, such as `1.0` or `1e400`, is kept as a
 * {@link JsonNumber} with its own text.
 *
 * Invariant: `stringify(parse(text))` differs from `text` in white space, string escapes and repeated keys only.
 */
import { jsonPieces } from "./internal/jsonPieces.ts"
import { type JsonReader, jsonReader, mostMembers, usualValues } from "./internal/jsonReader.ts"
import { plainSpan } from "./internal/plainSpan.ts"
import { isArray, isObject, type Json, JsonNumber } from "./internal/jsonValue.ts"
import { atOnce, type Steps } from "./Steps.ts"

export type { JsonReader } from "./internal/jsonReader.ts"
export { type Decimal, decimal, fromUnits, toUnits } from "./Decimal.ts"
export {
  isArray,
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  numberFromText,
} from "./internal/jsonValue.ts"

/**
 * Reads JSON text without losing a digit.
 *
 * Throws {@link JsonSyntaxError} with the offset of the first offending character. Text with more than `depth` arrays and
 * objects inside each other is refused: what reads values goes down into them, and a hostile text could go as deep as it
 * likes. So is text with more than 200,000 members in one object, or with more than 4,000,000 values up to any place, or one for each
 * 16 characters where those are more, which would take seconds.
 *
 * @example
 * ```ts
 * parse('{"lamports": 18446744073709551615}') // { lamports: 18446744073709551615n }
 * ```
 */
export const parse = (text: string, depth: number = maxDepth): Json => {
  if (plainSpan(text, { depth, members: mostMembers, values: usualValues }).isPlain) {
    try {
      return JSON.parse(text) as Json
    } catch {
      // The exact reader below reports where the text is wrong.
    }
  }
  return atOnce(parsing(text, depth))
}

/** As {@link parse}, in steps that each take a few milliseconds, which together take longer. */
export function* parsing(text: string, depth: number = maxDepth): Steps<Json> {
  const reader = readingPieces(depth)
  for (const piece of piecesOf(text)) {
    reader.add(piece)
    yield
  }
  return reader.end()
}

/**
 * As {@link parse}, of a text that comes in pieces, cut anywhere, and that is not kept: the value, or the error, is that of the
 * whole text. Each piece is read at once.
 */
export const readingPieces = (depth: number = maxDepth): JsonReader => jsonReader(depth)

/** A long text in pieces, each of which can be read in a moment. */
export function* piecesOf(text: string): Generator<string, void> {
  if (text.length <= pieceLength) yield text
  else for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
}

const pieceLength = 65_536

/** How many arrays and objects a text may have inside each other, where nothing else is asked for. */
export const maxDepth = 1_000

/** Writes a value as JSON text; with `indent`, each member on a line of its own, down to some depth. */
export const stringify = (value: Json, indent = 0): string =>
  indent === 0 && isPlain(value) ? JSON.stringify(value) : [...jsonPieces(value, indent)].join("")

/** As {@link stringify}, in pieces that each take a few milliseconds, and which together may be longer than a string can be. */
export const stringifying = (value: Json, indent = 0): Generator<string, void> => jsonPieces(value, indent)

/**
 * The beginning of what {@link stringify} writes: all of it when that has up to `length` characters, else more than so many.
 * What is not wanted is not written either.
 */
export const stringifyStart = (value: Json, length: number): string => {
  let text = ""
  for (const piece of jsonPieces(value, 0, length + 1)) {
    text += piece
    if (text.length > length) break
  }
  return text
}

/** The value with every `bigint` in it as its decimal digits in a string, for readers that would round them. */
export const withDigits = (value: Json): Json => {
  if (typeof value === "bigint") return String(value)
  if (isArray(value)) return value.map(withDigits)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDigits(member)]))
    : value
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
