/**
 * The text of a document as an editor needs it: read again after each edit, in less time than a person notices.
 *
 * Invariant: reading one never takes longer than the limits allow, as a text that would is refused instead.
 */
import type { Steps, Unreadable } from "@dotrpc/analysis"
import { parse, type ParseResult, parseTokens, reparse, scan, type TextEdit } from "@dotrpc/lang"
import { type LineIndex, lineIndex, offsetAt } from "@dotrpc/lang/locate"
import { changedText } from "./internal/changedText.ts"
import { keptLines, tooLong, tooMuch } from "./internal/limits.ts"
import type { TextChange } from "./TextChange.ts"

/** The text of an open document, with what has been read of it. */
export interface EditorText {
  readonly lines: LineIndex
  /** Of an empty text, when this one is refused. */
  readonly parsed: ParseResult
  /** Edits since the whole text was read. */
  readonly edits: number
  /** Why the text is not analysed: the first half of a sentence for the user. */
  readonly refused?: string | undefined
}

/** Reads a whole text. */
export const editorText = (text: string): EditorText => {
  const kept = keptLines(text)
  const lines = kept ?? lineIndex("")
  const refused = tooLong(text.length, kept?.starts.length ?? Infinity)
  if (refused !== undefined) return { lines, parsed: nothing, edits: 0, refused }
  const tokens = scan(text)
  const much = tooMuch(tokens)
  return much === undefined
    ? { lines, parsed: parseTokens(tokens), edits: 0 }
    : { lines, parsed: nothing, edits: 0, refused: much }
}

/** Reads a text of any length, where nobody waits at a key for it. */
export const wholeText = (text: string): EditorText => ({ lines: lineIndex(text), parsed: parse(text), edits: 0 })

/** Instead of a text that is not even read: the reason is the first half of a sentence for the user. */
export const refusedText = (refused: string): EditorText => ({
  lines: lineIndex(""),
  parsed: nothing,
  edits: 0,
  refused,
})

/** The text after all changes; each counts its places in the text that the one before it has left. */
export const applyChanges = (text: EditorText, changes: ReadonlyArray<TextChange>): EditorText => {
  const whole = changes.findLastIndex((change) => !("range" in change))
  const current = whole < 0 ? text : editorText(changes[whole]?.text ?? "")
  const edits = changes.slice(whole + 1).filter((change) => "range" in change)
  const [edit] = edits
  if (isForgotten(current) || edit === undefined) return current
  // Many are read once: reading the text again after each of hundreds would keep the editor waiting.
  if (edits.length > 1) return replaceText(current, changedText(current.lines.text, edits))
  const start = offsetAt(current.lines, edit.range.start)
  const end = Math.max(start, offsetAt(current.lines, edit.range.end))
  return edited(current, { start, end, text: edit.text })
}

/** Another text, of which only what differs is read again. */
export const replaceText = (text: EditorText, next: string): EditorText => {
  const before = text.lines.text
  if (before === next) return text
  if (isForgotten(text)) return editorText(next)
  const least = Math.min(before.length, next.length)
  let head = 0
  while (head < least && before[head] === next[head]) head++
  let tail = 0
  while (tail < least - head && before.at(-1 - tail) === next.at(-1 - tail)) tail++
  const edit = { start: head, end: before.length - tail, text: next.slice(head, next.length - tail) }
  return edited(text, edit)
}

/** Parses the sections in steps, and returns what they are of. Without this, all of them are parsed when they are first read. */
export function* parsingSections(parsed: ParseResult): Steps<ParseResult> {
  for (const section of parsed.tree.sections) {
    void section.call
    yield
  }
  return parsed
}

/** What an import of this text needs. */
export const importable = ({ parsed, refused }: EditorText): ParseResult | Unreadable =>
  refused === undefined ? parsed : { problem: "is too large to be analysed while it or this file is edited" }

const edited = (current: EditorText, edit: TextEdit): EditorText => {
  const { edits, lines, parsed, refused } = current
  if (refused !== undefined || edits >= maximumEdits || edit.text.length > longestTyped)
    return editorText(lines.text.slice(0, edit.start) + edit.text + lines.text.slice(edit.end))
  const next = reparse(parsed, edit)
  const { tokens } = next.tree
  const index = lineIndex(tokens.text)
  const much = tooLong(tokens.text.length, index.starts.length) ?? tooMuch(tokens)
  return much === undefined
    ? { lines: index, parsed: next, edits: edits + 1 }
    : { lines: index, parsed: nothing, edits: 0, refused: much }
}

/** What is pasted may be too much, which is found out before it is parsed. */
const longestTyped = 1_000

/** A text that is too long to be kept: what its edits lead to is unknown. */
const isForgotten = ({ lines, refused }: EditorText): boolean => refused !== undefined && lines.text === ""

/** Instead of a text that is too long. */
const nothing = parse("")

/** A section holds on to the text it was read from; reading all of it again lets those go. */
const maximumEdits = 200
