/** Scans what looks the same everywhere: names, numbers, brackets and operators. */
import * as Kind from "../TokenKind.ts"
import * as char from "./characters.ts"
import { codeAt, isOf, runEnd } from "./characters.ts"
import { emit } from "./sink.ts"
import type { Sink } from "./sink.ts"

const lowerCase = 32
const letterE = 101
const letterX = 120

/** Emits the one token that starts at `position` with the character `code`, and returns its kind. */
export function scanAtom(sink: Sink, code: number): number {
  const { text, position } = sink
  const symbol = code < 128 ? (symbols[code] ?? 0) : 0
  if (symbol !== 0) return symbol < Kind.Assign ? finish(sink, symbol, position + 1) : scanOperator(sink, code, symbol)
  if (isOf(char.nameStart, code) || code === char.dollar) return finish(sink, Kind.Name, nameEnd(text, position + 1))
  if (isOf(char.digit, code)) return scanNumber(sink)
  otherToken.lastIndex = position
  const [source = "", quoted, open] = otherToken.exec(text) ?? []
  const kind = quoted !== undefined ? Kind.SingleQuoted : open === undefined ? Kind.Unknown : Kind.UnterminatedString
  return finish(sink, kind, position + source.length)
}

/** The end of a name, or of the rest of one, that starts at an offset. */
export function nameEnd(text: string, start: number): number {
  return runEnd(char.namePart, text, start)
}

function finish(sink: Sink, kind: number, end: number): number {
  emit(sink, kind, end)
  return kind
}

function scanNumber(sink: Sink): number {
  const { text, position } = sink
  const isHex = (codeAt(text, position + 1) | lowerCase) === letterX && text.charCodeAt(position) === char.zero
  const end = isHex ? runEnd(char.hexDigit, text, position + 2) : decimalEnd(text, position)
  const last = nameEnd(text, end)
  if (last > end || isMalformed(text, position, end)) return finish(sink, Kind.MalformedNumber, last)
  return finish(sink, isHex ? Kind.Hex : Kind.Number, end)
}

/** The end of a number in JSON's notation. A dot before a name is not part of it. */
function decimalEnd(text: string, start: number): number {
  let end = runEnd(char.digit, text, start)
  if (codeAt(text, end) === char.dot && !isOf(char.nameStart, codeAt(text, end + 1))) {
    end = runEnd(char.digit, text, end + 1)
  }
  if ((codeAt(text, end) | lowerCase) !== letterE) return end
  const sign = codeAt(text, end + 1)
  const exponent = sign === char.plus || sign === char.minus ? end + 2 : end + 1
  const last = runEnd(char.digit, text, exponent)
  return last > exponent ? last : end
}

/** `007`, `0X1F` and `1.` look like numbers and are none. */
function isMalformed(text: string, start: number, end: number): boolean {
  const second = text.charCodeAt(start + 1)
  const hasLeadingZero = text.charCodeAt(start) === char.zero && end > start + 1
  if (hasLeadingZero && (isOf(char.digit, second) || second === letterX - lowerCase)) return true
  return text.charCodeAt(end - 1) === char.dot
}

/**
 * A text in single or curly quotes, the beginning of one that its line does not close, or any character with those behind
 * it that no token begins with.
 */
const otherToken =
  /('[^'\r\n]*'|[‘’‚][^‘’\r\n]*[‘’]|[“”„][^"“”\r\n]*["“”])|(['‘‚“„][^"\r\n]*)|[^][^\t\n\r -:<-[\]_a-}‘’‚“”„]*/y

/** Scans an operator of one character, or the pair or the foreign operator that it begins. */
function scanOperator(sink: Sink, code: number, symbol: number): number {
  const { text, position } = sink
  const pair = pairs[code] ?? 0
  if (pair === 0 || codeAt(text, position + 1) !== (pair < Kind.And ? char.equals : code)) {
    return finish(sink, symbol, position + 1)
  }
  const isForeign = pair <= Kind.NotEqual && codeAt(text, position + 2) === char.equals
  return isForeign ? finish(sink, Kind.ForeignOperator, position + 3) : finish(sink, pair, position + 2)
}

/** The kinds of single characters. Templates have two, and are not scanned here. */
const symbols = kindsFrom(Kind.OpenBrace, "{ [(} ]),:.=+-*/%!<>&")
symbols[char.bar] = Kind.ForeignOperator

/** The kinds of pairs by their first character: `&` and `|` are doubled, the others are followed by `=`. */
const pairs = kindsFrom(Kind.Equal, "=!<>&|")

/** A table by character codes of kinds that follow each other. */
function kindsFrom(first: number, characters: string): Uint8Array {
  const kinds = new Uint8Array(128)
  for (let index = 0; index < characters.length; index++) kinds[characters.charCodeAt(index)] = first + index
  return kinds
}
