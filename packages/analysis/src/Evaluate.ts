/**
 * Evaluates expressions and JSON values with `{{…}}`. Pure: no loops, no IO; names come from a {@link Scope}.
 *
 * A value that is not known before running, such as `transfers.result`, is *pending*: it passes through every operator,
 * so that the rest of an expression is still checked while the file is being written.
 *
 * Invariant: no diagnostic quotes a secret, nor anything that was made from one.
 */
import type { Diagnostic, ExprNode, Span, TemplateNode, ValueNode } from "@dotrpc/lang"
import { type FunctionResult, Json, nearest, type ParamPath } from "@dotrpc/spec"
import { problem, replacement } from "./Problem.ts"
import { calculate, compareValues, equalValues, integerOf, integerValue, isTruthy, typeName } from "./Value.ts"

/** Where names lead. */
export interface Scope {
  readonly name: (name: string, span: Span) => Evaluated
  readonly call: (name: string, args: ReadonlyArray<Json.Json>) => FunctionResult | undefined
  readonly functionNames: () => ReadonlyArray<string>
  readonly env: (name: string) => string | undefined
  readonly secret: (name: string) => string | undefined
  /** What a member that does not exist stands for: `null` in a check, a problem in params. */
  readonly absentMember: "null" | "problem"
}

export type Evaluated =
  | {
      readonly _tag: "Value"
      readonly value: Json.Json
      /** True when a secret went into the value: it may be sent, and never shown. */
      readonly secret: boolean
    }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Problem"; readonly diagnostics: ReadonlyArray<Diagnostic> }

export const known = (value: Json.Json): Evaluated => ({ _tag: "Value", value, secret: false })
export const confidential = (value: Json.Json): Evaluated => ({ _tag: "Value", value, secret: true })
export const pending: Evaluated = { _tag: "Pending" }
export const failed = (...diagnostics: ReadonlyArray<Diagnostic>): Evaluated => ({ _tag: "Problem", diagnostics })

/** In place of a message that would quote a secret. */
export const secretDoesNotFit = "the value of a secret does not fit here; it is not shown"

