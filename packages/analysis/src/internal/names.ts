/** Walks the expressions inside a node. */
import { childrenOf, type MemberExpr, type NameExpr, type SyntaxNode } from "@dotrpc/lang"

/** Every name mentioned in a node, in the order of the text. */
export const namesIn = (node: SyntaxNode): ReadonlyArray<NameExpr> => {
  const found: Array<NameExpr> = []
  const visit = (current: SyntaxNode): void => {
    if (current.kind === "Name") found.push(current)
    else if (!isLeaf(current)) childrenOf(current).forEach(visit)
  }
  visit(node)
  return found
}

/** Every `name.member` in a node, in the order of the text. */
export const membersOfNames = (
  node: SyntaxNode,
): ReadonlyArray<{ readonly name: NameExpr; readonly member: MemberExpr["property"] }> => {
  const found: Array<{ readonly name: NameExpr; readonly member: MemberExpr["property"] }> = []
  const visit = (current: SyntaxNode): void => {
    if (current.kind === "Member" && current.object.kind === "Name") {
      found.push({ name: current.object, member: current.property })
    } else if (!isLeaf(current)) childrenOf(current).forEach(visit)
  }
  visit(node)
  return found
}

/** Most of a file, and nothing in it: a string without templates has a value. */
const isLeaf = (node: SyntaxNode): boolean =>
  node.kind === "Directive" ||
  node.kind === "Number" ||
  node.kind === "Literal" ||
  node.kind === "Name" ||
  (node.kind === "String" && node.value !== undefined)
