/**
 * Checks over the items of a list: `?? result.value[*].state == "initialized"` holds when it does for every item, and `every(…)`, `some(…)`,
 * `count(…)` and `sum(…)` take what has a `[*]` in it.
 *
 * Invariant: a check goes over the items of one list, and of the lists inside them; an item is looked at once.
 */
import type { ExprNode, FunctionExpr, IndexExpr } from "@dotrpc/lang"
import { Json } from "@dotrpc/spec"
import { type Evaluated, evaluate, failed, known, type Scope } from "./Evaluate.ts"
import { hasItems, listKey, partsOf } from "./internal/items.ts"
import { isRowFunction } from "./internal/rowFunctionNames.ts"
import { problem } from "./Problem.ts"
import { overRows, type RowScope } from "./RowFunctions.ts"
import { atOnce, type Steps } from "./Steps.ts"
import { isTruthy, typeName } from "./Value.ts"

/** What a check comes to. */
export interface CheckOutcome {
  readonly outcome: Evaluated
  /** The part that decided, and where its names lead: of a check over items, those of the first item of which it is not true. */
  readonly expr: ExprNode
  readonly scope: Scope
  /** That item: `item 3`. */
  readonly place?: string | undefined
}

/** Evaluates a check, in steps of some items each. */
export function* checking(expr: ExprNode, scope: Scope): Steps<CheckOutcome> {
  const over = isEvery(expr) ? expr.args[0] : listIn(expr, undefined) === undefined ? undefined : expr
  if (over === undefined) return { outcome: evaluate(expr, scope), expr, scope }
  let looked = 0
  for (const { place, scope: own } of scopesOf(over, scope)) {
    if (++looked % atATime === 0) yield
    const outcome = evaluate(over, own)
    if (outcome._tag === "Pending") return { outcome, expr, scope }
    if (outcome._tag === "Problem" || !isTruthy(outcome.value)) return { outcome, expr: over, scope: own, place }
  }
  return { outcome: known(true), expr, scope }
}

/** Items that are looked at in one step. */
const atATime = 200

/** What a function over items returns, where its argument has a `[*]`. */
export const overItems = (name: string, argument: ExprNode, scope: Scope): Evaluated =>
  atOnce(overRows(name, argument, scopesOf(argument, scope), "item"))

/** `every(…)` over items, which says of which item it is not true. */
const isEvery = (expr: ExprNode): expr is FunctionExpr =>
  expr.kind === "Function" && expr.name.text === "every" && expr.args.length === 1 && expr.args.some(hasItems)

/** A scope for every item, in which `[*]` of its list leads to it. What is wrong with the list is what each `[*]` comes to. */
function* scopesOf(expr: ExprNode, scope: Scope, place = ""): Generator<RowScope, void> {
  const list = listIn(expr, scope.items)
  if (list === undefined) return yield { place, scope }
  const bound = (item: Evaluated): Scope => ({ ...scope, items: new Map(scope.items).set(listKey(list), item) })
  const isOther = scope.items !== undefined && !hasItems(list.object)
  const found = isOther ? failed(problem("A208", list.index, otherList)) : evaluate(list.object, scope)
  if (found._tag !== "Value") return yield* scopesOf(expr, bound(found), place)
  const { secret, value } = found
  if (!Json.isArray(value)) {
    const notList = failed(problem("A208", list.index, `[*] needs a list, found ${typeName(value)}`))
    return yield* scopesOf(expr, bound(notList), place)
  }
  for (const [index, item] of value.entries()) {
    const own = place === "" ? `item ${index}` : `${place}, item ${index}`
    yield* scopesOf(expr, bound({ _tag: "Value", value: item, secret }), own)
  }
}

const otherList = "a check goes over the items of one list: write another check for this one"

/** The first `list[*]` that leads to no item yet and whose own list does. Functions over items look at theirs by themselves. */
const listIn = (expr: ExprNode, items: Scope["items"]): IndexExpr | undefined => {
  if (expr.kind === "Function" && isRowFunction(expr.name.text)) return undefined
  for (const part of partsOf(expr)) {
    const found = listIn(part, items)
    if (found !== undefined) return found
  }
  return expr.kind === "Index" && expr.index.kind === "AllItems" && items?.has(listKey(expr)) !== true
    ? expr
    : undefined
}
