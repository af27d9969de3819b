/** Formatting as the smallest changes that lead to it, so that cursors, folds and marks stay where they are. */
import { atOnce, type Steps } from "@dotrpc/analysis"
import { formatRegions, type Span } from "@dotrpc/lang"
import { offsetAt } from "@dotrpc/lang/locate"
import type { AnalysedText } from "./AnalysedText.ts"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** The changes that format the whole document. Sections with a syntax error stay as they are. */
export const formatting = (document: AnalysedText): ReadonlyArray<TextChange> =>
  atOnce(formattingSteps(document, { start: 0, end: document.lines.text.length }))

/** Those of them that lie within a range. */
export const rangeFormatting = (document: AnalysedText, range: TextRange): ReadonlyArray<TextChange> =>
  atOnce(rangeFormattingSteps(document, range))

/** As {@link rangeFormatting}, in steps of one section each. */
export const rangeFormattingSteps = (document: AnalysedText, range: TextRange): Steps<ReadonlyArray<TextChange>> => {
  const { lines } = document
  return formattingSteps(document, { start: offsetAt(lines, range.start), end: offsetAt(lines, range.end) })
}

function* formattingSteps({ analysis, lines }: AnalysedText, shown: Span): Steps<ReadonlyArray<TextChange>> {
  const changes: Array<TextChange> = []
  // A section begins with what is not white space, so no change goes from one into the next.
  for (const { end, start, text } of formatRegions(analysis.tree, analysis.diagnostics)) {
    yield
    const before = lines.text.slice(start, end)
    if (start > shown.end || end < shown.start || before === text) continue
    for (const change of whiteSpaceChanges(before, text)) {
      const found = { start: start + change.start, end: start + change.end }
      if (shown.start <= found.start && found.end <= shown.end)
        changes.push({ range: rangeOf(lines, found), text: change.text })
    }
  }
  return changes
}

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The formatter changes white space only, so both texts are the same except for their runs of it. */
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