/** A JSON value of the file: what is known of it, where it is still pending, and what is wrong in it. */
export interface EvaluatedValue {
  /** Pending and wrong places hold `null`. */
  readonly value: Json.Json
  readonly pending: ReadonlyArray<ParamPath>
  /** Places whose value a secret went into. */
  readonly secret: ReadonlyArray<ParamPath>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** What a call without params is evaluated to. */
export const noParams: EvaluatedValue = { value: [], pending: [], secret: [], diagnostics: [] }

/** Evaluates a JSON value of the file with everything inside it. */
export const evaluateValue = (node: ValueNode, scope: Scope): EvaluatedValue => {
  const holes: Array<ParamPath> = []
  const secret: Array<ParamPath> = []
  const diagnostics: Array<Diagnostic> = []
  const place = (evaluated: Evaluated, path: ParamPath): Json.Json => {
    if (evaluated._tag === "Value") {
      if (evaluated.secret) secret.push(path)
      return evaluated.value
    }
    if (evaluated._tag === "Pending") holes.push(path)
    else diagnostics.push(...evaluated.diagnostics)
    return null
  }
  const visit = (current: ValueNode, path: ParamPath): Json.Json => {
    switch (current.kind) {
      case "Object":
        return Object.fromEntries(
          current.properties.map((property) => {
            const key = property.key.value ?? String(place(joinParts(property.key.parts, scope), path) ?? "")
            return [key, property.value === undefined ? null : visit(property.value, [...path, key])]
          }),
        )
      case "Array":
        return current.items.map((item, index) => visit(item, [...path, index]))
      case "String":
        return current.value ?? place(joinParts(current.parts, scope), path)
      case "Number":
        return Json.numberFromText(current.text)
      case "Boolean":
        return current.value
      case "Null":
      case "Error":
        return null
      case "Template":
        return place(evaluate(current.expr, scope), path)
    }
  }
  return { value: visit(node, []), pending: holes, secret, diagnostics }
}

/** Evaluates an expression. */
export const evaluate = (node: ExprNode, scope: Scope): Evaluated => {
  switch (node.kind) {
    case "Literal":
      switch (node.type) {
        case "number":
          return known(Json.numberFromText(node.text))
        case "hex":
          return known(node.text)
        case "string":
        case "boolean":
          return known(node.value)
        case "null":
          return known(null)
      }
      break
    case "Name":
      return scope.name(node.name, node)
    case "Group":
      return evaluate(node.expr, scope)
    case "Env":
      return fromSource(scope.env(node.name.text), known, () =>
        problem("A206", node, `the environment variable ${node.name.text} is not set`),
      )
    case "Secret":
      return fromSource(scope.secret(node.name.text), confidential, () =>
        problem(
          "A207",
          node,
          `the secret ${node.name.text} is not set: export it, put it in .env, or store it in the editor`,
        ),
      )
    case "Member":
      return both(evaluate(node.object, scope), known(null), (object) =>
        member(object, node.property.text, node.property, scope),
      )
    case "Index":
      return both(evaluate(node.object, scope), evaluate(node.index, scope), (object, index) =>
        typeof index === "string" ? member(object, index, node.index, scope) : item(object, index, node.index, scope),
      )
    case "Function":
      return callFunction(node.name, node.args, scope)
    case "Unary":
      return both(evaluate(node.operand, scope), known(null), (operand) => {
        if (node.operator === "!") return known(!isTruthy(operand))
        const integer = integerOf(operand)
        if (integer !== undefined) return known(integerValue(-integer))
        return typeof operand === "number"
          ? known(-operand)
          : failed(problem("A208", node, `"-" needs a number, found ${typeName(operand)}`))
      })
    case "Binary":
      return binary(node, scope)
    case "ErrorExpr":
      return failed()
  }
}

const binary = (node: Extract<ExprNode, { kind: "Binary" }>, scope: Scope): Evaluated => {
  const left = evaluate(node.left, scope)
  const right = evaluate(node.right, scope)
  if (left._tag === "Value" && right._tag !== "Problem") {
    if (node.operator === "&&" && !isTruthy(left.value)) return known(false)
    if (node.operator === "||" && isTruthy(left.value)) return known(true)
  }
  return both(left, right, (leftValue, rightValue) => {
    switch (node.operator) {
      case "&&":
      case "||":
        return known(isTruthy(rightValue))
      case "==":
        return known(equalValues(leftValue, rightValue))
      case "!=":
        return known(!equalValues(leftValue, rightValue))
      case "<":
      case "<=":
      case ">":
      case ">=": {
        const order = compareValues(leftValue, rightValue)
        if (order === undefined) {
          const found = `${typeName(leftValue)} and ${typeName(rightValue)}`
          return failed(problem("A208", node, `"${node.operator}" needs two numbers, found ${found}`))
        }
        return known(
          node.operator === "<"
            ? order < 0
            : node.operator === "<="
              ? order <= 0
              : node.operator === ">"
                ? order > 0
                : order >= 0,
        )
      }
      default: {
        const result = calculate(node.operator, leftValue, rightValue)
        return "problem" in result ? failed(problem("A208", node, result.problem)) : known(result.value)
      }
    }
  })
}

const callFunction = (
  name: Span & { readonly text: string },
  nodes: ReadonlyArray<ExprNode>,
  scope: Scope,
): Evaluated => {
  const args = nodes.map((node) => evaluate(node, scope))
  const diagnostics = args.flatMap((argument) => (argument._tag === "Problem" ? argument.diagnostics : []))
  if (args.some((argument) => argument._tag === "Problem")) return failed(...diagnostics)
  const values = args.flatMap((argument) => (argument._tag === "Value" ? [argument.value] : []))
  const names = scope.functionNames()
  if (!names.includes(name.text)) {
    const meant = nearest(name.text, names)
    const hint = meant === undefined ? `known are ${names.join(", ")}` : `did you mean "${meant}"?`
    const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, name, meant)
    return failed(problem("A204", name, `unknown function "${name.text}"; ${hint}`, fix))
  }
  if (values.length < args.length) return pending
  const result = scope.call(name.text, values)
  if (result === undefined) return failed(problem("A204", name, `unknown function "${name.text}"`))
  const span = { start: name.start, end: nodes.at(-1)?.end ?? name.end }
  const outcome =
    "problem" in result ? failed(problem("A204", span, `${name.text}: ${result.problem}`)) : known(result.value)
  return args.some(isSecret) ? madeFromSecret(outcome) : outcome
}

