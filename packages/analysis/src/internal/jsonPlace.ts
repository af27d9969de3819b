/**
 * The place of a value in JSON text that was already read. A text of megabytes takes long, so it is found in steps.
 *
 * Limit: each character is read once, and skipped values are not kept.
 */
import type { ParamPath } from "@dotrpc/spec"
import type { Steps } from "../Steps.ts"

/** The offset of the value at a path, or of the last value on the path that exists. */
export function* jsonPlace(text: string, path: ParamPath): Steps<number> {
  let at = afterBlanks(text, 0)
  for (const part of path) {
    const inside = typeof part === "number" ? yield* itemAt(text, at, part) : yield* memberAt(text, at, part)
    if (inside === undefined) return at
    at = inside
  }
  return at
}

function* itemAt(text: string, start: number, index: number): Steps<number | undefined> {
  if (text[start] !== "[") return undefined
  let at = afterBlanks(text, start + 1)
  for (let passed = 0; passed < index; passed++) {
    at = afterBlanks(text, yield* endOfValue(text, at))
    if (text[at] !== ",") return undefined
    at = afterBlanks(text, at + 1)
  }
  return text[at] === "]" ? undefined : at
}

/** If a name occurs twice, the last one counts, as in the parser. */
function* memberAt(text: string, start: number, name: string): Steps<number | undefined> {
  if (text[start] !== "{") return undefined
  let found: number | undefined
  let at = afterBlanks(text, start + 1)
  while (text[at] === '"') {
    const end = endOfString(text, at)
    const key: unknown = JSON.parse(text.slice(at, end))
    const value = afterBlanks(text, afterBlanks(text, end) + 1)
    if (key === name) found = value
    at = afterBlanks(text, yield* endOfValue(text, value))
    if (text[at] !== ",") break
    at = afterBlanks(text, at + 1)
  }
  return found
}

function* endOfValue(text: string, start: number): Steps<number> {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  let at = start
  if (first !== "{" && first !== "[") {
    while (at < text.length && !",]} \t\n\r".includes(text[at] ?? "")) at++
    return at
  }
  let next = start + stepLength
  for (let depth = 0; at < text.length; at++) {
    if (at >= next) {
      next = at + stepLength
      yield
    }
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === "{" || character === "[") depth++
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1
  }
  return at
}

/** Characters of one step: well below a millisecond, however slow the machine. */
const stepLength = 8_192

/** A quote after an odd number of backslashes is part of the string. */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === "\\") slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

const afterBlanks = (text: string, start: number): number => {
  let at = start
  while (" \t\n\r".includes(text[at] ?? "x")) at++
  return at
}
