/** The binary operators, and those of other languages with the same meaning. */
import type { BinaryOperator } from "../Syntax.ts"

export interface Operator {
  readonly text: BinaryOperator
  /** Higher binds tighter. */
  readonly precedence: number
}

export const comparisonPrecedence = 3

const operators = new Map<string, Operator>()
define(1, "||", "|", "or")
define(2, "&&", "&", "and")
define(comparisonPrecedence, "==", "=", "===")
define(comparisonPrecedence, "!=", "!==")
define(comparisonPrecedence, "<")
define(comparisonPrecedence, "<=")
define(comparisonPrecedence, ">")
define(comparisonPrecedence, ">=")
define(4, "+")
define(4, "-")
define(5, "*")
define(5, "/")
define(5, "%")

/** The operator that a token is, or was meant as: `===` and `and` have the text of the operator to write instead. */
export function operatorOf(token: string): Operator | undefined {
  return operators.get(token)
}

function define(precedence: number, text: BinaryOperator, ...foreign: ReadonlyArray<string>): void {
  for (const token of [text, ...foreign]) operators.set(token, { text, precedence })
}
