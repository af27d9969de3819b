/**
 * Evaluates expressions and JSON values with `{{…}}`. Pure: no loops, no IO; names come from a {@link Scope}.
 *
 * A value that is not known before running, such as `transfers.result`, is *pending*: it passes through every operator,
 * so that the rest of an expression is still checked while the file is being written.
 *
 * Invariant: no diagnostic quotes a secret, nor anything that was made from one.
 */
import type { Diagnostic, ExprNode, Span, ValueNode } from "@dotrpc/lang"
import {
  type FunctionResult,
  isDecimals,
  Json,
  type Meant,
  nearest,
  type ParamPath,
  type TokenUnits,
} from "@dotrpc/spec"
import { problem, replacement } from "./Problem.ts"
import { hasItems, listKey } from "./internal/items.ts"
import { isRowFunction } from "./internal/rowFunctionNames.ts"
import { longestValue, deepestValue, sizeOf } from "./internal/size.ts"
import { trustFirst } from "./internal/restricted.ts"
import { calculate, compareValues, equalValues, integerOf, integerValue, isTruthy, typeName } from "./Value.ts"

/** Where names lead. */
export interface Scope {
  /** What a name stands for. */
  readonly name: (name: string, span: Span) => Evaluated
  /** What a function of a plugin returns; `undefined` when no plugin has it. */
  readonly call: (name: string, args: ReadonlyArray<Json.Json>) => FunctionResult | undefined
  /** The functions of all plugins, for suggestions. */
  readonly functionNames: () => ReadonlyArray<string>
  /** Whether a function that is not known may be one of a plugin that was left out: its value is pending. */
  readonly mayHaveMore?: boolean | undefined
  /** A variable of the environment. */
  readonly env: (name: string) => string | undefined
  /** The value of a secret. */
  readonly secret: (name: string) => string | undefined
  /**
   * What a function over all rows returns, such as `every`, in a check of a request with `# @each`; before its rows are there,
   * that is pending.
   */
  readonly overRows?: ((name: string, args: ReadonlyArray<ExprNode>) => Evaluated | undefined) | undefined
  /** What a function such as `every` returns of an argument that has a `[*]`; only in checks. */
  readonly overItems?: ((name: string, argument: ExprNode, scope: Scope) => Evaluated) | undefined
  /** The items that `[*]` leads to, by the text of their lists; see {@link checking}. */
  readonly items?: ReadonlyMap<string, Evaluated> | undefined
  /** How much may still be made of values, and how much has been. */
  readonly work: Work
  /** Whether the project may read a variable of the environment. */
  readonly isListed: (name: string) => boolean
  /** Whether a value that is not set is pending, and no problem. */
  readonly expectsMore?: boolean | undefined
  /** Whether private values are not read, as the editor does not trust the folder. */
  readonly isRestricted?: boolean | undefined
  /**
   * Whether the side that `&&` and `||` do not need is left alone, as in a run. Before one, what is wrong there is found as well: only
   * then is a name that nobody knows reported in every run.
   */
  readonly isRunning?: boolean | undefined
  /** What a member that does not exist stands for: `null` in a check, a problem in params. */
  readonly absentMember: "null" | "problem"
}

/** What evaluating costs: the characters of the values that are compared, joined or filled in. */
export interface Work {
  done: number
  readonly limit: number
}

/** The value of an expression, why it has none, or that it has none yet. */
export type Evaluated =
  | {
      readonly _tag: "Value"
      readonly value: Json.Json
      /** True when a secret went into the value: it may be sent, and never shown. */
      readonly secret: boolean
      /** What parts of the value stand for, as the functions that made them say. */
      readonly meanings?: ReadonlyArray<Meant> | undefined
      /** What else the value offers by names that its JSON does not have: `decoded` of a result. */
      readonly beside?: Beside | undefined
      /** Of `some` and `count`: what they found, `0 of 12 items`. */
      readonly tally?: string | undefined
    }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Problem"; readonly diagnostics: ReadonlyArray<Diagnostic> }

/** Members beside those of a value's JSON. */
export type Beside = { readonly [name: string]: Extract<Evaluated, { _tag: "Value" }> }

