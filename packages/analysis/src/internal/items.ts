/** The `[*]` of expressions, by the text alone. */
import type { ExprNode, IndexExpr } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import { Json } from "@dotrpc/spec"

/** Whether an expression has a `[*]`. */
export const hasItems = (expr: ExprNode): boolean => expr.kind === "AllItems" || partsOf(expr).some(hasItems)

/** Two mentions of one list have the same key. */
export const listKey = ({ object }: Pick<IndexExpr, "object">): string => {
  const textOf = (expr: ExprNode): string => {
    switch (expr.kind) {
      case "Name":
        return expr.name
      case "Group":
        return textOf(expr.expr)
      case "AllItems":
        return "*"
      case "Literal":
        return Json.stringify("text" in expr ? expr.text : "value" in expr ? expr.value : null)
      case "Member":
        return `${textOf(expr.object)}.${expr.property.text}`
      case "Index":
        return `${textOf(expr.object)}[${textOf(expr.index)}]`
      default:
        return `@${expr.start}`
    }
  }
  return textOf(object)
}

/** The expressions inside one. */
export const partsOf = (expr: ExprNode): ReadonlyArray<ExprNode> => childrenOf(expr) as ReadonlyArray<ExprNode>
