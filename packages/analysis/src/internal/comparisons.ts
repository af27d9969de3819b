/**
 * Comparisons of a check that have the same outcome whatever the result is, as their sides are of types that never compare.
 * Running the request would show it, once it is paid for.
 */
import type { CheckNode, Diagnostic, ExprNode, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import type { Json, Method } from "@dotrpc/spec"
import { SchemaAST } from "effect"
import { evaluate, type Evaluated, type Scope } from "../Evaluate.ts"
import { warning } from "../Problem.ts"
import { alternativesAt, readPath } from "../SchemaPath.ts"
import { compareValues, typeName } from "../Value.ts"

export const decidedComparisons = (
  checks: ReadonlyArray<CheckNode>,
  method: Method | undefined,
  scope: Scope,
): ReadonlyArray<Diagnostic> => {
  const found: Array<Diagnostic> = []
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Binary") found.push(...decided(node, method, scope))
    childrenOf(node).forEach(visit)
  }
  checks.forEach(({ expr }) => visit(expr))
  return found
}

/** What values may be, as far as comparisons distinguish them: `"0x1"` and `"1"` are numbers here, and other strings are not. */
type Type = "a number" | "a string" | "true or false" | "null" | "an array" | "an object"

type Types = ReadonlySet<Type>

const decided = (
  node: Extract<ExprNode, { kind: "Binary" }>,
  method: Method | undefined,
  scope: Scope,
): ReadonlyArray<Diagnostic> => {
  const { operator } = node
  const isOrder = orders.has(operator)
  if (!isOrder && !equalities.has(operator)) return []
  // A chain such as `1 < a < 5` is an error of syntax.
  if (node.left.kind === "Binary" && (orders.has(node.left.operator) || equalities.has(node.left.operator))) return []
  const leftValue = evaluate(node.left, scope)
  const rightValue = evaluate(node.right, scope)
  // Two known values that have no order are an error already, and so is a secret, whose type is not reported.
  const values = [leftValue, rightValue].filter((value) => value._tag === "Value")
  if (values.length === 2 || values.some(({ secret }) => secret)) return []
  const left = typesOf(node.left, leftValue, method)
  const right = typesOf(node.right, rightValue, method)
  if (left === undefined || right === undefined) return []
  const isPossible = isOrder ? left.has("a number") && right.has("a number") : [...left].some((type) => right.has(type))
  if (isPossible) return []
  const outcome = operator === "!=" ? "is always true" : "is never true"
  const why = isOrder ? `"${operator}" needs two numbers, found` : "one side is"
  const between = isOrder ? "and" : "and the other is"
  const advice =
    (left.has("an array") && right.has("a number")) || (left.has("a number") && right.has("an array"))
      ? "compare the length of the array: write .length after it"
      : isOrder
        ? "compare two numbers"
        : "compare values of the same type"
  return [
    warning("A310", node, `this comparison ${outcome}: ${why} ${nameOf(left)} ${between} ${nameOf(right)}; ${advice}`),
  ]
}

const orders: ReadonlySet<string> = new Set(["<", "<=", ">", ">="])
const equalities: ReadonlySet<string> = new Set(["==", "!="])

/** `undefined` where nothing is known. */
const typesOf = (expr: ExprNode, value: Evaluated, method: Method | undefined): Types | undefined => {
  if (value._tag === "Problem") return undefined
  if (value._tag === "Value") return new Set([typeOfValue(value.value)])
  switch (expr.kind) {
    case "Group":
      return typesOf(expr.expr, value, method)
    case "Unary":
      return expr.operator === "!" ? truth : numbers
    case "Binary":
      if (["-", "*", "/", "%"].includes(expr.operator)) return numbers
      return expr.operator === "+" ? texts : truth
    default:
      return typesRead(expr, method)
  }
}

const truth: Types = new Set(["true or false"])
const numbers: Types = new Set(["a number"])
const texts: Types = new Set(["a string", "a number"])

const typeOfValue = (value: Json.Json): Type =>
  compareValues(value, 0) === undefined ? (typeName(value) as Type) : "a number"

/** What a read may give. What is not there is null in a check. */
const typesRead = (expr: ExprNode, method: Method | undefined): Types | undefined => {
  const read = readPath(expr)
  if (read === undefined) return undefined
  const { path, root } = read
  if (path.length === 0 && ["credits", "ms", "calls"].includes(root.name)) return numbers
  if (root.name !== "result" || method === undefined) return undefined
  const parents = path.at(-1) === "length" ? alternativesAt(method.result, path.slice(0, -1)) : []
  if (parents.length > 0 && parents.every((ast) => hasLength(ast) || SchemaAST.isNull(ast)))
    return new Set<Type>(["a number", "null"])
  const alternatives = alternativesAt(method.result, path)
  const types = alternatives.flatMap(typesOfSchema)
  return alternatives.length === 0 || types.includes(undefined)
    ? undefined
    : new Set([...types.filter((type) => type !== undefined), "null" as const])
}

const hasLength = (ast: SchemaAST.AST): boolean => SchemaAST.isArrays(ast) || isText(ast)

const isText = (ast: SchemaAST.AST): boolean => SchemaAST.isString(ast) || SchemaAST.isTemplateLiteral(ast)

const typesOfSchema = (ast: SchemaAST.AST): ReadonlyArray<Type | undefined> => {
  if (isText(ast)) return ["a string", "a number"]
  if (SchemaAST.isNumber(ast) || SchemaAST.isBigInt(ast)) return ["a number"]
  if (SchemaAST.isBoolean(ast)) return ["true or false"]
  if (SchemaAST.isNull(ast)) return ["null"]
  if (SchemaAST.isArrays(ast)) return ["an array"]
  if (SchemaAST.isObjects(ast)) return ["an object"]
  return SchemaAST.isLiteral(ast) ? [typeOfValue(ast.literal)] : [undefined]
}

/** The types of a side in words, without what it is only where something is missing. */
const nameOf = (types: Types): string => {
  const shown = [...types].filter((type) => types.size === 1 || type !== "null")
  return shown.includes("a string") ? "a string" : shown.join(" or ")
}
