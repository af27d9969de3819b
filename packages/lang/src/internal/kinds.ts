/** Groups of kinds that several parts of the language ask for. */
import * as Kind from "../TokenKind.ts"

/** Whether a kind ends the statement that it follows. */
export function isBoundary(kind: number): boolean {
  return kind >= Kind.FirstBoundary
}

/** Whether an array or an object begins with a token of this kind. */
export function opensBrackets(kind: number): boolean {
  return kind === Kind.OpenBrace || kind === Kind.OpenBracket
}

/** Whether an array or an object ends with a token of this kind. */
export function closesBrackets(kind: number): boolean {
  return kind === Kind.CloseBrace || kind === Kind.CloseBracket
}

/** How many indexes and parentheses of an expression are open after a token. */
export function nestingAfter(kind: number, nesting: number): number {
  if (kind === Kind.OpenBracket || kind === Kind.OpenParen) return nesting + 1
  return nesting > 0 && (kind === Kind.CloseBracket || kind === Kind.CloseParen) ? nesting - 1 : nesting
}
