/** From a path in the params to the place in the text. */
import type { Span, ValueNode } from "@dotrpc/lang"
import type { ParamPath } from "@dotrpc/spec"

/** The value a path leads to, or the deepest one on the way there. */
export const nodeAt = (root: ValueNode, path: ParamPath): ValueNode => {
  let node = root
  for (const key of path) {
    const next = childOf(node, key)
    if (next === undefined) return node
    node = next
  }
  return node
}

/** The key of the member a path leads to; `undefined` when the path leads to an array item or to nothing. */
export const keyAt = (root: ValueNode, path: ParamPath): Span | undefined => {
  const key = path.at(-1)
  const parent = nodeAt(root, path.slice(0, -1))
  if (parent.kind !== "Object") return undefined
  return parent.properties.find((property) => property.key.value === key)?.key
}

const childOf = (node: ValueNode, key: string | number): ValueNode | undefined => {
  if (node.kind === "Array") return typeof key === "number" ? node.items[key] : undefined
  if (node.kind !== "Object") return undefined
  return node.properties.findLast((property) => property.key.value === String(key))?.value
}
