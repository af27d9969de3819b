/** Makes new texts from known ones. */
import type { TextEdit } from "../../src/index.ts"
import { pieces } from "../pieces.ts"
import { pick } from "./random.ts"
import type { Random } from "./random.ts"

/** A text of the pool with one to six random changes. */
export function mutate(pool: ReadonlyArray<string>, random: Random): string {
  let text = pick(pool, random)
  for (let left = 1 + random(6); left > 0; left--) text = pick(changes, random)(text, pool, random)
  return text
}

/** A small edit somewhere in a text. */
export function randomEdit(text: string, random: Random): TextEdit {
  const start = random(text.length + 1)
  const length = random(2) === 0 ? 0 : random(12)
  const written = random(4) === 0 ? "" : pick(pieces, random)
  return { start, end: Math.min(start + length, text.length), text: written }
}

type Change = (text: string, pool: ReadonlyArray<string>, random: Random) => string

const changes: ReadonlyArray<Change> = [
  function insertPiece(text, _, random) {
    return spliced(text, random(text.length + 1), 0, pick(pieces, random))
  },
  function replaceByPiece(text, _, random) {
    return spliced(text, random(text.length + 1), random(8), pick(pieces, random))
  },
  function replaceCharacter(text, _, random) {
    const code = random(8) === 0 ? random(0x10000) : random(128)
    return spliced(text, random(text.length + 1), 1, String.fromCharCode(code))
  },
  function remove(text, _, random) {
    return spliced(text, random(text.length + 1), 1 + random(20), "")
  },
  function repeat(text, _, random) {
    const start = random(text.length + 1)
    return spliced(text, start, 0, text.slice(start, start + random(60)))
  },
  function cut(text, _, random) {
    return text.slice(0, random(text.length + 1))
  },
  function beginLater(text, _, random) {
    return text.slice(random(text.length + 1))
  },
  function insertOther(text, pool, random) {
    const other = pick(pool, random)
    const start = random(other.length + 1)
    return spliced(text, random(text.length + 1), random(20), other.slice(start, start + random(120)))
  },
  function changeLineBreaks(text, _, random) {
    return text.replaceAll(/\r\n|\r|\n/g, pick(["\n", "\r\n", "\r"], random))
  },
]

function spliced(text: string, start: number, length: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(start + length)
}
