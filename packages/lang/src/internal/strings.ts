/** Decodes the content of strings and reports what JSON does not allow there. */
import { replacing, report, span, textOf } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import type { Span } from "../Syntax.ts"

/** An escape of JSON, any other backslash with the character behind it, or a control character: one before the space. */
const special = /\\(?:(u[\da-fA-F]{4}|["\\/bfnrt])|.?)|[^ -\uffff]/gs

/** Decodes the text at a place. A broken escape is reported and stands for its own text. */
export function decode(cursor: Cursor, place: Span): string {
  return textOf(cursor, place).replace(special, (source, escape: string | undefined, index: number) => {
    if (escape !== undefined) return String(JSON.parse(`"${source}"`))
    const from = place.start + index
    if (source.startsWith("\\")) reportEscape(cursor, span(from, from + source.length))
    else reportControl(cursor, span(from, from + 1), source)
    return source
  })
}

function reportEscape(cursor: Cursor, place: Span): void {
  const message = String.raw`unknown escape; use one of \" \\ \/ \b \f \n \r \t or \u with four hex digits, or \\ for a backslash`
  report(cursor, "L306", place, message, replacing("Write a backslash", span(place.start, place.start + 1), "\\\\"))
}

function reportControl(cursor: Cursor, place: Span, character: string): void {
  const escape = JSON.stringify(character).slice(1, -1)
  const message = `a string cannot contain this control character; write ${escape}`
  report(cursor, "L307", place, message, replacing(`Write ${escape}`, place, escape))
}
