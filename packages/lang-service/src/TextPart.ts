/**
 * A part of a text that an editor has as a document of its own, such as a cell of a notebook: where its places are in the
 * whole, and the reverse.
 *
 * The part has the same lines in both, though not always with the same line ends, so places are counted in lines.
 */
import type { Span } from "@dotrpc/lang"
import type { LineIndex, Position } from "@dotrpc/lang/locate"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** A part of a text, in the whole and on its own. */
export interface TextPart {
  /** The part, in the whole. */
  readonly range: TextRange
  /** A place of the part, in the whole; one behind the part is moved to its end. */
  readonly toWhole: (position: Position) => Position
  /** A range of the whole, in the part; `undefined` when any of it is outside. */
  readonly toPart: (range: TextRange) => TextRange | undefined
  /** What the part has of a range of the whole; `undefined` when that is nothing. */
  readonly clip: (range: TextRange) => TextRange | undefined
}

/** The part of a text that `span` covers; `lines` are those of the whole. */
export const textPart = (lines: LineIndex, span: Span): TextPart => {
  const range = rangeOf(lines, span)
  const { start, end } = range
  const inPart = ({ character, line }: Position): Position => ({
    line: line - start.line,
    character: line === start.line ? character - start.character : character,
  })
  const moved = (found: TextRange): TextRange => ({ start: inPart(found.start), end: inPart(found.end) })
  return {
    range,
    toWhole: ({ character, line }) => {
      const place = { line: start.line + line, character: line === 0 ? start.character + character : character }
      return isBefore(end, place) ? end : place
    },
    toPart: (found) => (isBefore(found.start, start) || isBefore(end, found.end) ? undefined : moved(found)),
    clip: (found) =>
      isBefore(found.end, start) || isBefore(end, found.start)
        ? undefined
        : moved({
            start: isBefore(found.start, start) ? start : found.start,
            end: isBefore(end, found.end) ? end : found.end,
          }),
  }
}

const isBefore = (left: Position, right: Position): boolean =>
  left.line < right.line || (left.line === right.line && left.character < right.character)
