/** From a place in the text to the path in the params: the reverse of how a diagnostic finds its place. */
import type { CallNode, SyntaxNode } from "@dotrpc/lang"
import type { ParamPath } from "@dotrpc/spec"

/** The call that the innermost of these nodes is inside, and the path to it in the call's params. */
export const paramPathOf = (
  nodes: ReadonlyArray<SyntaxNode>,
): { readonly call: CallNode; readonly path: ParamPath } | undefined => {
  const index = nodes.findIndex((node) => node.kind === "Call")
  const call = nodes[index]
  if (call?.kind !== "Call" || index === nodes.length - 1) return undefined
  const path = nodes.slice(index + 1).flatMap((node, position, inside): ParamPath => {
    const next = inside[position + 1]
    if (node.kind === "Property") return [node.key.value ?? ""]
    if (node.kind !== "Array" || next === undefined) return []
    return [node.items.findIndex((item) => item === next)]
  })
  return { call, path }
}
