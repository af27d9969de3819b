/**
 * A text after many changes at once, as typing at hundreds of cursors makes them.
 *
 * Invariant: the lines of a text are kept apart, so that each change costs what its own lines are long.
 */
import type { TextChange, TextPosition } from "../TextChange.ts"

/** The text after all changes; each counts its places in the text that the one before it has left. */
export const changedText = (text: string, changes: ReadonlyArray<TextChange>): string => {
  let lines = linesOf(text)
  for (const change of changes) {
    if (!("range" in change)) {
      lines = linesOf(change.text)
      continue
    }
    const start = placeIn(lines, change.range.start)
    const end = later(start, placeIn(lines, change.range.end))
    // A carriage return and a line feed that meet end one line.
    const first = lines[start.line - 1]?.endsWith("\r") === true ? start.line - 1 : start.line
    const above = first < start.line ? (lines[first] ?? "") : ""
    const head = above + (lines[start.line] ?? "").slice(0, start.character)
    const made = linesOf(head + change.text + (lines[end.line] ?? "").slice(end.character))
    // What stands below the changed lines still begins a line.
    if (end.line + 1 < lines.length && made.at(-1) === "") made.pop()
    const replaced = end.line + 1 - first
    if (made.length === replaced) made.forEach((line, index) => (lines[first + index] = line))
    else if (made.length > mostArguments) lines = [...lines.slice(0, first), ...made, ...lines.slice(end.line + 1)]
    else lines.splice(first, replaced, ...made)
  }
  return lines.join("")
}

/** The lines of a text, each with what ends it; the last one has no end. */
const linesOf = (text: string): Array<string> => {
  const lines = text.split(lineEnds)
  if (endsLine.test(text)) lines.push("")
  return lines
}

const lineEnds = /(?<=\n|\r(?!\n))/
const endsLine = /[\r\n]$/

/** A place that is in the text: a character after the end of its line means that end, a line after the last one the end of the text. */
const placeIn = (lines: ReadonlyArray<string>, { character, line }: TextPosition): TextPosition => {
  if (line < 0) return { line: 0, character: 0 }
  const found = lines[line]
  if (found === undefined) return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  const end = found.length - (found.endsWith("\r\n") ? 2 : endsLine.test(found) ? 1 : 0)
  return { line, character: Math.min(Math.max(character, 0), end) }
}

const later = (left: TextPosition, right: TextPosition): TextPosition =>
  right.line > left.line || (right.line === left.line && right.character > left.character) ? right : left

/** A call with far more arguments overflows the stack. */
const mostArguments = 10_000
