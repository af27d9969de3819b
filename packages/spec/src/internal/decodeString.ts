/** What a string of JSON says, the quotes being part of `text` from `start` to `end`; `undefined` where it is not one. */
import type { Steps } from "../Steps.ts"

export const decodeString = (text: string, start: number, end: number): string | undefined => {
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch {
    // Where and why is said by anyone who reads the whole text.
    return undefined
  }
}

/** From this length on a string is decoded in steps, in characters. */
export const longString = 262_144

export function* decodingString(text: string, start: number, end: number): Steps<string | undefined> {
  const pieces: Array<string> = []
  const last = end - 1
  for (let from = start + 1; from < last;) {
    const to = Math.min(pieceEnd(text, from), last)
    const piece = decodeString(`"${text.slice(from, to)}"`, 0, Infinity)
    if (piece === undefined) return undefined
    pieces.push(piece)
    from = to
    yield
  }
  return pieces.join("")
}

/** Where about `longString` characters end that do not break up an escape. */
const pieceEnd = (text: string, from: number): number => {
  const enough = from + longString
  let at = from
  for (;;) {
    const escape = text.indexOf("\\", at)
    if (escape === -1 || escape >= enough) return enough
    at = escape + (text[escape + 1] === "u" ? 6 : 2)
    if (at >= enough) return at
  }
}
