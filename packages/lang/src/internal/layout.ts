/** Lays out the tokens of a prelude or section that is free of syntax errors. */
import { tokenKind, tokenText } from "../Token.ts"
import type { TokenList } from "../Token.ts"
import * as Kind from "../TokenKind.ts"
import { gapBetween, isOperand, isUnary } from "./spacing.ts"

const maximumWidth = 100
const indentation = 2

/** Writes the tokens from `from` to `to` without line breaks at the start and the end. */
export function layOut(tokens: TokenList, from: number, to: number, lineBreak: string): string {
  const pieces = toPieces(tokens, from, to)
  const frames: Array<Frame> = []
  let written = ""
  let column = 0
  let indent = 0
  let breaksNext = false

  for (const [index, piece] of pieces.entries()) {
    const { kind, text, breaks, lastBreak } = piece
    const frame = frames.at(-1)
    const before = pieces[index - 1]?.kind ?? Kind.ByteOrderMark
    const isFirst = before === Kind.ByteOrderMark
    const closes = isCloser(kind)
    if (isFirst || breaks > 0 || breaksNext || (closes && frame?.isBroken)) {
      const keepsBlankLine = breaks > 1 && !closes && !isOpener(before)
      indent = indentOf(piece, frame)
      column = indent
      written += lineBreak.repeat(isFirst ? 0 : keepsBlankLine ? 2 : 1) + " ".repeat(indent)
    } else {
      column += piece.gap.length
      written += piece.gap
    }
    if (closes) frames.pop()
    if (isOpener(kind)) frames.push({ indent, isBroken: piece.isBreakable && isTooWide(pieces, index, column) })
    breaksNext = (isOpener(kind) || kind === Kind.Comma) && frames.at(-1)?.isBroken === true
    written += text
    column = lastBreak < 0 ? column + text.length : text.length - lastBreak - 1
  }
  return written
}

/** A token with the white space before it; a string with templates is one piece. */
interface Piece {
  readonly kind: number
  readonly text: string
  /** The index of the last line break in the text; only a block comment has one. */
  readonly lastBreak: number
  /** How many line breaks the author put before it. */
  readonly breaks: number
  /** The white space that belongs before it when it does not begin a line. */
  readonly gap: string
  /** Whether the author's layout of this bracket may be changed: it is one of an array or object. */
  readonly isBreakable: boolean
}

/** An open bracket: the indentation of the line it stands on, and whether it is to be broken over lines. */
interface Frame {
  readonly indent: number
  readonly isBroken: boolean
}

function toPieces(tokens: TokenList, from: number, to: number): ReadonlyArray<Piece> {
  const pieces: Array<Piece> = []
  let breaks = 0
  let blank = ""
  let before = 0
  let operand = 0
  let isAfterUnary = false
  for (let index = from; index < to; index++) {
    const kind = tokenKind(tokens, index)
    let text = tokenText(tokens, index)
    if (kind === Kind.Whitespace) blank = text
    else if (kind === Kind.LineEnd || kind === Kind.Newline) {
      breaks++
      blank = ""
    } else {
      if (kind === Kind.StringOpen) {
        while (index + 1 < to && tokenKind(tokens, index) !== Kind.StringClose) text += tokenText(tokens, ++index)
      }
      const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"))
      const gap = kind === Kind.Comment ? blank || " " : isAfterUnary ? "" : gapBetween(before, kind)
      const isBreakable = kind === Kind.OpenBrace || (kind === Kind.OpenBracket && !isOperand(operand))
      pieces.push({ kind, text, lastBreak, breaks, gap, isBreakable })
      isAfterUnary = isUnary(kind, operand)
      before = kind
      if (kind > Kind.LastTrivia) operand = kind
      breaks = 0
      blank = ""
    }
  }
  return pieces
}

/** Whether a bracket that begins at a column stands on one line, and that line is too long. */
function isTooWide(pieces: ReadonlyArray<Piece>, opening: number, column: number): boolean {
  let end = column
  let depth = 0
  for (let index = opening; ; index++) {
    const piece = pieces[index]
    if (piece === undefined) return false
    const { kind, text, gap } = piece
    const isInside = index > opening
    if (isInside && (piece.breaks > 0 || kind === Kind.Comment || piece.lastBreak >= 0)) return false
    if (isOpener(kind)) depth++
    if (isCloser(kind)) depth--
    end += text.length + (isInside ? gap.length : 0)
    if (depth === 0) return end + (pieces[index + 1]?.kind === Kind.Comma ? 1 : 0) > maximumWidth
  }
}

/** A line that begins with a closing bracket stands where the line of its opening bracket does. */
function indentOf(piece: Piece, frame: Frame | undefined): number {
  if (frame) return isCloser(piece.kind) ? frame.indent : frame.indent + indentation
  return piece.kind === Kind.Comment && piece.text.startsWith("###") ? indentation : 0
}

function isOpener(kind: number): boolean {
  return kind >= Kind.OpenBrace && kind <= Kind.OpenParen
}

function isCloser(kind: number): boolean {
  return kind >= Kind.CloseBrace && kind <= Kind.CloseParen
}
