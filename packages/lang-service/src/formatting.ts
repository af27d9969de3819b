/** Formatting as the smallest changes that lead to it, so that cursors, folds and marks stay where they are. */
import { format } from "@dotrpc/lang"
import { offsetAt } from "@dotrpc/lang/locate"
import type { Document } from "./Document.ts"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** The changes that format the whole document. Sections with a syntax error stay as they are. */
export const formatting = ({ lines }: Document): ReadonlyArray<TextChange> =>
  whiteSpaceChanges(lines.text, format(lines.text)).map(({ start, end, text }) => ({
    range: rangeOf(lines, { start, end }),
    text,
  }))

/** Those of them that lie within a range. */
export const rangeFormatting = (document: Document, range: TextRange): ReadonlyArray<TextChange> => {
  const { lines } = document
  const from = offsetAt(lines, range.start)
  const to = offsetAt(lines, range.end)
  return formatting(document).filter(
    (change) => offsetAt(lines, change.range.start) >= from && offsetAt(lines, change.range.end) <= to,
  )
}

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The formatter changes white space only, so both texts are the same but for their runs of it. */
const whiteSpaceChanges = (before: string, after: string): ReadonlyArray<Change> => {
  const changes: Array<Change> = []
  let left = 0
  let right = 0
  while (left < before.length || right < after.length) {
    const leftEnd = endOfBlanks(before, left)
    const rightEnd = endOfBlanks(after, right)
    const [old, formatted] = [before.slice(left, leftEnd), after.slice(right, rightEnd)]
    if (old !== formatted) changes.push(trimmed(left, old, formatted))
    left = leftEnd + 1
    right = rightEnd + 1
  }
  return changes
}

/** What both runs begin or end with is left out of the change; a CRLF is never cut in two, as no position is inside it. */
const trimmed = (offset: number, old: string, formatted: string): Change => {
  const least = Math.min(old.length, formatted.length)
  let head = 0
  while (head < least && old[head] === formatted[head]) head++
  if (cutsLineBreak(old, head)) head--
  let tail = 0
  while (tail < least - head && old.at(-1 - tail) === formatted.at(-1 - tail)) tail++
  if (cutsLineBreak(old, old.length - tail)) tail--
  return {
    start: offset + head,
    end: offset + old.length - tail,
    text: formatted.slice(head, formatted.length - tail),
  }
}

const cutsLineBreak = (text: string, offset: number): boolean => text[offset - 1] === "\r" && text[offset] === "\n"

const endOfBlanks = (text: string, from: number): number => {
  let end = from
  while (end < text.length && isBlank(text.charCodeAt(end))) end++
  return end
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)
