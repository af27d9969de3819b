/** Scans what looks the same everywhere: names, numbers, brackets and operators. */
import * as Kind from "../TokenKind.ts"
import * as char from "./characters.ts"
import { isDigit, isHexDigit, isLineBreak, isMeaningful, isNamePart, isNameStart } from "./characters.ts"

const lowerCase = 32
const letterE = 101
const letterX = 120

/** Takes the kind and the end of one token. */
export type Emit = (kind: number, end: number) => void

/** Emits the one token that starts at an offset. */
export function scanAtom(text: string, start: number, emit: Emit): void {
  const code = text.charCodeAt(start)
  if (isNameStart(code) || code === char.dollar) emit(Kind.Name, nameEnd(text, start + 1))
  else if (isDigit(code)) scanNumber(text, start, emit)
  else if (code === char.singleQuote) scanSingleQuoted(text, start, emit)
  else scanSymbol(text, start, emit)
}

/** The end of a name, or of the rest of one, that starts at an offset. */
export function nameEnd(text: string, start: number): number {
  let end = start
  while (isNamePart(text.charCodeAt(end))) end++
  return end
}

function scanNumber(text: string, start: number, emit: Emit): void {
  const isHex = text.charCodeAt(start) === char.zero && (text.charCodeAt(start + 1) | lowerCase) === letterX
  const end = isHex ? hexEnd(text, start + 2) : decimalEnd(text, start)
  const last = nameEnd(text, end)
  if (last > end || isMalformed(text, start, end)) emit(Kind.MalformedNumber, last)
  else emit(isHex ? Kind.Hex : Kind.Number, end)
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
  while (isHexDigit(text.charCodeAt(end))) end++
  return end
}

function decimalEnd(text: string, start: number): number {
  let end = digitsEnd(text, start)
  if (text.charCodeAt(end) === char.dot && !isNameStart(text.charCodeAt(end + 1))) end = digitsEnd(text, end + 1)
  if ((text.charCodeAt(end) | lowerCase) !== letterE) return end
  const sign = text.charCodeAt(end + 1)
  const exponent = sign === char.plus || sign === char.minus ? end + 2 : end + 1
  return isDigit(text.charCodeAt(exponent)) ? digitsEnd(text, exponent) : end
}

function digitsEnd(text: string, start: number): number {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return end
}

function scanSingleQuoted(text: string, start: number, emit: Emit): void {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== char.singleQuote && !isLineBreak(text.charCodeAt(end))) end++
  if (text.charCodeAt(end) === char.singleQuote) emit(Kind.SingleQuoted, end + 1)
  else emit(Kind.Unknown, start + 1)
}

function scanSymbol(text: string, start: number, emit: Emit): void {
  const code = text.charCodeAt(start)
  const next = text.charCodeAt(start + 1)
  const isForeign = next === char.equals && text.charCodeAt(start + 2) === char.equals
  if (isForeign && (code === char.exclamation || code === char.equals)) return emit(Kind.ForeignOperator, start + 3)
  const pair = pairKind(code, next)
  if (pair !== Kind.Unknown) return emit(pair, start + 2)
  const kind = symbolKinds[code] ?? Kind.Unknown
  emit(kind, kind === Kind.Unknown ? unknownEnd(text, start + 1) : start + 1)
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

function unknownEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && !isMeaningful(text.charCodeAt(end))) end++
  return end
}

const symbolKinds: Readonly<Record<number, number>> = {
  [char.exclamation]: Kind.Not,
  [char.percent]: Kind.Percent,
  [char.ampersand]: Kind.ForeignOperator,
  [char.openParen]: Kind.OpenParen,
  [char.closeParen]: Kind.CloseParen,
  [char.star]: Kind.Star,
  [char.plus]: Kind.Plus,
  [char.comma]: Kind.Comma,
  [char.minus]: Kind.Minus,
  [char.dot]: Kind.Dot,
  [char.slash]: Kind.Slash,
  [char.colon]: Kind.Colon,
  [char.less]: Kind.Less,
  [char.equals]: Kind.Assign,
  [char.greater]: Kind.Greater,
  [char.openBracket]: Kind.OpenBracket,
  [char.closeBracket]: Kind.CloseBracket,
  [char.openBrace]: Kind.OpenBrace,
  [char.bar]: Kind.ForeignOperator,
  [char.closeBrace]: Kind.CloseBrace,
}
