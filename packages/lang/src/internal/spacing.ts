/** The white space between two tokens on one line. */
import * as Kind from "../TokenKind.ts"

/** What belongs between a token and the one before it; a unary operator and its operand are the caller's exception. */
export function gapBetween(before: number, kind: number): "" | " " {
  const touchesPrevious = (kind >= Kind.TemplateClose && kind <= Kind.Dot) || kind === Kind.DirectiveName
  const touchesNext =
    (before >= Kind.TemplateOpen && before <= Kind.OpenParen) ||
    before === Kind.Dot ||
    before === Kind.VariableMark ||
    before === Kind.ByteOrderMark
  const isPair =
    (kind === Kind.CloseBrace && before === Kind.OpenBrace) ||
    (kind === Kind.OpenParen && before === Kind.Name) ||
    (kind === Kind.OpenBracket && isOperand(before))
  return touchesPrevious || touchesNext || isPair ? "" : " "
}

/** Whether a `-` or `!` stands before its only operand; `operand` is the token before it that is not trivia. */
export function isUnary(kind: number, operand: number): boolean {
  return kind === Kind.Not || (kind === Kind.Minus && !isOperand(operand))
}

/** Whether a token can be the left side of an operator or of an index. */
export function isOperand(kind: number): boolean {
  return (kind >= Kind.Name && kind <= Kind.StringOpen) || (kind >= Kind.TemplateClose && kind <= Kind.CloseParen)
}
