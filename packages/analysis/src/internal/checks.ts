/** Checks that pass by accident: they compare nothing, and what they read is never true or false. */
import type { CheckNode, Diagnostic, ExprNode } from "@dotrpc/lang"
import type { Method } from "@dotrpc/spec"
import { SchemaAST } from "effect"
import { evaluate, type Scope } from "../Evaluate.ts"
import { warning } from "../Problem.ts"
import { alternativesAt, readPath } from "../SchemaPath.ts"

export const emptyChecks = (
  checks: ReadonlyArray<CheckNode>,
  method: Method | undefined,
  scope: Scope,
): ReadonlyArray<Diagnostic> =>
  checks.flatMap(({ expr }) => {
    const value = valueTested(expr)
    if (value === undefined || !isNeverBoolean(value, method, scope)) return []
    const text = 'this check compares nothing: it fails only for false, null, 0 and "", and passes for "0x0"'
    return [warning("A307", value, `${text}; compare it with what you expect, for example result != null`)]
  })

/** What decides about a check and is not a comparison itself; of `a && b`, the first such part. */
const valueTested = (expr: ExprNode): ExprNode | undefined => {
  if (expr.kind === "Group") return valueTested(expr.expr)
  if (expr.kind === "Unary" && expr.operator === "!") return undefined
  if (expr.kind !== "Binary") return expr
  if (expr.operator === "&&" || expr.operator === "||") return valueTested(expr.left) ?? valueTested(expr.right)
  return comparisons.has(expr.operator) ? undefined : expr
}

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="])

/** Whether a value can be neither true nor false, as far as its text, the variables or the schema of the result say. */
const isNeverBoolean = (expr: ExprNode, method: Method | undefined, scope: Scope): boolean => {
  if (expr.kind === "ErrorExpr") return false
  const value = evaluate(expr, scope)
  if (value._tag === "Value") return typeof value.value !== "boolean"
  if (value._tag === "Problem") return false
  if (expr.kind === "Binary" || expr.kind === "Unary") return true
  const read = readPath(expr)
  if (read === undefined) return false
  if (read.root.name === "credits" || read.root.name === "ms" || read.root.name === "calls") return true
  if (read.root.name !== "result" || method === undefined) return false
  const alternatives = alternativesAt(method.result, read.path)
  return alternatives.length > 0 && alternatives.every(isOtherThanBoolean)
}

const isOtherThanBoolean = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isString(ast) ||
  SchemaAST.isTemplateLiteral(ast) ||
  SchemaAST.isNumber(ast) ||
  SchemaAST.isBigInt(ast) ||
  SchemaAST.isNull(ast) ||
  SchemaAST.isObjects(ast) ||
  SchemaAST.isArrays(ast) ||
  (SchemaAST.isLiteral(ast) && typeof ast.literal !== "boolean")
