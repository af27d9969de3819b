/**
 * What the scanner has read and written so far.
 *
 * Limit: a text has fewer than 2^30 tokens, which is beyond the longest string of any engine.
 */
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { codeAt, isBlank, isLineBreak } from "./characters.ts"

/** A range of a text that is being scanned. Everything before `position` has its tokens in `data`. */
export interface Sink {
  readonly text: string
  /** Where the range ends. */
  readonly limit: number
  position: number
  data: Int32Array
  /** How many numbers of `data` are in use. */
  size: number
}

/** A sink for the range of a text. */
export function sinkFor(text: string, from: number, to: number): Sink {
  const expected = Math.max(64, (to - from) >> 1)
  return { text, limit: to, position: from, data: new Int32Array(expected), size: 0 }
}

/** Adds the token that starts at `position` and ends at `end`. */
export function emit(sink: Sink, kind: number, end: number): void {
  const { size } = sink
  if (size + 2 > sink.data.length) grow(sink)
  sink.data[size] = kind
  sink.data[size + 1] = end
  sink.size = size + 2
  sink.position = end
}

/** Adds the blanks at `position` as one token, if there are any. */
export function emitBlanks(sink: Sink): void {
  const end = blanksEnd(sink.text, sink.position)
  if (end > sink.position) emit(sink, Kind.Whitespace, end)
}

/** Adds the line break at `position`; nothing at the end of the text. */
export function emitLineBreak(sink: Sink, kind: number): void {
  const { text, position } = sink
  if (position >= sink.limit) return
  emit(sink, kind, position + (text.charCodeAt(position) === 13 && codeAt(text, position + 1) === 10 ? 2 : 1))
}

/** The offset of the first character from `start` on that is not a blank. */
export function blanksEnd(text: string, start: number): number {
  let end = start
  while (isBlank(codeAt(text, end))) end++
  return end
}

/** The end of the line that holds `start`, without the blanks at its end. */
export function trimmedLineEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return end
}

/** The tokens of a sink that has come to its end. */
export function tokensOf(sink: Sink): TokenList {
  emit(sink, Kind.EndOfFile, sink.limit)
  return { text: sink.text, data: sink.data, length: sink.size / 2 - 1 }
}

function grow(sink: Sink): void {
  const grown = new Int32Array(sink.data.length * 2)
  grown.set(sink.data)
  sink.data = grown
}
