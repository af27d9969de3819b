/** How large a value is, before anything is made of it that would be too large. */
import { atOnce, Json, type Steps } from "@dotrpc/spec"

/** The most characters that values filled into another one may have, written as JSON. */
export const longestValue = 1_000_000

/** How deep a value may nest: as deep as a result. */
export const deepestValue = 512

/** Of the JSON of a value, about: the characters, and how deep it nests. */
export interface Size {
  readonly length: number
  readonly depth: number
}

/** A large value that is used twice is measured once, so that one of ten doublings costs no more than one of two. */
export const sizeOf = (value: Json.Json): Size => atOnce(measuring(value))

/** As `sizeOf`, in steps that each take a few milliseconds, after which the size is known. */
export function* measuring(value: Json.Json): Steps<Size> {
  if (!isHolder(value)) return scalarSize(value)
  const known = sizes.get(value) ?? smallSize(value, { parts: fewParts })
  if (known !== undefined) return known
  const names = Json.isObject(value) ? Object.keys(value) : undefined
  const count = Json.isArray(value) ? value.length : (names?.length ?? 0)
  let length = 2
  let depth = 0
  for (let index = 0; index < count; index++) {
    const name = names?.[index]
    const member = memberOf(value, name ?? index)
    const size: Size = smallSize(member, { parts: fewParts }) ?? (yield* measuring(member))
    length += size.length + 1 + (name === undefined ? 0 : name.length + 3)
    depth = Math.max(depth, size.depth)
    if (index % fewParts === fewParts - 1) yield
  }
  const size = { length, depth: depth + 1 }
  sizes.set(value, size)
  return size
}

type Holder = ReadonlyArray<Json.Json> | Json.JsonObject

/** To remember the sizes of all parts of a large value would take longer, and more memory, than to measure it. */
const sizes = new WeakMap<Holder, Size>()

/** So many parts are measured faster than their size is looked up. */
const fewParts = 64

/** The size of a value without many parts. What is left of `parts` may still be looked at. */
const smallSize = (value: Json.Json, left: { parts: number }): Size | undefined => {
  if (!isHolder(value)) return scalarSize(value)
  let length = 2
  let depth = 0
  const add = (member: Json.Json): boolean => {
    const size = left.parts-- > 0 ? smallSize(member, left) : undefined
    if (size === undefined) return false
    length += size.length + 1
    depth = Math.max(depth, size.depth)
    return true
  }
  if (Json.isArray(value)) {
    if (value.length > left.parts || !value.every(add)) return undefined
  } else
    for (const name in value) {
      length += name.length + 3
      if (!add(memberOf(value, name))) return undefined
    }
  return { length, depth: depth + 1 }
}

const scalarSize = (value: Exclude<Json.Json, Holder>): Size => {
  if (typeof value === "string") return { length: value.length, depth: 0 }
  return value instanceof Json.JsonNumber ? { length: value.text.length, depth: 0 } : short
}

const short: Size = { length: 4, depth: 0 }

const isHolder = (value: Json.Json): value is Holder => Json.isArray(value) || Json.isObject(value)

const memberOf = (value: Holder, at: string | number): Json.Json =>
  // Members of a value are JSON; one that is absent is not asked for.
  Reflect.get(value, at) as Json.Json
