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
  const widths = measure(pieces)
  const frames: Array<Frame> = []
  let written = ""
  let column = 0
  let lineIndent = 0
  let breakNext = false

  for (const [index, piece] of pieces.entries()) {
    const frame = frames.at(-1)
    const closes = isCloser(piece.kind)
    const before = pieces[index - 1]?.kind ?? Kind.ByteOrderMark
    if (before === Kind.ByteOrderMark) {
      lineIndent = indentOf(piece, frame)
      column = lineIndent
      written += " ".repeat(lineIndent)
    } else if (piece.breaks > 0 || breakNext || (closes && frame?.isBroken === true)) {
      const hugsBracket = closes || isOpener(before)
      lineIndent = indentOf(piece, frame)
      column = lineIndent
      written += lineBreak.repeat(piece.breaks > 1 && !hugsBracket ? 2 : 1) + " ".repeat(lineIndent)
    } else {
      const gap = piece.kind === Kind.Comment ? piece.blank || " " : piece.gap
      column += gap.length
      written += gap
    }
    breakNext = false
    if (closes) frames.pop()
    if (isOpener(piece.kind)) {
      const width = widths.get(index)
      const comma = pieces[(piece.closer ?? index) + 1]?.kind === Kind.Comma ? 1 : 0
      const isBroken = width !== undefined && column + width + comma > maximumWidth
      frames.push({ indent: lineIndent, isBroken })
      breakNext = isBroken
    } else if (piece.kind === Kind.Comma) {
      breakNext = frames.at(-1)?.isBroken === true
    }
    written += piece.text
    column = lastBreakIn(piece) < 0 ? column + piece.text.length : piece.text.length - lastBreakIn(piece) - 1
  }
  return written
}

/** A token with the white space before it; a string with templates is one piece. */
interface Piece {
  readonly kind: number
  readonly text: string
  /** How many line breaks the author put before it. */
  readonly breaks: number
  /** The blanks between it and what stands before it on its line. */
  readonly blank: string
  /** The white space that belongs before it when it does not begin a line. */
  readonly gap: string
  /** Whether the author's layout of this bracket may be changed: it is one of an array or object. */
  readonly isBreakable: boolean
  /** The index of the piece that closes this bracket. */
  closer?: number
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
    if (kind === Kind.Whitespace) {
      blank = text
      continue
    }
    if (kind === Kind.LineEnd || kind === Kind.Newline) {
      breaks++
      blank = ""
      continue
    }
    if (kind === Kind.StringOpen) {
      while (index + 1 < to && tokenKind(tokens, index) !== Kind.StringClose) text += tokenText(tokens, ++index)
    }
    const gap = isAfterUnary ? "" : gapBetween(before, kind)
    const isBreakable = kind === Kind.OpenBrace || (kind === Kind.OpenBracket && !isOperand(operand))
    pieces.push({ kind, text, breaks, blank, gap, isBreakable })
    isAfterUnary = isUnary(kind, operand)
    before = kind
    if (kind > Kind.LastTrivia) operand = kind
    breaks = 0
    blank = ""
  }
  return pieces
}

/** Links the brackets, and tells the width of each array and object that stands on one line. */
function measure(pieces: ReadonlyArray<Piece>): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  const open: Array<{ index: number; start: number; isFlat: boolean }> = []
  let width = 0
  for (const [index, piece] of pieces.entries()) {
    const around = open.at(-1)
    const breaksLine = piece.breaks > 0 || piece.kind === Kind.Comment || lastBreakIn(piece) >= 0
    if (around && breaksLine) around.isFlat = false
    width += piece.gap.length
    if (isOpener(piece.kind)) open.push({ index, start: width, isFlat: piece.isBreakable })
    width += piece.text.length
    const closed = isCloser(piece.kind) ? open.pop() : undefined
    if (!closed) continue
    const opener = pieces[closed.index]
    if (opener) opener.closer = index
    const parent = open.at(-1)
    if (closed.isFlat) widths.set(closed.index, width - closed.start)
    else if (parent && opener?.isBreakable) parent.isFlat = false
  }
  return widths
}

/** The index of the last line break in a piece; only a block comment has one. */
function lastBreakIn({ kind, text }: Piece): number {
  return kind === Kind.BlockComment ? Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) : -1
}

/** A line that begins with a closing bracket stands where the line of its opening bracket does. */
function indentOf(piece: Piece, frame: Frame | undefined): number {
  if (frame) return isCloser(piece.kind) ? frame.indent : frame.indent + indentation
  return piece.kind === Kind.Comment && piece.text.startsWith("###") ? indentation : 0
}

function isOpener(kind: number): boolean {
  return kind === Kind.OpenBracket || kind === Kind.OpenBrace || kind === Kind.OpenParen || kind === Kind.TemplateOpen
}

function isCloser(kind: number): boolean {
  return (
    kind === Kind.CloseBracket || kind === Kind.CloseBrace || kind === Kind.CloseParen || kind === Kind.TemplateClose
  )
}
