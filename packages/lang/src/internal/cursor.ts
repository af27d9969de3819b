/** The place of the parser in the tokens, and the findings so far. */
import { severityOf } from "../Diagnostic.ts"
import type { Diagnostic, DiagnosticCode, Fix } from "../Diagnostic.ts"
import type { Span, Word } from "../Syntax.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { isBoundary } from "./kinds.ts"

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

/** A cursor at a token, without findings yet. */
export function cursorAt({ text, data, length }: TokenList, index: number): Cursor {
  return { text, data, diagnostics: [], index, limit: length, partsLeft: maximumParts }
}

/** Moves over trivia and returns the kind of the token there; `EndOfFile` at the limit. */
export function peek(cursor: Cursor): number {
  while (cursor.index < cursor.limit) {
    const kind = kindAt(cursor, cursor.index)
    if (kind > Kind.LastTrivia) return kind
    if (kind === Kind.UnclosedComment) {
      const from = start(cursor)
      report(cursor, "L319", span(from, from + 2), "this comment is never closed; end it with */")
    }
    cursor.index++
  }
  return Kind.EndOfFile
}

/** Steps over the next token if it is of a kind, and returns whether it is. */
export function accept(cursor: Cursor, kind: number): boolean {
  const isNext = peek(cursor) === kind
  if (isNext) cursor.index++
  return isNext
}

/** The kind of a token, whatever the limit; `index` is at most that of the end of the file. */
export function kindAt(cursor: Cursor, index: number): number {
  return cursor.data[index * 2] ?? Kind.EndOfFile
}

/** The offset where a token ends; 0 for one before the first. */
export function endAt(cursor: Cursor, index: number): number {
  return index < 0 ? 0 : (cursor.data[index * 2 + 1] ?? 0)
}

/** A range of the text. */
export function span(start: number, end: number): Span {
  return { start, end }
}

/** The offset where the current token starts. */
export function start(cursor: Cursor): number {
  return endAt(cursor, cursor.index - 1)
}

/** The offset where the current token ends. */
export function end(cursor: Cursor): number {
  return endAt(cursor, cursor.index)
}

/** The range of the current token; at the limit, that of the last one before it. */
export function here(cursor: Cursor): Span {
  return cursor.index < cursor.limit ? span(start(cursor), end(cursor)) : previous(cursor)
}

/** What stands in a range of the text. */
export function textOf(cursor: Cursor, { start, end }: Span): string {
  return cursor.text.slice(start, end)
}

/** The text of the current token. */
export function tokenTextAt(cursor: Cursor): string {
  return cursor.text.slice(start(cursor), end(cursor))
}

/** Moves over the current token and returns where it stood and what it said. */
export function takeWord(cursor: Cursor): Word {
  const from = start(cursor)
  const to = end(cursor)
  cursor.index++
  return { start: from, end: to, text: cursor.text.slice(from, to) }
}

/** Moves over the next token if it is of a kind; otherwise gives an empty word after the token before. */
export function takeWordIf(cursor: Cursor, kind: number): Word {
  return peek(cursor) === kind ? takeWord(cursor) : emptyWord(previousEnd(cursor))
}

/** A word that is missing at an offset. */
export function emptyWord(offset: number): Word {
  return { start: offset, end: offset, text: "" }
}

/** The last token before the current one that is not trivia. */
export function previous(cursor: Cursor): Span {
  const index = previousIndex(cursor)
  return span(endAt(cursor, index - 1), endAt(cursor, index))
}

/** Where the last token before the current one ends that is not trivia. */
export function previousEnd(cursor: Cursor): number {
  return endAt(cursor, previousIndex(cursor))
}

/** The index of the token that ends the statement at the cursor. */
export function statementEnd(cursor: Cursor): number {
  let index = cursor.index
  while (index < cursor.limit && !isBoundary(kindAt(cursor, index))) index++
  return index
}

/** Moves to a token index and returns the span of what was passed, without trivia at its end. */
export function skipTo(cursor: Cursor, index: number): Span {
  const from = start(cursor)
  cursor.index = Math.max(index, cursor.index)
  return span(from, Math.max(from, previousEnd(cursor)))
}

/** Moves to the end of the statement and returns the span of what was passed. */
export function skipStatement(cursor: Cursor): Span {
  return skipTo(cursor, statementEnd(cursor))
}

/** Adds a finding. */
export function report(cursor: Cursor, code: DiagnosticCode, { start, end }: Span, message: string, fix?: Fix): void {
  const finding = { code, severity: severityOf(code), message, start, end }
  cursor.diagnostics.push(fix === undefined ? finding : { ...finding, fix })
}

/** Whether the token before the current one has already been reported, so that saying more would only be noise. */
export function isReported(cursor: Cursor): boolean {
  const last = cursor.diagnostics.at(-1)
  if (cursor.partsLeft <= 0) return true
  return last !== undefined && last.severity === "error" && last.end >= previousEnd(cursor)
}

/** A fix that replaces one span. */
export function replacing(title: string, { start, end }: Span, text: string): Fix {
  return { title, edits: [{ start, end, text }] }
}

/** A fix that inserts a text at an offset. */
export function inserting(title: string, offset: number, text: string): Fix {
  return replacing(title, span(offset, offset), text)
}

function previousIndex(cursor: Cursor): number {
  let index = Math.min(cursor.index, cursor.limit) - 1
  while (index > 0 && kindAt(cursor, index) <= Kind.LastTrivia) index--
  return index
}