/** Integers by their value: what an ABI decodes is typed, and schemas of params are not. */
export const known = (value: Json.Json): Evaluated => ({
  _tag: "Value",
  value: typeof value === "bigint" ? integerValue(value) : value,
  secret: false,
})
export const confidential = (value: Json.Json): Evaluated => ({ _tag: "Value", value, secret: true })
export const pending: Evaluated = { _tag: "Pending" }
export const failed = (...diagnostics: ReadonlyArray<Diagnostic>): Evaluated => ({ _tag: "Problem", diagnostics })

const secretInOperator =
  "a secret cannot be compared, calculated with or taken apart, as the outcome would reveal it: only send it, or pass it to a function"

/** Instead of a message that would quote a secret. */
export const secretDoesNotFit = "the value of a secret does not fit here; it is not shown"

/** A JSON value of the file: what is known of it, where it is still pending, and what is wrong in it. */
export interface EvaluatedValue {
  /** Pending and wrong places hold `null`. */
  readonly value: Json.Json
  readonly pending: ReadonlyArray<ParamPath>
  /** Places whose value a secret went into. */
  readonly secret: ReadonlyArray<ParamPath>
  /** What places stand for, as the functions that made their values say. */
  readonly meanings: ReadonlyArray<Meant>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** What a call without params is evaluated to. */
export const noParams: EvaluatedValue = { value: [], pending: [], secret: [], meanings: [], diagnostics: [] }

/** Evaluates a JSON value of the file with everything inside it. */
export const evaluateValue = (node: ValueNode, scope: Scope): EvaluatedValue => {
  const holes: Array<ParamPath> = []
  const secret: Array<ParamPath> = []
  const meanings: Array<Meant> = []
  const diagnostics: Array<Diagnostic> = []
  let filledIn = 0
  let isTooLong = false
  const place = (evaluated: Evaluated, path: ParamPath, span: Span): Json.Json => {
    if (evaluated._tag === "Value") {
      const size = sizeOf(evaluated.value)
      filledIn += size.length
      scope.work.done += size.length
      if (filledIn > longestValue || path.length + size.depth > deepestValue) {
        if (!isTooLong) diagnostics.push(tooLong(span))
        isTooLong = true
        return null
      }
      if (evaluated.secret) secret.push(path)
      for (const meant of evaluated.meanings ?? []) meanings.push({ ...meant, path: [...path, ...meant.path] })
      return evaluated.value
    }
    if (evaluated._tag === "Pending") holes.push(path)
    else for (const entry of evaluated.diagnostics) diagnostics.push(entry)
    return null
  }
  const visit = (current: ValueNode, path: ParamPath): Json.Json => {
    switch (current.kind) {
      case "Object":
        return Object.fromEntries(
          current.properties.map((property) => {
            const key = property.key.value ?? String(place(joinParts(property.key, scope), path, property.key) ?? "")
            return [key, property.value === undefined ? null : visit(property.value, [...path, key])]
          }),
        )
      case "Array":
        return current.items.map((item, index) => visit(item, [...path, index]))
      case "String":
        return current.value ?? place(joinParts(current, scope), path, current)
      case "Number":
        return Json.numberFromText(current.text)
      case "Boolean":
        return current.value
      case "Null":
      case "Error":
        return null
      case "Template":
        return place(evaluate(current.expr, scope), path, current)
    }
  }
  return { value: visit(node, []), pending: holes, secret, meanings, diagnostics }
}

/** Evaluates an expression. */
export const evaluate = (node: ExprNode, scope: Scope): Evaluated => {
  if (scope.work.done > scope.work.limit) return failed(tooMuchWork(node))
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
      return fromSource(
        scope.env(node.name.text),
        known,
        () => problem("A206", node, missingVariable(node.name.text, scope)),
        scope.expectsMore === true && scope.isListed(node.name.text),
      )
    case "Secret":
      return fromSource(
        scope.secret(node.name.text),
        confidential,
        () =>
          problem(
            "A207",
            node,
            scope.isRestricted === true
              ? `the secret ${node.name.text} is not read: ${trustFirst}`
              : `the secret ${node.name.text} is not set: export it, put it in .env, or store it in the editor`,
          ),
        scope.expectsMore === true,
      )
    case "Member": {
      const object = evaluate(node.object, scope)
      return (
        besideOf(object, node.property.text) ??
        both(node, object, known(null), (value) => member(value, node.property.text, node.property, scope))
      )
    }
    case "AllItems":
      return failed(problem("A205", node, noItems))
    case "Index":
      if (node.index.kind === "AllItems")
        return scope.items?.get(listKey(node)) ?? failed(problem("A205", node.index, noItems))
      return both(node, evaluate(node.object, scope), evaluate(node.index, scope), (object, index) =>
        typeof index === "string" ? member(object, index, node.index, scope) : item(object, index, node.index, scope),
      )
    case "Function":
      return callFunction(node.name, node.args, scope)
    case "Unary":
      return both(node, evaluate(node.operand, scope), known(null), (operand) => {
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
  const decided = decidedBy(node.operator, left)
  if (decided !== undefined && scope.isRunning === true) return known(decided)
  const right = evaluate(node.right, scope)
  if (decided !== undefined && right._tag !== "Problem") return known(decided)
  return both(node, left, right, (leftValue, rightValue) => {
    scope.work.done += sizeOf(leftValue).length + sizeOf(rightValue).length
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
        if (!("problem" in result)) return known(result.value)
        return failed(problem(result.isTooLarge === true ? "A211" : "A208", node, result.problem))
      }
    }
  })
}

/** What `&&` or `||` comes to by its left side alone; `undefined` where the right side decides. */
const decidedBy = (operator: string, left: Evaluated): boolean | undefined => {
  if (left._tag !== "Value" || left.secret || (operator !== "&&" && operator !== "||")) return undefined
  const isTrue = isTruthy(left.value)
  return isTrue === (operator === "||") ? isTrue : undefined
}

const callFunction = (
  name: Span & { readonly text: string },
  nodes: ReadonlyArray<ExprNode>,
  scope: Scope,
): Evaluated => {
  if (isRowFunction(name.text)) return overMany(name, nodes, scope)
  const args = nodes.map((node) => evaluate(node, scope))
  const diagnostics = args.flatMap((argument) => (argument._tag === "Problem" ? argument.diagnostics : []))
  if (args.some((argument) => argument._tag === "Problem"))
    return { _tag: "Problem", diagnostics: [...new Set(diagnostics)] }
  const values = args.flatMap((argument) => (argument._tag === "Value" ? [argument.value] : []))
  const names = scope.functionNames()
  if (!names.includes(name.text)) {
    if (scope.mayHaveMore === true) return pending
    const meant = nearest(name.text, names)
    const hint = meant === undefined ? `expected one of ${names.join(", ")}` : `did you mean "${meant}"?`
    const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, name, meant)
    return failed(problem("A204", name, `unknown function "${name.text}"; ${hint}`, fix))
  }
  if (values.length < args.length) return pending
  for (const value of values) scope.work.done += sizeOf(value).length
  const result = scope.call(name.text, values)
  if (result === undefined) return failed(problem("A204", name, `unknown function "${name.text}"`))
  const span = { start: name.start, end: nodes.at(-1)?.end ?? name.end }
  const wrong = "problem" in result && result.argument !== undefined ? nodes[result.argument] : undefined
  const outcome =
    "problem" in result
      ? failed(problem("A204", wrong ?? span, `${name.text}: ${result.problem}`))
      : sizeOf(result.value).length > longestValue
        ? failed(tooLong(span))
        : withMeaning(result.value, result.meaning)
  return args.some(isSecret) ? madeFromSecret(outcome) : outcome
}

