/** The text of a document, read on from one edit to the next. */
import { parse, type ParseResult, reparse, type TextEdit } from "@dotrpc/lang"
import { type LineIndex, lineIndex, offsetAt } from "@dotrpc/lang/locate"
import type { TextDocumentContentChangeEvent } from "vscode-languageserver"

export interface Text {
  readonly lines: LineIndex
  readonly parsed: ParseResult
  /** Edits since the whole text was read. */
  readonly edits: number
}

export const textOf = (text: string): Text => ({ lines: lineIndex(text), parsed: parse(text), edits: 0 })

/** The text after all changes; each counts its places in the text that the one before it has left. */
export const applyChanges = (text: Text, changes: ReadonlyArray<TextDocumentContentChangeEvent>): Text =>
  changes.reduce<Text>((current, change) => {
    if (!("range" in change)) return textOf(change.text)
    const start = offsetAt(current.lines, change.range.start)
    const end = Math.max(start, offsetAt(current.lines, change.range.end))
    return edited(current, { start, end, text: change.text })
  }, text)

/** Another text, of which only what differs is read anew. */
export const replaceText = (text: Text, next: string): Text => {
  const before = text.lines.text
  if (before === next) return text
  const least = Math.min(before.length, next.length)
  let head = 0
  while (head < least && before[head] === next[head]) head++
  let tail = 0
  while (tail < least - head && before.at(-1 - tail) === next.at(-1 - tail)) tail++
  const edit = { start: head, end: before.length - tail, text: next.slice(head, next.length - tail) }
  return edited(text, edit)
}

const edited = (current: Text, edit: TextEdit): Text => {
  const parsed = reparse(current.parsed, edit)
  const next = parsed.tree.tokens.text
  return current.edits >= maximumEdits ? textOf(next) : { lines: lineIndex(next), parsed, edits: current.edits + 1 }
}

/** A section holds on to the text it was read from; reading all of it anew lets those go. */
const maximumEdits = 200
