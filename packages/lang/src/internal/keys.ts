/** Finds keys that one object has twice. */
import type { PropertyNode } from "../Syntax.ts"
import { report } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"

/** Up to this many keys, comparing each with all before it is quicker than a set. */
const fewKeys = 8

/** Reports every key that the object has before. Keys with templates are not known yet. */
export function reportRepeatedKeys(cursor: Cursor, properties: ReadonlyArray<PropertyNode>): void {
  if (properties.length > fewKeys) return reportRepeatedOfMany(cursor, properties)
  for (let index = 1; index < properties.length; index++) {
    const key = properties[index]?.key
    if (key?.value === undefined) continue
    for (let before = 0; before < index; before++) {
      if (properties[before]?.key.value !== key.value) continue
      reportRepeated(cursor, key)
      break
    }
  }
}

function reportRepeatedOfMany(cursor: Cursor, properties: ReadonlyArray<PropertyNode>): void {
  const seen = new Set<string>()
  for (const { key } of properties) {
    if (key.value === undefined) continue
    if (seen.has(key.value)) reportRepeated(cursor, key)
    seen.add(key.value)
  }
}

function reportRepeated(cursor: Cursor, key: PropertyNode["key"]): void {
  report(cursor, "L317", key, `The key "${key.value}" is given twice; keep one of them`)
}
