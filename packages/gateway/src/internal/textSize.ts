/** How large a value is, as JSON text and in values, without writing it. */
import { Json } from "@dotrpc/spec"

/**
 * How many characters the value has as JSON text, escapes included. Counting ends once that is more than the limit, so a value
 * that is far too large costs no more than one that just fits.
 */
export const textSize = (value: Json.Json | undefined, limit: number): number => {
  if (value === undefined) return 0
  if (typeof value === "string") return stringSize(value, limit)
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value).length
  if (value === null) return 4
  if (value instanceof Json.JsonNumber) return value.text.length
  let size = 2
  let isFirst = true
  const add = (characters: number) => {
    size += isFirst ? characters : characters + 1
    isFirst = false
    return size <= limit
  }
  if (Json.isArray(value)) {
    for (const item of value) if (!add(textSize(item, limit - size))) break
  } else
    for (const [name, member] of Object.entries(value)) {
      const before = stringSize(name, limit - size) + 1
      if (member !== undefined && !add(before + textSize(member, limit - size - before))) break
    }
  return size
}

const stringSize = (text: string, limit: number): number => {
  let size = text.length + 2
  for (let at = 0; at < text.length && size <= limit; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit === 0x5c) size += 1
    else if (unit < 0x20) size += hasShortEscape.has(unit) ? 1 : 5
    else if (unit >= 0xd800 && unit <= 0xdfff) {
      // Half of a pair that is alone is escaped.
      if ((text.codePointAt(at) ?? 0) > 0xffff) at++
      else size += 5
    }
  }
  return size
}

/** Backspace, tab, line feed, form feed and carriage return. */
const hasShortEscape: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

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
