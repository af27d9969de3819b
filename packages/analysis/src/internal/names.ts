/** Walks the expressions inside a node. */
import { childrenOf, type MemberExpr, type NameExpr, type SyntaxNode } from "@dotrpc/lang"

/** Every name mentioned in a node, in the order of the text. */
export const namesIn = (node: SyntaxNode): ReadonlyArray<NameExpr> =>
  node.kind === "Name" ? [node] : childrenOf(node).flatMap(namesIn)

/** Every `name.member` in a node, in the order of the text. */
export const membersOfNames = (
  node: SyntaxNode,
): ReadonlyArray<{ readonly name: NameExpr; readonly member: MemberExpr["property"] }> => {
  const inside = childrenOf(node).flatMap(membersOfNames)
  return node.kind === "Member" && node.object.kind === "Name"
    ? [{ name: node.object, member: node.property }, ...inside]
    : inside
}
