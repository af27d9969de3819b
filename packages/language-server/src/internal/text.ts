/** Edits of a document, as the client reports them. */
import { type LineIndex, lineIndex, offsetAt } from "@dotrpc/lang"
import type { TextDocumentContentChangeEvent } from "vscode-languageserver"

/** The text after all changes; each counts its places in the text that the one before it has left. */
export const applyChanges = (lines: LineIndex, changes: ReadonlyArray<TextDocumentContentChangeEvent>): LineIndex =>
  changes.reduce<LineIndex>((current, change) => {
    if (!("range" in change)) return lineIndex(change.text)
    const start = offsetAt(current, change.range.start)
    const end = Math.max(start, offsetAt(current, change.range.end))
    return lineIndex(current.text.slice(0, start) + change.text + current.text.slice(end))
  }, lines)
