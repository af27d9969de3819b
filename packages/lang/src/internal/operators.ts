/** The operators of two sides, and those of other languages that stand for them. */
import type { BinaryOperator } from "../Syntax.ts"
import * as Kind from "../TokenKind.ts"
import { kindAt, tokenTextAt } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

export interface Operator {
  readonly text: BinaryOperator
  /** Higher binds tighter. */
  readonly precedence: number
}

export const comparisonPrecedence = 3

/** The operators by the distance of their kind to `FirstOperator`. */
const operators: Array<Operator | undefined> = Array.from({ length: Kind.LastOperator - Kind.FirstOperator + 1 })
define(Kind.Or, "||", 1)
define(Kind.And, "&&", 2)
define(Kind.Equal, "==", comparisonPrecedence)
define(Kind.NotEqual, "!=", comparisonPrecedence)
define(Kind.Less, "<", comparisonPrecedence)
define(Kind.LessOrEqual, "<=", comparisonPrecedence)
define(Kind.Greater, ">", comparisonPrecedence)
define(Kind.GreaterOrEqual, ">=", comparisonPrecedence)
define(Kind.Plus, "+", 4)
define(Kind.Minus, "-", 4)
define(Kind.Star, "*", 5)
define(Kind.Slash, "/", 5)
define(Kind.Percent, "%", 5)

const meant: Readonly<Record<string, number>> = {
  "=": Kind.Equal,
  "===": Kind.Equal,
  "!==": Kind.NotEqual,
  "&": Kind.And,
  "|": Kind.Or,
  and: Kind.And,
  or: Kind.Or,
}

/** The operator of a kind of token. */
export function operatorOf(kind: number): Operator | undefined {
  return kind >= Kind.FirstOperator && kind <= Kind.LastOperator ? operators[kind - Kind.FirstOperator] : undefined
}

/** The operator that the token at the cursor was meant as, such as `===` or `and`. */
export function foreignOperator(cursor: Cursor): Operator | undefined {
  const kind = kindAt(cursor, cursor.index)
  if (kind !== Kind.Assign && kind !== Kind.ForeignOperator && kind !== Kind.Name) return undefined
  const text = tokenTextAt(cursor)
  return Object.hasOwn(meant, text) ? operatorOf(meant[text] ?? kind) : undefined
}

function define(kind: number, text: BinaryOperator, precedence: number): void {
  operators[kind - Kind.FirstOperator] = { text, precedence }
}
