/** What stands before a place in the params of a call, as far as it is written out. A name in braces may be a secret: it is not known. */
import type { ValueNode } from "@dotrpc/lang"
import { Json, type ParamPath } from "@dotrpc/spec"

/** See `ParamSuggestions`. The place begins at the offset `end` of the text. */
export const paramsBefore = (
  params: ValueNode | undefined,
  path: ParamPath,
  end: number,
): ReadonlyArray<Json.Json | undefined> => {
  if (params?.kind === "Object") return [membersBefore(params, end)]
  const [position] = path
  if (params?.kind !== "Array" || typeof position !== "number") return []
  const whole = params.items.slice(0, Math.min(position, most.positions)).map(valueOf)
  const inside = params.items[position]
  return path.length > 1 && inside !== undefined ? [...whole, membersBefore(inside, end)] : whole
}

/** The most that is looked at: this runs while a person types. */
const most = { positions: 20, members: 50, characters: 2_000 } as const

const membersBefore = (node: ValueNode, end: number): Json.Json | undefined =>
  node.kind === "Object"
    ? Object.fromEntries(
        node.properties.slice(0, most.members).flatMap(({ key, value }) => {
          if (key.value === undefined || value === undefined || value.start >= end) return []
          const known = value.end <= end ? valueOf(value) : membersBefore(value, end)
          return known === undefined ? [] : [[key.value, known]]
        }),
      )
    : undefined

const valueOf = (node: ValueNode): Json.Json | undefined =>
  node.end - node.start > most.characters ? undefined : plain(node)

const plain = (node: ValueNode): Json.Json | undefined => {
  switch (node.kind) {
    case "Array": {
      const items = node.items.map(plain)
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case "Object": {
      const members = node.properties.map(({ key, value }) => [key.value, value && plain(value)] as const)
      const isKnown = (member: (typeof members)[number]): member is readonly [string, Json.Json] =>
        member[0] !== undefined && member[1] !== undefined
      return members.every(isKnown) ? Object.fromEntries(members) : undefined
    }
    case "String":
      return node.value
    case "Number":
      return numberOf(node.text)
    case "Boolean":
      return node.value
    case "Null":
      return null
    default:
      return undefined
  }
}

const numberOf = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch {
    return undefined
  }
}
