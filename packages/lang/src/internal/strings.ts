/** Decodes the inside of strings and reports what JSON does not allow there. */
import { replacing, report } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { backslash, space } from "./characters.ts"

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
}

/** Decodes the text from `start` to `end`. A broken escape is reported and stands for its own text. */
export function decode(cursor: Cursor, start: number, end: number): string {
  const { text } = cursor
  let decoded = ""
  let copied = start
  for (let offset = start; offset < end; offset++) {
    const code = text.charCodeAt(offset)
    if (code < space) reportControl(cursor, offset, code)
    if (code !== backslash) continue
    const length = text[offset + 1] === "u" ? 6 : 2
    const character = escaped(text.slice(offset, Math.min(offset + length, end)))
    if (character === undefined) {
      reportEscape(cursor, offset, Math.min(offset + 2, end))
      offset++
      continue
    }
    decoded += text.slice(copied, offset) + character
    copied = offset + length
    offset = copied - 1
  }
  return decoded + text.slice(copied, end)
}

function escaped(source: string): string | undefined {
  if (/^\\u[\da-fA-F]{4}$/.test(source)) return String.fromCharCode(Number.parseInt(source.slice(2), 16))
  return source.length === 2 ? simpleEscapes[source.slice(1)] : undefined
}

function reportEscape(cursor: Cursor, start: number, end: number): void {
  const message = String.raw`Unknown escape; use one of \" \\ \/ \b \f \n \r \t or \u with four hex digits, or \\ for a backslash`
  const doubled = replacing("Write a backslash", { start, end: start + 1 }, "\\\\")
  report(cursor, "L306", { start, end }, message, doubled)
}

function reportControl(cursor: Cursor, start: number, code: number): void {
  const escape = code === 9 ? String.raw`\t` : String.raw`\u` + code.toString(16).padStart(4, "0")
  const span = { start, end: start + 1 }
  report(
    cursor,
    "L307",
    span,
    `A string cannot hold this control character; write ${escape}`,
    replacing(`Write ${escape}`, span, escape),
  )
}
