/** Scans strings. A string ends on its line; a template inside it belongs to the caller. */
import * as Kind from "../TokenKind.ts"
import * as char from "./characters.ts"
import { codeAt, isLineBreak } from "./characters.ts"
import { emit } from "./sink.ts"
import type { Sink } from "./sink.ts"

/** Emits the string that starts at `position`, in which `{{` means nothing. */
export function scanPlainString(sink: Sink): void {
  if (scanOrdinaryString(sink)) return
  let end = stringTextEnd(sink, sink.position + 1)
  while (startsTemplate(sink.text, end)) end = stringTextEnd(sink, end + 2)
  emitString(sink, end)
}

/**
 * Emits the string that starts at `position`, unless a template begins in it: then only its first quote. Tells whether there
 * is one.
 */
export function scanStringUpToTemplate(sink: Sink): boolean {
  if (scanOrdinaryString(sink)) return false
  const { text, position } = sink
  const end = stringTextEnd(sink, position + 1)
  const hasTemplate = startsTemplate(text, end)
  if (hasTemplate) emit(sink, Kind.StringOpen, position + 1)
  else emitString(sink, end)
  return hasTemplate
}

/** The end of the text inside a string: at its quote, at a template, at the end of the line. */
export function stringTextEnd(sink: Sink, start: number): number {
  const { text, limit } = sink
  let end = ordinaryEnd(sink, start)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === char.quote || isLineBreak(code) || startsTemplate(text, end)) break
    end = ordinaryEnd(sink, end + (code === char.backslash ? escapeLength(sink, end) : 1))
  }
  return end
}

/** Whether `{{` stands at an offset. */
export function startsTemplate(text: string, start: number): boolean {
  return codeAt(text, start) === char.openBrace && codeAt(text, start + 1) === char.openBrace
}

/** Emits the string that starts at `position` if all of its text is ordinary, as that of most is, and returns whether it is. */
function scanOrdinaryString(sink: Sink): boolean {
  const end = ordinaryEnd(sink, sink.position + 1)
  const isOrdinary = codeAt(sink.text, end) === char.quote
  if (isOrdinary) emit(sink, Kind.String, end + 1)
  return isOrdinary
}

/** Emits a string that is not ordinary and whose text ends at `end`. */
function emitString(sink: Sink, end: number): void {
  const isClosed = codeAt(sink.text, end) === char.quote
  emit(sink, isClosed ? Kind.EscapedString : Kind.UnterminatedString, isClosed ? end + 1 : end)
}

/** The first character from `start` on that is not ordinary: a quote, a backslash, a brace or a control character. */
function ordinaryEnd({ text, limit }: Sink, start: number): number {
  let end = start
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === char.quote || code === char.backslash || code === char.openBrace || code < char.space) break
    end++
  }
  return end
}

/** A backslash takes the next character with it, but never a line break. */
function escapeLength({ text, limit }: Sink, start: number): number {
  return start + 1 < limit && !isLineBreak(text.charCodeAt(start + 1)) ? 2 : 1
}
