/** Scans what looks the same everywhere: names, numbers, brackets and operators. */
import * as Kind from "../TokenKind.ts"
import * as char from "./characters.ts"
import { codeAt, isDigit, isHexDigit, isLineBreak, isMeaningful, isNamePart, isNameStart } from "./characters.ts"
import { emit } from "./sink.ts"
import type { Sink } from "./sink.ts"

const lowerCase = 32
const letterE = 101
const letterX = 120

/** Emits the one token that starts at `position` with the character `code`, and tells its kind. */
export function scanAtom(sink: Sink, code: number): number {
  const { text, position } = sink
  const symbol = code < 128 ? (loneSymbols[code] ?? 0) : 0
  if (symbol !== 0) return finish(sink, symbol, position + 1)
  if (isNameStart(code) || code === char.dollar) return finish(sink, Kind.Name, nameEnd(text, position + 1))
  if (isDigit(code)) return scanNumber(sink)
  if (code === char.singleQuote) return scanSingleQuoted(sink)
  return scanOperator(sink, code)
}

/** The end of a name, or of the rest of one, that starts at an offset. */
export function nameEnd(text: string, start: number): number {
  let end = start
  while (isNamePart(codeAt(text, end))) end++
  return end
}

function finish(sink: Sink, kind: number, end: number): number {
  emit(sink, kind, end)
  return kind
}

function scanNumber(sink: Sink): number {
  const { text, position } = sink
  const isHex = text.charCodeAt(position) === char.zero && (codeAt(text, position + 1) | lowerCase) === letterX
  const end = isHex ? hexEnd(text, position + 2) : decimalEnd(text, position)
  const last = nameEnd(text, end)
  if (last > end || isMalformed(text, position, end)) return finish(sink, Kind.MalformedNumber, last)
  return finish(sink, isHex ? Kind.Hex : Kind.Number, end)
}

/** `007`, `0X1F` and `1.` look like numbers and are none. */
function isMalformed(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end - 1) === char.dot) return true
  if (text.charCodeAt(start) !== char.zero || end - start < 2) return false
  const second = text.charCodeAt(start + 1)
  return isDigit(second) || second === letterX - lowerCase
}

function hexEnd(text: string, start: number): number {
  let end = start
  while (isHexDigit(codeAt(text, end))) end++
  return end
}

function decimalEnd(text: string, start: number): number {
  let end = digitsEnd(text, start)
  if (codeAt(text, end) === char.dot && !isNameStart(codeAt(text, end + 1))) end = digitsEnd(text, end + 1)
  if ((codeAt(text, end) | lowerCase) !== letterE) return end
  const sign = codeAt(text, end + 1)
  const exponent = sign === char.plus || sign === char.minus ? end + 2 : end + 1
  return isDigit(codeAt(text, exponent)) ? digitsEnd(text, exponent) : end
}

function digitsEnd(text: string, start: number): number {
  let end = start
  while (isDigit(codeAt(text, end))) end++
  return end
}

function scanSingleQuoted(sink: Sink): number {
  const { text, limit, position } = sink
  let end = position + 1
  while (end < limit && text.charCodeAt(end) !== char.singleQuote && !isLineBreak(text.charCodeAt(end))) end++
  const isClosed = end < limit && text.charCodeAt(end) === char.singleQuote
  return isClosed ? finish(sink, Kind.SingleQuoted, end + 1) : finish(sink, Kind.Unknown, position + 1)
}

function scanOperator(sink: Sink, code: number): number {
  const { text, position } = sink
  const next = codeAt(text, position + 1)
  const isForeign = next === char.equals && codeAt(text, position + 2) === char.equals
  if (isForeign && (code === char.exclamation || code === char.equals)) {
    return finish(sink, Kind.ForeignOperator, position + 3)
  }
  const pair = pairKind(code, next)
  if (pair !== Kind.Unknown) return finish(sink, pair, position + 2)
  const kind = singleKind(code)
  return finish(sink, kind, kind === Kind.Unknown ? unknownEnd(sink) : position + 1)
}

function pairKind(code: number, next: number): number {
  if (code === char.ampersand && next === char.ampersand) return Kind.And
  if (code === char.bar && next === char.bar) return Kind.Or
  if (next !== char.equals) return Kind.Unknown
  if (code === char.equals) return Kind.Equal
  if (code === char.exclamation) return Kind.NotEqual
  if (code === char.less) return Kind.LessOrEqual
  return code === char.greater ? Kind.GreaterOrEqual : Kind.Unknown
}

function singleKind(code: number): number {
  switch (code) {
    case char.exclamation:
      return Kind.Not
    case char.less:
      return Kind.Less
    case char.equals:
      return Kind.Assign
    case char.greater:
      return Kind.Greater
    case char.ampersand:
    case char.bar:
      return Kind.ForeignOperator
    default:
      return Kind.Unknown
  }
}

function unknownEnd(sink: Sink): number {
  let end = sink.position + 1
  while (end < sink.limit && !isMeaningful(sink.text.charCodeAt(end))) end++
  return end
}

/** The kinds of symbols that are a token whatever follows them, by character. */
const loneSymbols = new Uint8Array(128)
for (const [code, kind] of [
  [char.percent, Kind.Percent],
  [char.openParen, Kind.OpenParen],
  [char.closeParen, Kind.CloseParen],
  [char.star, Kind.Star],
  [char.plus, Kind.Plus],
  [char.comma, Kind.Comma],
  [char.minus, Kind.Minus],
  [char.dot, Kind.Dot],
  [char.slash, Kind.Slash],
  [char.colon, Kind.Colon],
  [char.openBracket, Kind.OpenBracket],
  [char.closeBracket, Kind.CloseBracket],
  [char.openBrace, Kind.OpenBrace],
  [char.closeBrace, Kind.CloseBrace],
] as const) {
  loneSymbols[code] = kind
}
