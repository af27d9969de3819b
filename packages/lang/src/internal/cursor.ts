/** The place of the parser in the tokens, and the findings so far. */
import { severityOf } from "../Diagnostic.ts"
import type { Diagnostic, DiagnosticCode, Fix, TextEdit } from "../Diagnostic.ts"
import type { Span, Word } from "../Syntax.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"

/** A moving index into the tokens. Nothing is read at or behind `limit`. */
export interface Cursor {
  readonly text: string
  /** The kinds and ends of the tokens, as in `TokenList`. */
  readonly data: Int32Array
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
  const { text, data, length } = tokens
  return { text, data, diagnostics, index, limit: length, partsLeft: maximumParts }
}

/** Moves over trivia and tells the kind of the token there; `EndOfFile` at the limit. */
export function peek(cursor: Cursor): number {
  while (cursor.index < cursor.limit) {
    const kind = kindAt(cursor, cursor.index)
    if (kind > Kind.LastTrivia) return kind
    if (kind === Kind.UnclosedComment) reportUnclosedComment(cursor)
    cursor.index++
  }
  return Kind.EndOfFile
}

/** The kind of a token, whatever the limit; `index` is at most that of the end of the file. */
export function kindAt(cursor: Cursor, index: number): number {
  return cursor.data[index * 2] ?? Kind.EndOfFile
}

/** The offset where a token starts. */
export function startAt(cursor: Cursor, index: number): number {
  return index > 0 ? (cursor.data[index * 2 - 1] ?? 0) : 0
}

/** The offset where a token ends. */
export function endAt(cursor: Cursor, index: number): number {
  return cursor.data[index * 2 + 1] ?? 0
}

/** Whether a kind ends the statement that it follows. */
export function isBoundary(kind: number): boolean {
  return kind >= Kind.FirstBoundary
}

/** The offset where the current token starts. */
export function start(cursor: Cursor): number {
  return startAt(cursor, cursor.index)
}

/** The offset where the current token ends. */
export function end(cursor: Cursor): number {
  return endAt(cursor, cursor.index)
}

/** The range of the current token. */
export function here(cursor: Cursor): Span {
  return { start: start(cursor), end: end(cursor) }
}

/** The text of the current token. */
export function tokenTextAt(cursor: Cursor): string {
  return cursor.text.slice(start(cursor), end(cursor))
}

/** Moves over the current token and tells where it stood and what it said. */
export function takeWord(cursor: Cursor): Word {
  const from = start(cursor)
  const to = end(cursor)
  cursor.index++
  return { start: from, end: to, text: cursor.text.slice(from, to) }
}

/** The last token before the current one that is not trivia. */
export function previous(cursor: Cursor): Span {
  const index = previousIndex(cursor)
  return { start: startAt(cursor, index), end: endAt(cursor, index) }
}

/** Where the last token before the current one ends that is not trivia. */
export function previousEnd(cursor: Cursor): number {
  return endAt(cursor, previousIndex(cursor))
}

/** Whether the token before the current one has already been reported, so that saying more would only be noise. */
export function isReported(cursor: Cursor): boolean {
  const last = cursor.diagnostics.at(-1)
  if (cursor.partsLeft <= 0) return true
  return last !== undefined && last.severity === "error" && last.end >= previousEnd(cursor)
}

/** The index of the token that ends the statement at the cursor. */
export function statementEnd(cursor: Cursor): number {
  let index = cursor.index
  while (!isBoundary(kindAt(cursor, index))) index++
  return index
}

/** Moves to a token index and tells the span of what was passed, without trivia at its end. */
export function skipTo(cursor: Cursor, index: number): Span {
  const from = start(cursor)
  cursor.index = Math.max(index, cursor.index)
  return { start: from, end: Math.max(from, previousEnd(cursor)) }
}

/** Adds a finding. */
export function report(cursor: Cursor, code: DiagnosticCode, span: Span, message: string, fix?: Fix): void {
  const finding = { code, severity: severityOf(code), message, start: span.start, end: span.end }
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

function previousIndex(cursor: Cursor): number {
  let index = Math.min(cursor.index, cursor.limit) - 1
  while (index > 0 && kindAt(cursor, index) <= Kind.LastTrivia) index--
  return Math.max(index, 0)
}

function reportUnclosedComment(cursor: Cursor): void {
  const from = start(cursor)
  report(cursor, "L319", { start: from, end: from + 2 }, "This comment is never closed; end it with */")
}
