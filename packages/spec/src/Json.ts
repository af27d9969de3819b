/**
 * JSON that keeps every digit. A number that a JavaScript `number` writes back exactly stays a `number`; a longer
 * integer (u64, wei, felt) of up to 1,000 digits becomes a `bigint`; anything else, such as `1.0` or `1e400`, is kept as a
 * {@link JsonNumber} with its own text.
 *
 * Invariant: `stringify(parse(text))` differs from `text` in white space, string escapes and repeated keys only.
 */
import { needsExactReader } from "./internal/needsExactReader.ts"
import { parseExact, parsingExact } from "./internal/parseExact.ts"
import { JsonNumber, type Json, type JsonObject } from "./internal/jsonValue.ts"
import type { Steps } from "./Steps.ts"

export { type Json, JsonNumber, type JsonObject, JsonSyntaxError, numberFromText } from "./internal/jsonValue.ts"

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

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

export const isArray = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

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
