/** From a path in the params to the place in the text. */
import type { Span, ValueNode } from "@dotrpc/lang"
import type { ParamPath } from "@dotrpc/spec"

type ObjectNode = Extract<ValueNode, { kind: "Object" }>
type Property = ObjectNode["properties"][number]

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
  return typeof key === "string" ? membersOf(parent).get(key)?.first.key : undefined
}

const childOf = (node: ValueNode, key: string | number): ValueNode | undefined => {
  if (node.kind === "Array") return typeof key === "number" ? node.items[key] : undefined
  if (node.kind !== "Object") return undefined
  return membersOf(node).get(String(key))?.last.value
}

/** Thousands of problems may be looked up in one object, so its names are read once. */
const membersOf = (node: ObjectNode): ReadonlyMap<string, Member> => {
  const known = members.get(node)
  if (known !== undefined) return known
  const byName = new Map<string, Member>()
  for (const property of node.properties) {
    const { value: name } = property.key
    if (name !== undefined) byName.set(name, { first: byName.get(name)?.first ?? property, last: property })
  }
  members.set(node, byName)
  return byName
}

/** The properties of one name: a later one takes the place of the first. */
interface Member {
  readonly first: Property
  readonly last: Property
}

const members = new WeakMap<ObjectNode, ReadonlyMap<string, Member>>()
