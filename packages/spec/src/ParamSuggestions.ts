/**
 * Values that a method suggests for places in its params, for completion.
 *
 * Invariant: what a plugin suggests is copied through JSON text within limits, and shown without a character that is not seen. No
 * value contains an expression: accepting one never reads a secret.
 */
import { type Json, parse, stringifyStart } from "./Json.ts"
import type { ParamPath } from "./Params.ts"
import { line, oneLine } from "./Visible.ts"

/** A value to be written in params. */
export interface ParamSuggestion {
  /** JSON of at most {@link longestSuggestion} characters, without `{{`. */
  readonly value: Json
  /** What it is called, where the value does not say that: the event of a topic. */
  readonly label?: string | undefined
  /** What it stands for, in a few words. */
  readonly detail?: string | undefined
}

/** The values that one place in the params is likely to have. */
export interface ParamSuggestions {
  /** `[2]` is the third param, `[1, "tracer"]` a member of the second; `["filter", "limit"]` where params are an object. */
  readonly at: ParamPath
  /**
   * At most {@link mostSuggestions}, the most likely first, or a pure function that returns them.
   *
   * `before` has the positions before the place, `undefined` where one is not known because it contains an expression. If the place is
   * inside a position, that one is the last, with those of its members that stand before the place and are known. Params that are an
   * object count as one position.
   *
   * An editor asks while a person types: answer from memory, at once. After three answers that took more than 50 ms each the method is not asked again.
   */
  readonly values:
    | ReadonlyArray<ParamSuggestion>
    | ((before: ReadonlyArray<Json | undefined>) => ReadonlyArray<ParamSuggestion>)
}

/** How many values are offered for one place. */
export const mostSuggestions = 50

/** In characters: a longer value, written as JSON, is not offered, and a longer label or detail is cut. */
export const longestSuggestion = 500

/**
 * What a plugin suggests for a place, copied and within the limits; what may not be offered is left out. Never throws: if the function
 * does, or returns anything but an array, nothing is suggested.
 *
 * @example
 * ```ts
 * readSuggestions({ at: [0], values: [{ value: "0x0", detail: "the first slot" }] }, [])
 * // [{ value: "0x0", label: "0x0", detail: "the first slot" }]
 * ```
 */
export const readSuggestions = (
  suggestions: ParamSuggestions,
  before: ReadonlyArray<Json | undefined>,
): ReadonlyArray<ReadSuggestion> => {
  try {
    const { values } = suggestions
    const found: unknown = typeof values === "function" ? values(before) : values
    if (!Array.isArray(found)) {
      ignoreLater(found)
      return []
    }
    return Array.from({ length: Math.min(mostSuggestions, found.length) }, (_, index) => copyOf(found[index])).filter(
      (read) => typeof read !== "string",
    )
  } catch {
    // Its own conformance test reports the mistake.
    return []
  }
}

/** A suggestion with the label that is shown. */
export interface ReadSuggestion extends ParamSuggestion {
  readonly label: string
}

/**
 * Why an editor does not offer a suggestion, in words; `undefined` when it does.
 *
 * @example
 * ```ts
 * suggestionProblem({ value: "{{$secret.KEY}}" }) // "contains an expression"
 * ```
 */
export const suggestionProblem = (suggestion: unknown): string | undefined => {
  const read = copyOf(suggestion)
  return typeof read === "string" ? read : undefined
}

/** The copy, or what is wrong. */
const copyOf = (suggestion: unknown): ReadSuggestion | string => {
  if (typeof suggestion !== "object" || suggestion === null) return "is not an object with a value"
  try {
    const value: unknown = Reflect.get(suggestion, "value")
    if (value === undefined) return "has no value"
    if (typeof value === "function" || typeof value === "symbol") return "is not JSON"
    // What is not JSON fails here or when it is read again.
    const text = stringifyStart(value as Json, longestSuggestion)
    if (text.length > longestSuggestion) return `is longer than ${longestSuggestion} characters`
    if (text.includes("{{")) return "contains an expression"
    if (line(text) !== text) return "contains a character that is not seen"
    const copy = parse(text)
    const label = shown(Reflect.get(suggestion, "label")) ?? ""
    const detail = shown(Reflect.get(suggestion, "detail"))
    return { value: copy, label: label === "" ? oneLine(typeof copy === "string" ? copy : text) : label, detail }
  } catch {
    return "is not JSON"
  }
}

const shown = (text: unknown): string | undefined =>
  typeof text === "string" ? oneLine(text.slice(0, longestSuggestion)) : undefined

/** A promise that fails, and that nobody waits for, ends a process. */
const ignoreLater = (found: unknown): void => {
  if (found instanceof Promise) found.catch(() => undefined)
}
