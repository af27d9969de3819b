/**
 * A strict JSON reader that hands every number's text to `numberFromText`; used where `JSON.parse` would round, go too deep, or
 * hold up everything else for too long.
 *
 * Invariant: its time grows with the length of the text, whatever the text is, and a step takes a few milliseconds.
 */
import { isArray, isObject, type Json, JsonSyntaxError, numberFromText } from "./jsonValue.ts"
import { atOnce, type Steps } from "../Steps.ts"
import { decodeString, decodingString, longString } from "./decodeString.ts"
import { isEscaped } from "./needsExactReader.ts"

export const parseExact = (text: string, maxDepth: number): Json => atOnce(parsingExact(text, maxDepth))

/** An array or an object that has begun and not ended; `like` is what stood at its place in the row before. */
type Open =
  | { readonly items: Array<Json>; readonly members: undefined; readonly like: Json | undefined }
  | {
      readonly items: undefined
      readonly members: Record<string, Json>
      readonly like: Json | undefined
      key: string
      keys: number
    }

/** What may stand next, apart from space. */
type Next = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or close" | "end"

export function* parsingExact(text: string, maxDepth: number): Steps<Json> {
  const outer: Array<Open> = []
  let open: Open | undefined
  let next: Next = "value"
  let at = 0
  /** Where the next step ends. */
  let pause = stride
  let whole: Json = null
  const most = mostValues(text)
  let values = 0

  for (;;) {
    at = afterSpace(text, at)
    if (at >= pause) {
      pause = at + stride
      yield
      // There may be more space than one step goes through.
      continue
    }
    const sign = text[at]
    let value: Json
    if (next === "comma or close" && open !== undefined) {
      const isInArray = open.items !== undefined
      if (sign === ",") {
        at++
        next = isInArray ? "value" : "key"
        continue
      }
      if (sign !== (isInArray ? "]" : "}")) throw unexpected(isInArray ? '"," or "]"' : '"," or "}"', text, at)
      at++
      value = open.items === undefined ? open.members : fitted(open.items)
      open = outer.pop()
    } else if (next === "colon") {
      if (sign !== ":") throw unexpected('":"', text, at)
      at++
      next = "value"
      continue
    } else if (next === "end") {
      if (at < text.length) throw unexpected("the end of the text", text, at)
      return whole
    } else if (next === "value or ]" && sign === "]" && open?.items !== undefined) {
      at++
      value = open.items
      open = outer.pop()
    } else if (next === "key or }" && sign === "}" && open?.members !== undefined) {
      at++
      value = open.members
      open = outer.pop()
    } else if (sign === '"') {
      const start = at
      let end = text.indexOf('"', start + 1)
      while (end !== -1 && isEscaped(text, end)) {
        if (end >= pause) {
          pause = end + stride
          yield
        }
        end = text.indexOf('"', end + 1)
      }
      if (end === -1) throw unexpected('a closing "', text, text.length)
      at = end + 1
      const like = open?.members === undefined || next === "value" ? likeOf(open) : undefined
      const string: string | undefined = isSame(text, start + 1, end, like)
        ? like
        : at - start < longString
          ? decodeString(text, start, at)
          : yield* decodingString(text, start, at)
      if (string === undefined) throw unexpected("a string without control characters or bad escapes", text, start)
      if (open?.members !== undefined && next !== "value") {
        if (++open.keys > mostMembers) throw unexpected(`at most ${mostMembers} members of one object`, text, start)
        open.key = string
        next = "colon"
        continue
      }
      value = string
    } else if (next === "key" || next === "key or }") throw unexpected("a string", text, at)
    else if (sign === "{" || sign === "[") {
      if (outer.length + (open === undefined ? 0 : 1) >= maxDepth)
        throw unexpected(`at most ${maxDepth} nested arrays and objects`, text, at)
      const like = likeOf(open)
      if (open !== undefined) outer.push(open)
      open =
        sign === "["
          ? { items: [], members: undefined, like }
          : { items: undefined, members: {}, like, key: "", keys: 0 }
      next = sign === "[" ? "value or ]" : "key or }"
      at++
      continue
    } else {
      const end = endOfNumber(text, at)
      if (end > at) {
        value = numberFromText(text.slice(at, end))
        at = end
      } else {
        const literal = literals.find(([word]) => text.startsWith(word, at))
        if (literal === undefined) throw unexpected("a JSON value", text, at)
        value = literal[1]
        at += literal[0].length
      }
    }
    if (++values > most) throw unexpected(`at most ${most} values`, text, at)
    next = "comma or close"
    if (open === undefined) {
      whole = value
      next = "end"
    } else if (open.items !== undefined) open.items.push(value)
    else if (open.key !== "__proto__") open.members[open.key] = value
    // An assignment would set the prototype; this member stays data.
    else Object.defineProperty(open.members, open.key, { value, writable: true, enumerable: true, configurable: true })
  }
}

/**
 * What stands at the same place in the row before: rows of a result repeat many of their strings, such as the address and the
 * block of logs, and each of those is kept once.
 */
const likeOf = (open: Open | undefined): Json | undefined => {
  if (open === undefined) return undefined
  const { items, like } = open
  if (items === undefined) return isObject(like) && Object.hasOwn(like, open.key) ? like[open.key] : undefined
  return (isArray(like) ? like[items.length] : undefined) ?? items.at(-1)
}

/** Whether the characters from `start` to `end` are this string, and mean it: without an escape, or what needs one. */
const isSame = (text: string, start: number, end: number, like: Json | undefined): like is string =>
  typeof like === "string" && like.length === end - start && text.startsWith(like, start) && plain.test(like)

/** From a space on, all but the backslash. */
const plain = /^[ -[\]-\uffff]*$/

/**
 * Each takes some fifty bytes at least, and a text of 64 MiB could hold thirty million. A longer text, which only a user allows, may
 * have as many as are usual: a log has one for each fifty characters.
 */
export const mostValues = (text: string): number => Math.max(4_000_000, Math.floor(text.length / 16))

/** The names of an object are listed all at once. Those of a million take seconds, and nobody answers with so many. */
export const mostMembers = 200_000

const unexpected = (expected: string, text: string, offset: number): JsonSyntaxError => {
  const found = offset < text.length ? JSON.stringify(text[offset]) : "the end of the text"
  return new JsonSyntaxError(`Expected ${expected}, found ${found}`, offset)
}

/** An array that grew item by item has room for many more, which a million short ones cannot afford. */
const fitted = (items: ReadonlyArray<Json>): ReadonlyArray<Json> => (items.length < 16 ? items.slice() : items)

/** Behind the space at `start`, or behind as much of it as a step goes through. */
const afterSpace = (text: string, start: number): number => {
  const limit = start + stride
  let at = start
  for (; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
  }
  return at
}

/**
 * Where a number ends that begins at `start`; `start` when there is none. By hand, because the engine's regular expressions
 * keep a place to go back to for every digit of a long number.
 */
const endOfNumber = (text: string, start: number): number => {
  const first = text[start] === "-" ? start + 1 : start
  let end = text[first] === "0" ? first + 1 : afterDigits(text, first)
  if (end === first) return start
  if (text[end] === "." && isDigit(text.charCodeAt(end + 1))) end = afterDigits(text, end + 1)
  if (text[end] === "e" || text[end] === "E") {
    const power = text[end + 1] === "+" || text[end + 1] === "-" ? end + 2 : end + 1
    if (isDigit(text.charCodeAt(power))) end = afterDigits(text, power)
  }
  return end
}

const afterDigits = (text: string, start: number): number => {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const literals = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const

/** How much text a step goes through, in characters. */
const stride = 65_536
