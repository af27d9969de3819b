/** Literals, which values and expressions share, and those that are not written as this language wants them. */
import * as Kind from "../TokenKind.ts"
import type { Span } from "../Syntax.ts"
import { here, replacing, report, tokenTextAt } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

/** Whether a word is a value. */
export function isLiteralWord(text: string): boolean {
  return text === "true" || text === "false" || text === "null"
}

/** Reports the malformed literal at the cursor and steps over it. */
export function rejectLiteral(cursor: Cursor, kind: number): Span {
  const span = here(cursor)
  if (kind === Kind.MalformedNumber) reportMalformedNumber(cursor, span)
  else if (kind === Kind.SingleQuoted) reportSingleQuoted(cursor, span)
  else reportUnterminated(cursor, span)
  cursor.index++
  return span
}

/** Reports a string that its line ends. A curly quote in it was probably meant to end it. */
export function reportUnterminated(cursor: Cursor, span: Span): void {
  const source = cursor.text.slice(span.start, span.end)
  const curly = source.startsWith('"') ? source.search(/[“”]/) : -1
  if (curly >= 0) {
    const quote = { start: span.start + curly, end: span.start + curly + 1 }
    return report(cursor, "L316", { ...span, end: quote.end }, curlyQuotes, replacing(straighten, quote, '"'))
  }
  const message = source.startsWith('"')
    ? 'this string is never closed; end it with " on the same line'
    : 'this string is never closed; write it in double quotes, with both " on the same line'
  report(cursor, "L305", span, message)
}

const curlyQuotes = 'strings need straight double quotes: " instead of “ and ”'
const straighten = "Use straight double quotes"

/** A fix is offered when it is sure. */
function reportMalformedNumber(cursor: Cursor, span: Span): void {
  const repaired = tokenTextAt(cursor)
    .replaceAll("_", "")
    .replace(/^0+(?=\d)/, "")
    .replace("0X", "0x")
  const fix = /^(0x[\da-f]+|\d+)$/i.test(repaired) ? replacing(`Write ${repaired}`, span, repaired) : undefined
  report(cursor, "L308", span, "this number is malformed; write it as JSON does, such as 100, -1.5 or 2e8", fix)
}

function reportSingleQuoted(cursor: Cursor, span: Span): void {
  const source = tokenTextAt(cursor)
  const text = `"${source.slice(1, -1).replaceAll('"', String.raw`\"`)}"`
  if (source.startsWith("'"))
    report(cursor, "L316", span, "strings need double quotes", replacing("Use double quotes", span, text))
  else report(cursor, "L316", span, curlyQuotes, replacing(straighten, span, text))
}
