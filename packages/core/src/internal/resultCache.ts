/** Results by key, within a number, a size and an age; the least recently used one is dropped first. */
import { Json } from "@dotrpc/spec"

export interface ResultCache {
  readonly get: (key: string, now: number) => Json.Json | undefined
  readonly set: (key: string, result: Json.Json, now: number) => void
}

export interface CacheLimits {
  readonly entries: number
  /** Of keys and results together, as far as memory can be reckoned. */
  readonly bytes: number
  readonly lifetimeMillis: number
}

export const makeResultCache = (limits: CacheLimits): ResultCache => {
  // A map keeps the order of insertion, so an entry that is used is taken out and put in again.
  const entries = new Map<string, Entry>()
  let bytes = 0
  const remove = (key: string, entry: Entry) => {
    entries.delete(key)
    bytes -= entry.bytes
  }
  return {
    get: (key, now) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (now >= entry.expiresAt) {
        bytes -= entry.bytes
        return undefined
      }
      entries.set(key, entry)
      return entry.result
    },
    set: (key, result, now) => {
      const known = entries.get(key)
      if (known !== undefined) remove(key, known)
      const size = 2 * key.length + sizeOf(result, limits.bytes)
      if (size > limits.bytes) return
      entries.set(key, { result, bytes: size, expiresAt: now + limits.lifetimeMillis })
      bytes += size
      for (const [oldest, entry] of entries) {
        if (entries.size <= limits.entries && bytes <= limits.bytes) return
        remove(oldest, entry)
      }
    },
  }
}

interface Entry {
  readonly result: Json.Json
  readonly bytes: number
  readonly expiresAt: number
}

/** About what a value takes in memory; more than `limit` is not counted to its end. */
const sizeOf = (value: Json.Json, limit: number): number => {
  const left: Array<Json.Json> = [value]
  let bytes = 0
  for (let next = left.pop(); next !== undefined && bytes <= limit; next = left.pop()) {
    bytes += 16
    if (typeof next === "string") bytes += 2 * next.length
    else if (typeof next === "bigint") bytes += next.toString(16).length / 2
    else if (next instanceof Json.JsonNumber) bytes += 2 * next.text.length
    else if (Json.isArray(next)) for (const item of next) left.push(item)
    else if (Json.isObject(next)) for (const member of Object.values(next)) left.push(member)
  }
  return bytes
}
