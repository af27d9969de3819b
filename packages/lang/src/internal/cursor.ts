/** The place of the parser in the tokens, and the findings so far. */
import { diagnosticCodes } from "../Diagnostic.ts"
import type { Diagnostic, DiagnosticCode, Fix, TextEdit } from "../Diagnostic.ts"
import type { Span } from "../Syntax.ts"
import { tokenEnd, tokenKind, tokenStart, tokenText } from "../Token.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"

/** A moving index into the tokens. Nothing is read at or behind `limit`. */
export interface Cursor {
  readonly tokens: TokenList
  readonly text: string
  readonly diagnostics: Array<Diagnostic>
  index: number
  limit: number
  /** How many more nodes the current expression may have. */
  partsLeft: number
}

/** The most nodes that one expression may have. */
export const maximumParts = 500

/** A cursor at a token, with the findings of its own. */
export function cursorAt(tokens: TokenList, index: number, diagnostics: Array<Diagnostic>): Cursor {
  return { tokens, text: tokens.text, diagnostics, index, limit: tokens.length, partsLeft: maximumParts }
}

/** Moves over trivia and tells the kind of the token there; `EndOfFile` at the limit. */
export function peek(cursor: Cursor): number {
  while (cursor.index < cursor.limit) {
    const kind = tokenKind(cursor.tokens, cursor.index)
    if (kind > Kind.LastTrivia) return kind
    if (kind === Kind.UnclosedComment) reportUnclosedComment(cursor)
    cursor.index++
  }
  return Kind.EndOfFile
}

/** Whether a kind ends the statement that it follows. */
export function isBoundary(kind: number): boolean {
  return kind >= Kind.FirstBoundary
}

/** The offset where the current token starts. */
export function start(cursor: Cursor): number {
  return tokenStart(cursor.tokens, cursor.index)
}

/** The offset where the current token ends. */
export function end(cursor: Cursor): number {
  return tokenEnd(cursor.tokens, cursor.index)
}

/** The text of the current token. */
export function tokenTextAt(cursor: Cursor): string {
  return tokenText(cursor.tokens, cursor.index)
}

/** The last token before the current one that is not trivia. */
export function previous(cursor: Cursor): Span {
  let index = Math.min(cursor.index, cursor.limit) - 1
  while (index > 0 && tokenKind(cursor.tokens, index) <= Kind.LastTrivia) index--
  return { start: tokenStart(cursor.tokens, index), end: tokenEnd(cursor.tokens, index) }
}

/** Whether the token before the current one has already been reported, so that saying more would only be noise. */
export function isReported(cursor: Cursor): boolean {
  const last = cursor.diagnostics.at(-1)
  if (cursor.partsLeft <= 0) return true
  return last !== undefined && last.severity === "error" && last.end >= previous(cursor).end
}

/** The index of the token that ends the statement at the cursor. */
export function statementEnd(cursor: Cursor): number {
  let index = cursor.index
  while (!isBoundary(tokenKind(cursor.tokens, index))) index++
  return index
}

/** Moves to a token index and tells the span of what was passed, without trivia at its end. */
export function skipTo(cursor: Cursor, index: number): Span {
  const from = start(cursor)
  cursor.index = Math.max(index, cursor.index)
  return { start: from, end: Math.max(from, previous(cursor).end) }
}

/** Adds a finding; its severity comes from the table of codes. */
export function report(cursor: Cursor, code: DiagnosticCode, span: Span, message: string, fix?: Fix): void {
  const { severity } = diagnosticCodes[code]
  const finding = { code, severity, message, start: span.start, end: span.end }
  cursor.diagnostics.push(fix === undefined ? finding : { ...finding, fix })
}

/** A fix that replaces one span. */
export function replacing(title: string, span: Span, text: string): Fix {
  return fixing(title, { start: span.start, end: span.end, text })
}

/** A fix of several edits, in order. */
export function fixing(title: string, ...edits: ReadonlyArray<TextEdit>): Fix {
  return { title, edits }
}

function reportUnclosedComment(cursor: Cursor): void {
  const from = start(cursor)
  report(cursor, "L319", { start: from, end: from + 2 }, "This comment is never closed; end it with */")
}
