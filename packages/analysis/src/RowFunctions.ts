/** The functions of checks that are about all rows of a request with `# @each`, or about all items of a list. */
import type { CheckNode, ExprNode, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import type { PluginFunction } from "@dotrpc/spec"
import { type Evaluated, evaluate, failed, known, type Scope } from "./Evaluate.ts"
import { hasItems } from "./internal/items.ts"
import { isRowFunction } from "./internal/rowFunctionNames.ts"
import { problem } from "./Problem.ts"
import type { Steps } from "./Steps.ts"
import { calculate, isTruthy } from "./Value.ts"

/** They are evaluated before the check; called as others are, they have no rows. */
export const rowFunctions: ReadonlyArray<PluginFunction> = [
  ["every(check)", "Whether something is true of every row, or of every item.", "every(result[*].value > 0)"],
  ["some(check)", "Whether something is true of at least one row or item.", "some(result[*].removed)"],
  ["count(check)", "The number of rows or items of which something is true.", "count(result[*].value == 0) < 10"],
  ["sum(value)", "The sum of a value over all rows or items, to the last digit.", "sum(result[*].value) > 0"],
].map(([signature = "", sentence = "", example = ""]) => ({
  name: signature.slice(0, signature.indexOf("(")),
  signature,
  docs: `${sentence}\n\n\`\`\`rpc\n?? ${example}\n\`\`\``,
  call: () => ({ problem: "is about all rows of a section with # @each" }),
}))

/** Whether a check is about all rows, and evaluated once. */
export const isOverRows = ({ expr }: Pick<CheckNode, "expr">): boolean => {
  const visit = (node: SyntaxNode): boolean =>
    (node.kind === "Function" && isRowFunction(node.name.text) && !node.args.some(hasItems)) ||
    childrenOf(node).some(visit)
  return visit(expr)
}

/** A row as its functions see it. */
export interface RowScope {
  readonly place: string
  readonly scope: Scope
}

/** What such a function returns for rows, in steps of one row each. */
export function* overRows(
  name: string,
  argument: ExprNode,
  rows: Iterable<RowScope>,
  noun: "item" | "row" = "row",
): Steps<Evaluated> {
  let [total, count] = [0, 0]
  let sum: Evaluated = known(0)
  for (const { place, scope } of rows) {
    yield
    const value = evaluate(argument, scope)
    const at = (words: string) => (place === "" ? words : `${place}: ${words}`)
    if (value._tag === "Problem")
      return { ...value, diagnostics: value.diagnostics.map((one) => ({ ...one, message: at(one.message) })) }
    if (value._tag === "Pending") return value
    total++
    if (isTruthy(value.value)) count++
    if (name !== "sum" || sum._tag !== "Value") continue
    const added = calculate("+", sum.value, value.value)
    if ("problem" in added) return failed(problem("A208", argument, at(added.problem)))
    sum = { _tag: "Value", value: added.value, secret: sum.secret || value.secret }
  }
  switch (name) {
    case "every":
      return known(count === total)
    case "some":
    case "count": {
      const value = name === "some" ? count > 0 : count
      return { _tag: "Value", value, secret: false, tally: `${count} of ${total} ${noun}${total === 1 ? "" : "s"}` }
    }
    default:
      return sum
  }
}
