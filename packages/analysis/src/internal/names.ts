/** Walks the expressions inside a node. */
import type { EnvExpr, MemberExpr, NameExpr, SecretExpr, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"

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

/** Every `$secret.NAME` and `$env.NAME` in a node, in the order of the text. */
export const privatesIn = (node: SyntaxNode): ReadonlyArray<EnvExpr | SecretExpr> => {
  const found: Array<EnvExpr | SecretExpr> = []
  const visit = (current: SyntaxNode): void => {
    if (current.kind === "Env" || current.kind === "Secret") found.push(current)
    else if (!isLeaf(current)) childrenOf(current).forEach(visit)
  }
  visit(node)
  return found
}

/** Every `name.member` and, without a member, every `name[…]` with a number in a node, in the order of the text. */
export const readsOfNames = (
  node: SyntaxNode,
): ReadonlyArray<{ readonly name: NameExpr; readonly member?: MemberExpr["property"] | undefined }> => {
  const found: Array<{ readonly name: NameExpr; readonly member?: MemberExpr["property"] | undefined }> = []
  const visit = (current: SyntaxNode): void => {
    if (current.kind === "Member" && current.object.kind === "Name") {
      found.push({ name: current.object, member: current.property })
    } else if (current.kind === "Index" && current.object.kind === "Name" && isNumber(current.index)) {
      found.push({ name: current.object })
    } else if (!isLeaf(current)) childrenOf(current).forEach(visit)
  }
  visit(node)
  return found
}

const isNumber = (node: SyntaxNode): boolean => node.kind === "Literal" && node.type === "number"

/** Most of a file, and nothing in it: a string without templates has a value. */
const isLeaf = (node: SyntaxNode): boolean =>
  node.kind === "Directive" ||
  node.kind === "Number" ||
  node.kind === "Literal" ||
  node.kind === "Name" ||
  (node.kind === "String" && node.value !== undefined)
