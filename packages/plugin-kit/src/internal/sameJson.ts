/** Equality of JSON, whatever the order of members, and digit for digit. */
import { Json } from "@dotrpc/spec"

export const sameJson = (left: Json.Json, right: Json.Json): boolean =>
  Json.stringify(sorted(left)) === Json.stringify(sorted(right))

const sorted = (value: Json.Json): Json.Json => {
  if (Json.isArray(value)) return value.map(sorted)
  if (!Json.isObject(value)) return value
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
