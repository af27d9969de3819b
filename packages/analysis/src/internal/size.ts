/** How large a value is, before anything is made of it that would be too large. */
import { Json } from "@dotrpc/spec"

/** The most characters that values filled into another one may have, written as JSON. */
export const longestValue = 1_000_000

/** How deep a value may nest: as deep as a result. */
export const deepestValue = 512

/** Of the JSON of a value, about: the characters, and how deep it nests. */
export interface Size {
  readonly length: number
  readonly depth: number
}

/** A value that is used twice is measured once, so that one of ten doublings costs no more than one of two. */
export const sizeOf = (value: Json.Json): Size => {
  switch (typeof value) {
    case "string":
      return { length: value.length, depth: 0 }
    case "bigint":
    case "number":
    case "boolean":
      return scalar
    default:
      break
  }
  if (value === null) return scalar
  if (!Json.isArray(value) && !Json.isObject(value)) return { length: String(value).length, depth: 0 }
  const known = sizes.get(value)
  if (known !== undefined) return known
  let length = 2
  let depth = 0
  const add = (child: Json.Json): void => {
    const size = sizeOf(child)
    length += size.length + 1
    depth = Math.max(depth, size.depth)
  }
  if (Json.isArray(value)) value.forEach(add)
  else
    for (const [key, child] of Object.entries(value)) {
      length += key.length + 3
      add(child)
    }
  const size = { length, depth: depth + 1 }
  sizes.set(value, size)
  return size
}

const scalar: Size = { length: 4, depth: 0 }

const sizes = new WeakMap<object, Size>()
