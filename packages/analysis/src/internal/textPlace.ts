/** Where an offset of a file is, in steps: an index of a million lines takes long to make. */
import type { Steps } from "../Steps.ts"

/** Line and character count from 0, the latter in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly character: number
}

/** As `positionAt` of the language. */
export function* placeIn(text: string, offset: number): Steps<Place> {
  let line = 0
  let start = 0
  for (let at = 0; at < offset; at++) {
    if (at % 8_192 === 8_191) yield
    const code = text.charCodeAt(at)
    if (code !== 10 && (code !== 13 || text.charCodeAt(at + 1) === 10)) continue
    line++
    start = at + 1
  }
  return { line, character: offset - start }
}
