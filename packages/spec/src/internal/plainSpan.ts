/**
 * How far `JSON.parse` can be trusted with a text: up to a number that could change (sixteen digits or more, a fraction, an
 * exponent, or a minus zero), or to what goes beyond one of the limits. A quick look, five times as fast as a regular
 * expression: strings, which are most of a large reply, are skipped by the engine's own search.
 *
 * Invariant: `isPlain` means that `JSON.parse` keeps every number and stays within the limits, or that the text is not JSON.
 * The contrary only costs time.
 */
export interface Span {
  /** The array or object that begins here is whole, and `JSON.parse` may have it. */
  readonly isPlain: boolean
  /** Where it ends, or where that was seen or not seen by. */
  readonly end: number
  /** One for each array or object and each comma: about as many as it has values. */
  readonly values: number
}

/** Looks from `start` on, and no further than `limit`. */
export const plainSpan = (text: string, { depth, members, values }: JsonLimits, start = 0, limit?: number): Span => {
  const last = limit ?? text.length
  let open = 0
  /** How many members each of the open objects has so far, the outermost first. */
  const names: Array<number> = [0]
  let read = 0
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at === -1) return { isPlain: false, end: last, values: read }
    } else if (code <= nine && code >= minus) {
      if (code === minus ? text.charCodeAt(at + 1) === zero : isRisky(text, at))
        return { isPlain: false, end: at, values: read }
    } else if (code === openBracket || code === openBrace) {
      if (++open > depth || ++read > values) return { isPlain: false, end: at, values: read }
      names[open] = 0
    } else if (code === closeBracket || code === closeBrace) {
      if (--open <= 0) return { isPlain: true, end: at + 1, values: read }
    } else if (code === comma) {
      if (++read > values) return { isPlain: false, end: at, values: read }
    } else if (code === colon && ++(names[open] as number) > members) return { isPlain: false, end: at, values: read }
  }
  return { isPlain: open === 0, end: last, values: read }
}

/** What a text of JSON may have: nested arrays and objects, members of one object, values in all. */
export interface JsonLimits {
  readonly depth: number
  readonly members: number
  readonly values: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Where the closing quote stands of the string that begins at `start`; -1 when there is none. Looking for a backslash in the
 * whole text first would be no gain: V8 may move such a search into the loop that uses its result, which then takes minutes.
 */
export const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

export const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

/** Of the first digit of a number: whether sixteen follow each other, or a fraction or an exponent comes. Shorter integers are below 2^53. */
const isRisky = (text: string, start: number): boolean => {
  for (let at = start; at < start + 16; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x2e || code === 0x65 || code === 0x45) return true
    if (!(code >= zero && code <= nine)) return false
  }
  return true
}
