/**
 * Whether `JSON.parse` is not to be trusted with a text: it holds a number that could change (sixteen digits or more, a
 * fraction, an exponent, or a minus zero), or is nested deeper than `depth`. A quick look, five times as fast as a regular
 * expression: strings, which are most of a large reply, are skipped by the engine's own search.
 *
 * Invariant: `false` means that `JSON.parse` keeps every number and goes no deeper, or that the text is not JSON. `true` only
 * costs time.
 */
export const needsExactReader = (text: string, depth: number): boolean => {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (end === -1) return false
      // No number stands right after a string, so that its neighbour is passed over as well.
      at = end + 1
    } else if (code <= nine && code >= minus) {
      if (code === minus ? text.charCodeAt(at + 1) === zero : isRisky(text, at)) return true
    } else if (code === openBracket || code === openBrace) {
      if (++open > depth) return true
    } else if (code === closeBracket || code === closeBrace) open--
  }
  return false
}

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Where the closing quote stands; -1 when there is none. Looking for a backslash in the whole text first would be no
 * gain: V8 may move such a search into the loop that uses its result, which then takes minutes.
 */
const endOfString = (text: string, start: number): number => {
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
