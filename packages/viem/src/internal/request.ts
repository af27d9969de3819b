/** A request as viem makes it (EIP-1193). */
import { Json } from "@dotrpc/spec"
import { stringify } from "viem"

/** A request as viem makes it. */
export interface EvmRequest {
  readonly method: string
  readonly params?: unknown
}

/** The params as JSON, as viem itself would have written them: members that are `undefined` are left out. */
export const paramsOf = ({ params = [] }: EvmRequest): Json.Json => Json.parse(stringify(params))

/** A result as viem's formatters read it: integers keep their digits as `bigint`, fractions become numbers. */
export const plain = (value: Json.Json): unknown => (holdsJsonNumber(value) ? withNumbers(value) : value)

const holdsJsonNumber = (value: Json.Json): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (value instanceof Json.JsonNumber) return true
  return Json.isArray(value) ? value.some(holdsJsonNumber) : Object.values(value).some(holdsJsonNumber)
}

const withNumbers = (value: Json.Json): unknown => {
  if (value instanceof Json.JsonNumber) return value.valueOf()
  if (Json.isArray(value)) return value.map(withNumbers)
  if (!Json.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]))
}
