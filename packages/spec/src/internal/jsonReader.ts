/**
 * A strict JSON reader that takes its text in pieces and keeps nothing but the values. It hands every number's text to
 * `numberFromText`; rows in which no number could change are left to `JSON.parse`, each by itself.
 *
 * Invariants: the value, or the error and its place, is the same wherever the text is cut into pieces. The time grows with the
 * length of the text, whatever the text is.
 */
import { isArray, isObject, type Json, JsonNumber, JsonSyntaxError, numberFromText } from "./jsonValue.ts"
import { endOfString, isEscaped, plainSpan } from "./plainSpan.ts"

/** Reads JSON in pieces. */
export interface JsonReader {
  /** Reads the next piece. Throws {@link JsonSyntaxError} at what is not JSON, and cannot be used after that. */
  readonly add: (piece: string) => void
  /** The value that the pieces together are. Throws {@link JsonSyntaxError} where they are less than one. */
  readonly end: () => Json
}

/** An array or an object that has begun and not ended; `like` is the value at its place in the row before. */
type Open =
  | { readonly items: Array<Json>; readonly members: undefined; readonly like: Json | undefined }
  | {
      readonly items: undefined
      readonly members: Record<string, Json>
      readonly like: Json | undefined
      key: string
      keys: number
    }

interface Unended {
  readonly start: number
  said: Array<string> | undefined
  length: number
}

/** What may come next, apart from space. */
type Next = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or close" | "end"

export const jsonReader = (maxDepth: number): JsonReader => new Reader(maxDepth)

