/** A check that failed, in the words of the Test Explorer. Pure. */
import type { BinaryOperator, CheckNode } from "@dotrpc/lang"
import type { CheckReport } from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"

import { actualWords } from "../results/actualWords.ts"
import { excerpt } from "../results/text.ts"

export interface BrokenCheck {
  /** The editor shows its first line beside the check. */
  readonly message: string
  /** For the editor to compare, which helps only where both should be equal. */
  readonly difference?: { readonly expected: string; readonly actual: string } | undefined
}

export const brokenCheck = (report: CheckReport, expression: CheckNode["expr"]): BrokenCheck => {
  const { actual, expected, problem, text } = report
  if (problem !== undefined) return { message: Visible.line(problem) }
  const message = `${Visible.line(text)} failed`
  const operator = expression.kind === "Binary" ? expression.operator : undefined
  // A side that a secret went into is not told.
  if (operator === undefined || actual === undefined || expected === undefined) return { message }
  if (operator === "==") {
    return { message, difference: { expected: jsonOf(expected), actual: jsonOf(actual) } }
  }
  if (!comparisons.has(operator)) return { message }
  return { message: `expected ${operator} ${words(expected)}, actual ${actualWords(report) ?? ""}\n${message}` }
}

const jsonOf = (value: Json.Json): string => Visible.json(Json.stringify(value, 2))

const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["!=", "<", "<=", ">", ">="])

const longestWords = 100

const words = (value: Json.Json): string => excerpt(Visible.json(Json.stringify(value)), longestWords)