/** What an amount counts that an expression makes, such as `units(1, "ether")`; `undefined` for any other. */
export const unitsOf = (node: ExprNode, scope: Scope): Pick<TokenUnits, "decimals" | "symbol"> | undefined => {
  if (node.kind === "Group") return unitsOf(node.expr, scope)
  if (node.kind !== "Function" || isRowFunction(node.name.text)) return undefined
  const args = node.args.flatMap((arg) => {
    const value = evaluate(arg, scope)
    return value._tag === "Value" ? [value.value] : []
  })
  const result = args.length < node.args.length ? undefined : scope.call(node.name.text, args)
  const units = result === undefined || "problem" in result ? undefined : result.units
  // A plugin may be written without types.
  return isDecimals(units?.decimals) ? units : undefined
}

const overMany = (name: Span & { readonly text: string }, nodes: ReadonlyArray<ExprNode>, scope: Scope): Evaluated => {
  const text = name.text
  const [first] = nodes
  if (first !== undefined && nodes.length === 1 && hasItems(first) && scope.overItems !== undefined)
    return scope.overItems(text, first, scope)
  if (scope.overRows === undefined)
    return failed(
      problem(
        "A204",
        name,
        `${text}(…) is about all items, as ${text}(result[*].value > 0), or all rows: use it in a check with [*], or of a section with # @each`,
      ),
    )
  if (nodes.length !== 1) return failed(problem("A204", name, `${text}(…) takes one value, such as ${text}(result)`))
  return scope.overRows(text, nodes) ?? pending
}

