/**
 * What a JSON Schema says about a value, as far as a plugin checks it: between the document and the source that is written
 * from it. What cannot be said here is left open, and reported, so that no right value is refused.
 */
import type { Json } from "@dotrpc/spec"

export type Shape = Kind & {
  /** How an error names the value: `20 bytes in hex`. */
  readonly title?: string | undefined
  /** Values the document gives, best first. */
  readonly samples?: ReadonlyArray<Json.Json> | undefined
}

type Kind =
  | { readonly kind: "any" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean" }
  | {
      readonly kind: "text"
      readonly pattern?: RegExp | undefined
      readonly minLength?: number | undefined
      readonly maxLength?: number | undefined
    }
  | { readonly kind: "number"; readonly whole: boolean; readonly bounds: Bounds }
  | { readonly kind: "literal"; readonly values: ReadonlyArray<string | number | boolean | null> }
  | {
      readonly kind: "list"
      readonly item: Shape
      readonly min?: number | undefined
      readonly max?: number | undefined
    }
  | {
      readonly kind: "tuple"
      readonly items: ReadonlyArray<Shape>
      /** How many of the items must be there. */
      readonly min: number
      readonly rest?: Shape | undefined
    }
  | {
      readonly kind: "record"
      readonly members: ReadonlyArray<Member>
      readonly open: boolean
      /** The schema says nothing about members that it does not name: one in params is sent, with a warning. */
      readonly unsaid?: boolean | undefined
      readonly values?: Shape | undefined
    }
  | { readonly kind: "union"; readonly members: ReadonlyArray<Shape> }
  | { readonly kind: "ref"; readonly name: string }

export interface Member {
  readonly name: string
  readonly shape: Shape
  readonly required: boolean
}

export interface Bounds {
  readonly minimum?: number | bigint | undefined
  readonly maximum?: number | bigint | undefined
  readonly above?: number | bigint | undefined
  readonly below?: number | bigint | undefined
}

/** What reading a schema needs to know of the document around it. */
export interface SchemaContext {
  /** The schema that a `$ref` points to, with a name for it; `undefined` when it points nowhere. */
  readonly resolve: (ref: string) => { readonly name: string; readonly schema: Json.Json } | undefined
  /** Names of schemas that are being written out in place, as a part of those that hold this one. */
  readonly within?: ReadonlySet<string> | undefined
  /** Whether one more schema may be read. References that are written out in place may multiply without end. */
  readonly mayRead: () => boolean
  /** A pattern as a regular expression that is linear; `undefined` when there is none, as {@link linearPattern} says. */
  readonly patternOf: (source: string) => RegExp | undefined
  /** Gets everything that is not checked. */
  readonly warn: (message: string) => void
}

export const anything: Shape = { kind: "any" }

/** The title of a shape as an error says it. Titles are often only names, which do not tell what kind of value is meant. */
export const titleInWords = (title: string, shape: Shape): string => {
  if (shape.kind === "boolean") return /\btrue\b/i.test(title) ? title : `${title} (true or false)`
  if (shape.kind !== "number" || /\bnumber\b/i.test(title)) return title
  return `${title} (${shape.whole ? "a whole number" : "a number"})`
}

/** One of several shapes; one alone is that shape. */
export const union = (members: ReadonlyArray<Shape>): Shape => {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]))
  const [only] = flat
  return flat.length === 1 && only !== undefined ? only : { kind: "union", members: flat }
}
