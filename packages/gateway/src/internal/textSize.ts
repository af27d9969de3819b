/** How large a value is, as JSON text and in values, without writing it. */
import { Json } from "@dotrpc/spec"

/**
 * At least so many characters has the value as JSON text; escapes are not counted. Counting ends at the limit, so a value that
 * is far too large costs no more than one that just fits.
 */
export const leastTextSize = (value: Json.Json | undefined, limit: number): number => {
  if (value === undefined) return 0
  if (typeof value === "string") return value.length + 2
  if (typeof value === "number" || typeof value === "bigint") return String(value).length
  if (typeof value !== "object" || value === null) return 4
  if (value instanceof Json.JsonNumber) return value.text.length
  let size = 2
  if (Json.isArray(value))
    for (const item of value) {
      size += 1 + leastTextSize(item, limit - size)
      if (size > limit) return size
    }
  else
    for (const [name, member] of Object.entries(value)) {
      size += name.length + 4 + leastTextSize(member, limit - size)
      if (size > limit) return size
    }
  return size
}

/** Whether there are more than so many values in a value, those inside others included. */
export const hasMoreValues = (value: Json.Json | undefined, limit: number): boolean => {
  let left = limit
  const count = (item: Json.Json): boolean => {
    left -= 1
    if (left < 0) return true
    if (Json.isArray(item)) return item.length > left || item.some(count)
    if (!Json.isObject(item)) return false
    for (const name in item) if (count(item[name] ?? null)) return true
    return false
  }
  return value !== undefined && count(value)
}
