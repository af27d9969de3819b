/** What the name in an `# @each` leads to. */
import type { ExprNode } from "@dotrpc/lang"
import { evaluate, type Evaluated, type Scope } from "../Evaluate.ts"
import { resolveName, type View } from "../Names.ts"
import type { Workspace } from "../Workspace.ts"

/** The rows as a value; of a request that is named alone, its result. */
export const rowsValue = (expr: ExprNode, view: View, workspace: Workspace, scope: Scope): Evaluated =>
  evaluate(isRequest(expr, view, workspace) ? resultOf(expr) : expr, scope)

const isRequest = (expr: ExprNode, view: View, workspace: Workspace): boolean =>
  expr.kind === "Name" && resolveName(expr.name, view, workspace)?.kind === "request"

const resultOf = (object: ExprNode): ExprNode => ({
  kind: "Member",
  start: object.start,
  end: object.end,
  object,
  property: { start: object.start, end: object.end, text: "result" },
})
