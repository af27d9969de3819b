/** The part of an answer that two servers can agree on. */
import { Json, type Method } from "@dotrpc/spec"

/** Without the slot that a server was at, and accounts by their keys: nodes list them in any order. */
export const comparable = (_method: Method, result: Json.Json): Json.Json => {
  if (!Json.isObject(result) || result["context"] === undefined) return byKey(result)
  const { context: _, ...rest } = result
  const { value } = rest
  return value === undefined ? rest : { ...rest, value: byKey(value) }
}

const byKey = (value: Json.Json): Json.Json => {
  if (!Json.isArray(value)) return value
  const keyed = value.map((item) => [keyOf(item), item] as const)
  if (!keyed.every(([key]) => key !== undefined)) return value
  return keyed
    .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, item]) => item)
}

const keyOf = (item: Json.Json): string | undefined => {
  const key = Json.isObject(item) ? item["pubkey"] : undefined
  return typeof key === "string" ? key : undefined
}