/** Each step reads what {@link Next} says, and says what may come after it. */
class Reader implements JsonReader {
  readonly #maxDepth: number
  readonly #outer: Array<Open> = []
  #open: Open | undefined
  #next: Next = "value"
  #whole: Json = null
  #values = 0
  /** What is being read, how far, and how many characters came before it. */
  #text = ""
  #at = 0
  #before = 0
  #isLast = false
  /** What was not read, because it may go on: a number, a word, or an escape. */
  #rest: Array<string> = []
  /** A string whose end has not come: where it began, and what it says so far; nothing, where that is not a string of JSON. */
  #string: Unended | undefined
  /** A row that begins before this place cannot be left to `JSON.parse`. */
  #plainFrom = 0

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  readonly add = (piece: string): void => {
    this.#rest.push(piece)
    // A number may have any length, and is put together once.
    if (this.#rest.length > 1 && this.#string === undefined && endOfWord(piece, 0) === piece.length) return
    this.#text = this.#rest.length > 1 ? this.#rest.join("") : piece
    this.#readOn()
    this.#rest = this.#at < this.#text.length ? [this.#text.slice(this.#at)] : []
    this.#before += this.#at
    this.#at = 0
  }

  readonly end = (): Json => {
    this.#isLast = true
    this.#text = this.#rest.join("")
    this.#readOn()
    return this.#whole
  }

  #unexpected(expected: string, start = this.#at): JsonSyntaxError {
    const found = start < this.#text.length ? JSON.stringify(this.#text[start]) : "the end of the text"
    return new JsonSyntaxError(`Expected ${expected}, found ${found}`, this.#before + start, this.#isLast)
  }

  #readOn(): void {
    for (;;) {
      if (this.#string !== undefined) {
        if (!this.#endString(this.#string)) return
        continue
      }
      this.#at = afterSpace(this.#text, this.#at)
      const sign = this.#text[this.#at]
      if ((sign === undefined && !this.#isLast) || !this.#step(sign)) return
    }
  }

  /** False when there is nothing more to read yet. */
  #step(sign: string | undefined): boolean {
    switch (this.#next) {
      case "end":
        if (sign === undefined) return false
        throw this.#unexpected("the end of the text")
      case "colon":
        if (sign !== ":") throw this.#unexpected('":"')
        this.#at++
        this.#next = "value"
        return true
      case "comma or close":
        this.#afterValue(sign, this.#open?.items !== undefined)
        return true
      case "key":
      case "key or }":
        if (sign === '"') return this.#readString()
        if (sign !== "}" || this.#next === "key") throw this.#unexpected("a string")
        this.#close()
        return true
      case "value":
      case "value or ]":
        if (sign === '"') return this.#readString()
        if (sign === "]" && this.#next === "value or ]") this.#close()
        else if (sign !== "{" && sign !== "[") return this.#readWord()
        else if (!this.#readPlain()) this.#begin(sign)
        return true
    }
  }

  #afterValue(sign: string | undefined, isInArray: boolean): void {
    if (sign === ",") {
      this.#count()
      this.#at++
      this.#next = isInArray ? "value" : "key"
    } else if (sign === (isInArray ? "]" : "}")) this.#close()
    else throw this.#unexpected(isInArray ? '"," or "]"' : '"," or "}"')
  }

  #count(): void {
    const most = mostValues(this.#before + this.#at)
    if (++this.#values > most) throw this.#unexpected(`at most ${most} values`)
  }

  #place(value: Json): void {
    const open = this.#open
    this.#next = "comma or close"
    if (open === undefined) {
      this.#whole = value
      this.#next = "end"
    } else if (open.items !== undefined) open.items.push(value)
    else if (open.key !== "__proto__") open.members[open.key] = value
    // An assignment would set the prototype; this member stays data.
    else Object.defineProperty(open.members, open.key, { value, writable: true, enumerable: true, configurable: true })
  }

  #begin(sign: "{" | "["): void {
    if (this.#outer.length + (this.#open === undefined ? 0 : 1) >= this.#maxDepth)
      throw this.#unexpected(`at most ${this.#maxDepth} nested arrays and objects`)
    this.#count()
    const like = likeOf(this.#open)
    if (this.#open !== undefined) this.#outer.push(this.#open)
    this.#open =
      sign === "[" ? { items: [], members: undefined, like } : { items: undefined, members: {}, like, key: "", keys: 0 }
    this.#next = sign === "[" ? "value or ]" : "key or }"
    this.#at++
  }

  #close(): void {
    const closed = this.#open
    this.#at++
    this.#open = this.#outer.pop()
    if (closed !== undefined) this.#place(closed.items === undefined ? closed.members : fitted(closed.items))
  }

  /** Reads a row at once, where it is short, all there, and left to `JSON.parse`. What was looked at is not looked at again. */
  #readPlain(): boolean {
    const [text, at, start] = [this.#text, this.#at, this.#before + this.#at]
    if (start < this.#plainFrom) return false
    const depth = this.#maxDepth - this.#outer.length - (this.#open === undefined ? 0 : 1)
    const limits = { depth, members: mostMembers, values: mostValues(start) - this.#values }
    const span = plainSpan(text, limits, at, Math.min(text.length, at + longestRow))
    this.#plainFrom = this.#before + span.end
    if (!span.isPlain) return false
    let value: Json
    try {
      value = JSON.parse(text.slice(at, span.end)) as Json
    } catch {
      // Where and why is said when its parts are read.
      return false
    }
    this.#at = span.end
    this.#values += span.values
    this.#place(sharing(value, likeOf(this.#open)))
    return true
  }

  /** False when its end has not come. */
  #readString(): boolean {
    const [text, start] = [this.#text, this.#at]
    const end = endOfString(text, start)
    if (end === -1) {
      this.#at++
      this.#string = { start: this.#before + start, said: [], length: 0 }
      return this.#endString(this.#string)
    }
    const like = this.#isKey() ? undefined : likeOf(this.#open)
    const said = isSame(text, start + 1, end, like) ? like : decodeString(text.slice(start, end + 1))
    if (said === undefined) throw notString(this.#before + start)
    this.#at = end + 1
    this.#takeString(said, this.#before + start)
    return true
  }

  /** Reads a string to its end, or as far as it has come, up to an escape that may go on. */
  #endString(unended: Unended): boolean {
    const text = this.#text
    const end = endOfString(text, this.#at - 1)
    if (end === -1 && this.#isLast) throw this.#unexpected('a closing "', text.length)
    const cut = end === -1 ? beforeEscape(text, this.#at) : end
    const said = decodeString(`"${text.slice(this.#at, cut)}"`)
    if (said === undefined) unended.said = undefined
    else unended.said?.push(said)
    unended.length += said?.length ?? 0
    if (unended.length > longestString)
      throw new JsonSyntaxError(`Expected a string of at most ${longestString} characters`, unended.start)
    this.#at = cut
    if (end === -1) return false
    if (unended.said === undefined) throw notString(unended.start)
    this.#at++
    this.#string = undefined
    this.#takeString(unended.said.join(""), unended.start)
    return true
  }

  #isKey(): boolean {
    return this.#next === "key" || this.#next === "key or }"
  }

  #takeString(said: string, start: number): void {
    const open = this.#open
    if (open?.members === undefined || !this.#isKey()) return this.#place(said)
    if (++open.keys > mostMembers)
      throw new JsonSyntaxError(`Expected at most ${mostMembers} members of one object, found "\\""`, start)
    open.key = said
    this.#next = "colon"
  }

  /** Reads a number, or `true`, `false` or `null`. False when it may go on. */
  #readWord(): boolean {
    const [text, at] = [this.#text, this.#at]
    if (!this.#isLast && endOfWord(text, at) === text.length) return false
    const end = endOfNumber(text, at)
    const literal = end > at ? undefined : literals.find(([word]) => text.startsWith(word, at))
    if (end > at) {
      const number = numberFromText(text.slice(at, end))
      this.#at = end
      // The part of a text that it was cut from would be kept with it.
      this.#place(number instanceof JsonNumber ? new JsonNumber(JSON.parse(`"${number.text}"`) as string) : number)
    } else if (literal === undefined) throw this.#unexpected("a JSON value")
    else {
      this.#at += literal[0].length
      this.#place(literal[1])
    }
    return true
  }
}

const notString = (start: number): JsonSyntaxError =>
  new JsonSyntaxError('Expected a string without control characters or bad escapes, found "\\""', start)

/**
 * What stands at the same place in the row before: rows of a result repeat many of their strings, such as the address and the
 * block of logs, and each of those is kept once.
 */
const likeOf = (open: Open | undefined): Json | undefined => {
  if (open === undefined) return undefined
  return open.items === undefined ? memberOf(open.like, open.key) : itemLike(open.items, open.items.length, open.like)
}

const memberOf = (like: Json | undefined, key: string): Json | undefined =>
  isObject(like) && Object.hasOwn(like, key) ? like[key] : undefined

const itemLike = (items: ReadonlyArray<Json>, index: number, like: Json | undefined): Json | undefined =>
  (isArray(like) ? like[index] : undefined) ?? items[index - 1]

/** The value, which nothing else refers to yet, with those of its strings that the row before has as well. */
const sharing = (value: Json, like: Json | undefined): Json => {
  if (typeof value === "string") return value === like ? like : value
  if (isArray(value)) {
    const items = value as Array<Json>
    for (let index = 0; index < items.length; index++)
      items[index] = sharing(items[index] as Json, itemLike(items, index, like))
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, Json>
    for (const key in members) {
      const member = members[key] as Json
      const other = memberOf(like, key)
      if (typeof member === "object") sharing(member, other)
      else if (typeof member === "string" && member === other) members[key] = other
    }
  }
  return value
}

/** Whether the characters from `start` to `end` are this string, and mean it: without an escape, or what needs one. */
const isSame = (text: string, start: number, end: number, like: Json | undefined): like is string =>
  typeof like === "string" && like.length === end - start && text.startsWith(like, start) && plain.test(like)

/** From a space on, all but the backslash. */
const plain = /^[ -[\]-\uffff]*$/

/** What a string of JSON says; `undefined` where it is not one. */
const decodeString = (text: string): string | undefined => {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

/** The end of a text within a string, or where an escape begins before it that may go on. */
const beforeEscape = (text: string, start: number): number => {
  const last = text.lastIndexOf("\\")
  if (last < start || isEscaped(text, last)) return text.length
  const length = text[last + 1] === "u" ? 6 : 2
  return last + length > text.length ? last : text.length
}

/**
 * Each takes some fifty bytes at least, and a text of 64 MiB could hold thirty million. A longer text, which only a user allows, may
 * have as many as are usual: a log has one for each fifty characters. Beginnings and commas are counted, up to this place.
 */
const mostValues = (place: number): number => Math.max(usualValues, Math.floor(place / 16))

export const usualValues = 4_000_000

/** The names of an object are listed all at once. Those of a million take seconds, and nobody answers with so many. */
export const mostMembers = 200_000

/** JavaScript has no strings that are much longer. */
const longestString = 500_000_000

/** How many characters a row may have that is left to `JSON.parse`. */
const longestRow = 16_384

/** An array that grew item by item has room for many more, which a million short ones cannot afford. */
const fitted = (items: ReadonlyArray<Json>): ReadonlyArray<Json> => (items.length < 16 ? items.slice() : items)

const afterSpace = (text: string, start: number): number => {
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
  }
  return at
}

/** Where the letters, digits and signs end that a number or a word is of. */
const endOfWord = (text: string, start: number): number => {
  let end = start
  while (isOfWord(text.charCodeAt(end))) end++
  return end
}

const isOfWord = (code: number): boolean =>
  isDigit(code) || isLetter(code) || code === 0x2b || code === 0x2d || code === 0x2e

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

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
