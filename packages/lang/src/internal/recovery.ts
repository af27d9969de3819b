/** Moves over text that the grammar does not cover, and reports it. */
import type { DiagnosticCode } from "../Diagnostic.ts"
import type { Span } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import {
  here,
  isReported,
  kindAt,
  peek,
  previousEnd,
  replacing,
  report,
  skipStatement,
  skipTo,
  span,
  start,
  textOf,
  tokenTextAt,
} from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { closesBrackets, isBoundary, nestingAfter, opensBrackets } from "./kinds.ts"

/**
 * Moves over text by `skip` and reports it, unless the token before it has been reported. An invisible character, such as a
 * space that was copied from a web page, is reported as one.
 */
export function reject(cursor: Cursor, code: DiagnosticCode, message: string, skip: (cursor: Cursor) => Span): Span {
  const isKnown = reportInvisible(cursor, code) || isReported(cursor)
  const skipped = skip(cursor)
  if (!isKnown) report(cursor, code, skipped, message)
  return skipped
}

/** Rejects what is left of the statement, if there is anything; what runs over several lines is reported on the first. */
export function rejectRest(cursor: Cursor, code: DiagnosticCode, message: string): void {
  if (!isBoundary(peek(cursor))) reject(cursor, code, message, skipLines)
}

/** Reports the current token, which a fix removes, and steps over it. */
export function rejectToken(cursor: Cursor, code: DiagnosticCode, message: string): void {
  report(cursor, code, here(cursor), message, replacing("Remove it", here(cursor), ""))
  cursor.index++
}

/** Moves over a name with its properties, indexes and arguments, and returns their span. */
export function skipPath(cursor: Cursor): Span {
  let nesting = 0
  let index = cursor.index + 1
  for (;;) {
    const kind = kindAt(cursor, index)
    const isInside = nesting > 0
    nesting = nestingAfter(kind, nesting)
    const goesOn = isInside || nesting > 0 || kind === Kind.Dot || kind === Kind.Name
    if (!goesOn || isBoundary(kind) || kind === Kind.Newline || kind === Kind.Comment) return skipTo(cursor, index)
    index++
  }
}

/** Moves over a bracket with all that is in it, without recursion, and returns its span. */
export function skipBrackets(cursor: Cursor): Span {
  let open = 0
  let { index } = cursor
  do {
    const kind = kindAt(cursor, index)
    if (opensBrackets(kind)) open++
    if (closesBrackets(kind)) open--
    index++
  } while (open > 0 && !isBoundary(kindAt(cursor, index)))
  return skipTo(cursor, index)
}

/** Moves over what no value can hold, to the next separator or the next start of a value, and returns its span. */
export function skipToSeparator(cursor: Cursor): Span {
  const { start: from, end: first } = here(cursor)
  if (!endsValue(peek(cursor))) cursor.index++
  while (!endsValue(peek(cursor)) && !startsValue(peek(cursor))) cursor.index++
  return span(from, Math.max(first, previousEnd(cursor)))
}

/** Whether a value can begin with a token of this kind. */
export function startsValue(kind: number): boolean {
  return kind >= Kind.Name && kind <= Kind.OpenBracket
}

/** Whether a value has to be over at a token of this kind. */
export function endsValue(kind: number): boolean {
  return kind === Kind.Comma || closesBrackets(kind) || isBoundary(kind)
}

/** Moves to the end of the statement, and returns the span of what was passed on the first line. */
function skipLines(cursor: Cursor): Span {
  const skipped = skipStatement(cursor)
  const [line = ""] = textOf(cursor, skipped).split(/[\r\n]/, 1)
  return span(skipped.start, skipped.start + line.length)
}

function reportInvisible(cursor: Cursor, code: DiagnosticCode): boolean {
  const isInvisible = peek(cursor) === Kind.Unknown && /^[\p{C}\p{Z}]+$/u.test(tokenTextAt(cursor))
  if (isInvisible) {
    const name = cursor.text.charCodeAt(start(cursor)).toString(16).toUpperCase().padStart(4, "0")
    const message = `U+${name} is invisible and means nothing here; replace it with a space`
    report(cursor, code, here(cursor), message, replacing("Replace it with a space", here(cursor), " "))
  }
  return isInvisible
}
