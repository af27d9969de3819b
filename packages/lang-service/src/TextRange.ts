/** Places in a document as editors count them. */
import type { Span } from "@dotrpc/lang"
import { type LineIndex, type Position, positionAt } from "@dotrpc/lang/locate"

/** From `start` up to, not including, `end`; lines and UTF-16 characters from zero. */
export interface TextRange {
  readonly start: Position
  readonly end: Position
}

/** The text of a range, replaced. */
export interface TextChange {
  readonly range: TextRange
  readonly text: string
}

/** The range of a span of offsets. */
export const rangeOf = (lines: LineIndex, span: Span): TextRange => ({
  start: positionAt(lines, span.start),
  end: positionAt(lines, span.end),
})
