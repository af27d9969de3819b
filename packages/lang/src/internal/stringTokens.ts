/** Scans strings. A string ends on its line; a template inside it belongs to the caller. */
import * as Kind from "../TokenKind.ts"
import * as char from "./characters.ts"
import { codeAt, isLineBreak } from "./characters.ts"
import { emit } from "./sink.ts"
import type { Sink } from "./sink.ts"

/** Emits the string that starts at `position`, in which `{{` means nothing. */
export function scanPlainString(sink: Sink): void {
  const { text, limit } = sink
  let kind: number = Kind.String
  let end = ordinaryEnd(sink, sink.position + 1)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === char.quote) return emit(sink, kind, end + 1)
    if (isLineBreak(code)) break
    if (code !== char.openBrace) kind = Kind.EscapedString
    end = ordinaryEnd(sink, end + (code === char.backslash ? escapeLength(sink, end) : 1))
  }
  emit(sink, Kind.UnterminatedString, end)
}

/**
 * Emits the string that starts at `position`, unless a template begins in it: then only its first quote and the text up to
 * the template. Tells whether there is one.
 */
export function scanStringUpToTemplate(sink: Sink): boolean {
  const { text, limit, position } = sink
  let kind: number = Kind.String
  let end = ordinaryEnd(sink, position + 1)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === char.quote) {
      emit(sink, kind, end + 1)
      return false
    }
    if (isLineBreak(code)) break
    if (startsTemplate(text, end)) {
      emit(sink, Kind.StringOpen, position + 1)
      if (end > position + 1) emit(sink, Kind.StringText, end)
      return true
    }
    if (code !== char.openBrace) kind = Kind.EscapedString
    end = ordinaryEnd(sink, end + (code === char.backslash ? escapeLength(sink, end) : 1))
  }
  emit(sink, Kind.UnterminatedString, end)
  return false
}

/** The end of the text inside a string: at its quote, at a template, at the end of the line. */
export function stringTextEnd(sink: Sink): number {
  const { text, limit } = sink
  let end = ordinaryEnd(sink, sink.position)
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (code === char.quote || isLineBreak(code) || startsTemplate(text, end)) break
    end = ordinaryEnd(sink, end + (code === char.backslash ? escapeLength(sink, end) : 1))
  }
  return end
}

/** Whether `{{` stands at an offset. */
export function startsTemplate(text: string, start: number): boolean {
  return text.charCodeAt(start) === char.openBrace && codeAt(text, start + 1) === char.openBrace
}

/** The first character from `start` on that is not just text: a quote, a backslash, a brace or a control character. */
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
