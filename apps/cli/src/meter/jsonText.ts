/**
 * Where the parts of a JSON text are, so that each can be passed on as it was written. Nothing is decoded.
 *
 * A text that is not an object, or not an array, or that breaks off, has no parts. One that is not JSON inside may have some: that is
 * found out where they are read.
 */
import { Json } from "@dotrpc/spec"

/** A part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The values of an object by their names; of two with one name the last, whose name is told to `onRepeat`. */
export const membersOf = (
  text: string,
  onRepeat: (name: string) => void = () => {},
): ReadonlyMap<string, Span> | undefined => {
  let at = afterSpace(text, 0)
  if (text[at] !== "{") return undefined
  const members = new Map<string, Span>()
  at = afterSpace(text, at + 1)
  if (text[at] === "}") return members
  while (text[at] === '"') {
    const name = { start: at, end: endOfString(text, at) }
    const colon = afterSpace(text, name.end)
    if (text[colon] !== ":") return undefined
    const start = afterSpace(text, colon + 1)
    const end = endOfValue(text, start)
    const own = nameIn(text.slice(name.start, name.end))
    if (members.has(own)) onRepeat(own)
    members.set(own, { start, end })
    at = afterSpace(text, end)
    if (text[at] === "}") return members
    if (text[at] !== ",") return undefined
    at = afterSpace(text, at + 1)
  }
  return undefined
}

/** The elements of an array as texts. */
export const elementsOf = (text: string): ReadonlyArray<string> | undefined => {
  let at = afterSpace(text, 0)
  if (text[at] !== "[") return undefined
  const elements: Array<string> = []
  at = afterSpace(text, at + 1)
  if (text[at] === "]") return elements
  while (at < text.length) {
    const end = endOfValue(text, at)
    elements.push(text.slice(at, end))
    at = afterSpace(text, end)
    if (text[at] === "]") return elements
    if (text[at] !== ",") return undefined
    at = afterSpace(text, at + 1)
  }
  return undefined
}

/** The text of a member; `undefined` without it. */
export const memberOf = (
  text: string,
  members: ReadonlyMap<string, Span> | undefined,
  name: string,
): string | undefined => {
  const span = members?.get(name)
  return span === undefined ? undefined : text.slice(span.start, span.end)
}

const nameIn = (quoted: string): string => {
  if (!quoted.includes("\\")) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

const afterSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const endOfValue = (text: string, start: number): number => {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first === "{" || first === "[") return endOfNested(text, start)
  scalarEnd.lastIndex = start
  return scalarEnd.exec(text)?.index ?? text.length
}

const scalarEnd = /[\s,\]}]/g

const endOfNested = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at) - 1
    else if (code === openBrace || code === openBracket) depth++
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1
  }
  return text.length
}

const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Most of a long result is in strings, which are not walked through. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === "\\") slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

/** An id apart from how it is written: servers write `"b"` for `"\\u0062"`, and 1 for 1.0. */
export const idKey = (text: string): string => {
  if (usualId.test(text)) return text
  if (Number.isSafeInteger(Number(text))) return String(Number(text))
  try {
    return Json.stringify(Json.parse(text))
  } catch {
    return text
  }
}

const usualId = /^(?:0|[1-9]\d{0,14}|"[\w-]*")$/
