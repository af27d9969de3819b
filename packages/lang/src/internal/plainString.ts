/**
 * Plain strings: closed, without escapes and templates. They are most of a large file, so a node has only its position;
 * its value is cut out of the text when it is read.
 */
import type { StringNode, TextPart } from "../Syntax.ts"

export class PlainString implements StringNode {
  readonly kind = "String"
  readonly start: number
  readonly end: number
  readonly #source: string

  /** The string with its quotes, from `start` to `end` of a whole text. */
  constructor(source: string, start: number, end: number) {
    this.start = start
    this.end = end
    this.#source = source
  }

  get value(): string {
    return this.#source.slice(this.start + 1, this.end - 1)
  }

  get parts(): StringNode["parts"] {
    return textParts(this.start + 1, this.end - 1, this.value)
  }
}

/** The text of a string, or a stretch of it, as its parts; an empty one has none. */
export function textParts(start: number, end: number, value: string): ReadonlyArray<TextPart> {
  return start < end ? [{ kind: "Text", start, end, value }] : []
}