const noItems = "[*] stands for every item of a list, and only in checks: write the number of an item"

const withMeaning = (value: Json.Json, meaning: Json.JsonObject | undefined): Evaluated =>
  meaning === undefined ? known(value) : { _tag: "Value", value, secret: false, meanings: [{ path: [], meaning }] }

const besideOf = (object: Evaluated, name: string): Evaluated | undefined =>
  object._tag === "Value" && object.beside !== undefined && Object.hasOwn(object.beside, name)
    ? object.beside[name]
    : undefined

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

const joinParts = ({ parts, ...span }: Extract<ValueNode, { kind: "String" }>, scope: Scope): Evaluated => {
  const texts: Array<string> = []
  let length = 0
  let waiting = false
  let secret = false
  for (const part of parts) {
    if (part.kind === "Text") {
      texts.push(part.value)
      continue
    }
    const evaluated = evaluate(part.expr, scope)
    if (evaluated._tag === "Problem") return evaluated
    secret ||= isSecret(evaluated)
    if (evaluated._tag === "Pending") {
      waiting = true
      continue
    }
    const size = sizeOf(evaluated.value)
    length += size.length
    scope.work.done += size.length
    if (length > longestValue) return failed(tooLong(span))
    texts.push(typeof evaluated.value === "string" ? evaluated.value : Json.stringify(evaluated.value))
  }
  if (waiting) return pending
  const text = texts.join("")
  return secret ? confidential(text) : known(text)
}

const tooMuchWork = (span: Span): Diagnostic =>
  problem("A211", span, "too many long values are filled in and compared up to here: use fewer or shorter ones")

/** A value made of others may not be larger than anybody would send: a few lines could fill the memory. */
const tooLong = (span: Span): Diagnostic =>
  problem(
    "A211",
    span,
    `this value is longer than ${longestValue.toLocaleString("en")} characters, or nested more than ${deepestValue} levels deep, once the values in {{…}} are filled in: use fewer or shorter ones`,
  )

/** A report shows what comes of an operator, and anybody may write another one: so none takes a secret. */
const both = (
  node: Span,
  left: Evaluated,
  right: Evaluated,
  use: (left: Json.Json, right: Json.Json) => Evaluated,
): Evaluated => {
  if (left._tag === "Problem" || right._tag === "Problem") {
    const found = [left, right].flatMap((side) => (side._tag === "Problem" ? side.diagnostics : []))
    return { _tag: "Problem", diagnostics: [...new Set(found)] }
  }
  if (isSecret(left) || isSecret(right)) return failed(problem("A208", node, secretInOperator))
  return left._tag === "Value" && right._tag === "Value" ? use(left.value, right.value) : pending
}

const fromSource = (
  value: string | undefined,
  present: (value: string) => Evaluated,
  absent: () => Diagnostic,
  isExpected: boolean,
): Evaluated => (value !== undefined ? present(value) : isExpected ? pending : failed(absent()))

const missingVariable = (name: string, { isListed, isRestricted }: Scope): string =>
  isListed(name)
    ? isRestricted === true
      ? `the environment variable ${name} is not read: ${trustFirst}`
      : `the environment variable ${name} is not set`
    : `the environment variable ${name} may not be read: add "${name}" to "env" in rpc.config.json`

const isSecret = (evaluated: Evaluated): boolean => evaluated._tag === "Value" && evaluated.secret

/** What came of a secret: a value that is one too, or a problem that says no more than where it is. */
const madeFromSecret = (evaluated: Evaluated): Evaluated => {
  if (evaluated._tag === "Value") return confidential(evaluated.value)
  if (evaluated._tag === "Pending") return evaluated
  return {
    _tag: "Problem",
    diagnostics: evaluated.diagnostics.map(({ code, end, severity, start }) => ({
      code,
      severity,
      message: secretDoesNotFit,
      start,
      end,
    })),
  }
}