const member = (object: Json.Json, name: string, span: Span, scope: Scope): Evaluated => {
  if (name === "length" && (typeof object === "string" || Json.isArray(object))) return known(object.length)
  if (Json.isObject(object) && Object.hasOwn(object, name)) return known(object[name] ?? null)
  if (scope.absentMember === "null") return known(null)
  if (!Json.isObject(object)) return failed(problem("A205", span, `there is no "${name}" in ${typeName(object)}`))
  const names = Object.keys(object)
  const meant = nearest(name, names)
  const hint =
    meant === undefined ? `it has ${names.slice(0, 12).join(", ") || "no members"}` : `did you mean "${meant}"?`
  const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, span, meant)
  return failed(problem("A205", span, `there is no "${name}" here; ${hint}`, fix))
}

const item = (array: Json.Json, index: Json.Json, span: Span, scope: Scope): Evaluated => {
  const position = integerOf(index)
  if (!Json.isArray(array) || position === undefined) {
    if (scope.absentMember === "null") return known(null)
    return failed(
      problem("A205", span, `[…] needs an array and a whole number, found ${typeName(array)} and ${typeName(index)}`),
    )
  }
  const value = position >= 0n ? array[Number(position)] : undefined
  if (value !== undefined) return known(value)
  if (scope.absentMember === "null") return known(null)
  return failed(problem("A205", span, `there is no item ${position}: the array has ${array.length}`))
}

const joinParts = (
  parts: ReadonlyArray<{ readonly kind: "Text"; readonly value: string } | TemplateNode>,
  scope: Scope,
): Evaluated => {
  let text = ""
  let waiting = false
  let secret = false
  for (const part of parts) {
    if (part.kind === "Text") {
      text += part.value
      continue
    }
    const evaluated = evaluate(part.expr, scope)
    if (evaluated._tag === "Problem") return evaluated
    secret ||= isSecret(evaluated)
    if (evaluated._tag === "Pending") waiting = true
    else text += typeof evaluated.value === "string" ? evaluated.value : Json.stringify(evaluated.value)
  }
  if (waiting) return pending
  return secret ? confidential(text) : known(text)
}

const both = (left: Evaluated, right: Evaluated, use: (left: Json.Json, right: Json.Json) => Evaluated): Evaluated => {
  if (left._tag === "Problem" || right._tag === "Problem") {
    return failed(...[left, right].flatMap((side) => (side._tag === "Problem" ? side.diagnostics : [])))
  }
  if (left._tag !== "Value" || right._tag !== "Value") return pending
  const result = use(left.value, right.value)
  return left.secret || right.secret ? madeFromSecret(result) : result
}

const fromSource = (
  value: string | undefined,
  present: (value: string) => Evaluated,
  absent: () => Diagnostic,
): Evaluated => (value === undefined ? failed(absent()) : present(value))

const isSecret = (evaluated: Evaluated): boolean => evaluated._tag === "Value" && evaluated.secret

/** What came of a secret: a value that is one too, or a problem that says no more than where it is. */
const madeFromSecret = (evaluated: Evaluated): Evaluated => {
  if (evaluated._tag === "Value") return confidential(evaluated.value)
  if (evaluated._tag === "Pending") return evaluated
  return failed(
    ...evaluated.diagnostics.map(({ code, end, severity, start }) => ({
      code,
      severity,
      message: secretDoesNotFit,
      start,
      end,
    })),
  )
}
