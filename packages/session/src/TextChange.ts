/** Changes of a text as an editor reports them. */

/** A change of a text as the Language Server Protocol has it: of a range, or of all of it. */
export type TextChange = RangeChange | { readonly text: string }

/** What stands in a range from now on. */
export interface RangeChange {
  readonly range: TextRange
  readonly text: string
}

/** A part of a text, from `start` up to `end`. */
export interface TextRange {
  readonly start: TextPosition
  readonly end: TextPosition
}

/** A place in a text, from zero, in UTF-16 units. */
export interface TextPosition {
  readonly line: number
  readonly character: number
}
