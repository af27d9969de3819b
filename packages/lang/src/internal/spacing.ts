/** The white space between two tokens on one line. */
import * as Kind from "../TokenKind.ts"

/** What belongs between a token and the one before it; a unary operator and its operand are the caller's exception. */
export function gapBetween(before: number, kind: number): "" | " " {
  if (clingsToPrevious(kind) || clingsToNext(before)) return ""
  if (kind === Kind.CloseBrace) return before === Kind.OpenBrace ? "" : " "
  if (kind === Kind.OpenParen) return before === Kind.Name ? "" : " "
  if (kind === Kind.OpenBracket) return isOperand(before) ? "" : " "
  return " "
}

/** Whether a `-` or `!` stands before its only operand; `operand` is the token before it that is not trivia. */
export function isUnary(kind: number, operand: number): boolean {
  return kind === Kind.Not || (kind === Kind.Minus && !isOperand(operand))
}

/** Whether a token can be the left side of an operator or of an index. */
export function isOperand(kind: number): boolean {
  switch (kind) {
    case Kind.Name:
    case Kind.Number:
    case Kind.Hex:
    case Kind.String:
    case Kind.EscapedString:
    case Kind.StringOpen:
    case Kind.CloseBracket:
    case Kind.CloseParen:
    case Kind.TemplateClose:
      return true
    default:
      return false
  }
}

function clingsToPrevious(kind: number): boolean {
  switch (kind) {
    case Kind.Comma:
    case Kind.Colon:
    case Kind.Dot:
    case Kind.CloseBracket:
    case Kind.CloseParen:
    case Kind.TemplateClose:
    case Kind.DirectiveName:
      return true
    default:
      return false
  }
}

function clingsToNext(kind: number): boolean {
  switch (kind) {
    case Kind.OpenBracket:
    case Kind.OpenParen:
    case Kind.TemplateOpen:
    case Kind.Dot:
    case Kind.VariableMark:
    case Kind.ByteOrderMark:
      return true
    default:
      return false
  }
}
