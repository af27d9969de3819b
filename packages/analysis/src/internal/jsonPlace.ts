/**
 * The place of a value in JSON text that was already read.
 *
 * Limit: each character is read once, and skipped values are not kept.
 */
import type { ParamPath } from "@dotrpc/spec"

/** The offset of the value at a path, or of the last value on the path that exists. */
export const jsonPlace = (text: string, path: ParamPath): number => {
  let at = afterBlanks(text, text.startsWith("\uFEFF") ? 1 : 0)
  for (const part of path) {
    const inside = typeof part === "number" ? itemAt(text, at, part) : memberAt(text, at, part)
    if (inside === undefined) return at
    at = inside
  }
  return at
}

const itemAt = (text: string, start: number, index: number): number | undefined => {
  if (text[start] !== "[") return undefined
  let at = afterBlanks(text, start + 1)
  for (let passed = 0; passed < index; passed++) {
    at = afterBlanks(text, endOfValue(text, at))
    if (text[at] !== ",") return undefined
    at = afterBlanks(text, at + 1)
  }
  return text[at] === "]" ? undefined : at
}

/** If a name occurs twice, the last one counts, as in the parser. */
const memberAt = (text: string, start: number, name: string): number | undefined => {
  if (text[start] !== "{") return undefined
  let found: number | undefined
  let at = afterBlanks(text, start + 1)
  while (text[at] === '"') {
    const end = endOfString(text, at)
    const key: unknown = JSON.parse(text.slice(at, end))
    const value = afterBlanks(text, afterBlanks(text, end) + 1)
    if (key === name) found = value
    at = afterBlanks(text, endOfValue(text, value))
    if (text[at] !== ",") break
    at = afterBlanks(text, at + 1)
  }
  return found
}

const endOfValue = (text: string, start: number): number => {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  let at = start
  if (first !== "{" && first !== "[") {
    while (at < text.length && !",]} \t\n\r".includes(text[at] ?? "")) at++
    return at
  }
  for (let depth = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === "{" || character === "[") depth++
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1
  }
  return at
}

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

const afterBlanks = (text: string, start: number): number => {
  let at = start
  while (" \t\n\r".includes(text[at] ?? "x")) at++
  return at
}
