/** Finds keys that one object has twice. */
import type { PropertyNode, StringNode } from "../Syntax.ts"
import { report } from "./cursor.ts"
import type { Cursor } from "./cursor.ts"
import { PlainString } from "./plainString.ts"

/** Up to this many keys, comparing each with all before it is quicker than a set. */
const fewKeys = 8

/** Reports every key that the object has before. Keys with templates are not known yet. */
export function reportRepeatedKeys(cursor: Cursor, properties: ReadonlyArray<PropertyNode>): void {
  if (properties.length > fewKeys) return reportRepeatedOfMany(cursor, properties)
  for (let index = 1; index < properties.length; index++) {
    const key = properties[index]?.key
    for (let before = 0; before < index; before++) {
      if (!saysSame(key, properties[before]?.key)) continue
      reportRepeated(cursor, key)
      break
    }
  }
}

/** Plain strings of different lengths need not be cut out to see that they differ. */
function saysSame(left: StringNode | undefined, right: StringNode | undefined): left is StringNode {
  const arePlain = left instanceof PlainString && right instanceof PlainString
  if (arePlain && left.end - left.start !== right.end - right.start) return false
  return left?.value !== undefined && left.value === right?.value
}

function reportRepeatedOfMany(cursor: Cursor, properties: ReadonlyArray<PropertyNode>): void {
  const seen = new Set<string>()
  for (const { key } of properties) {
    const { value } = key
    if (value === undefined) continue
    if (seen.has(value)) reportRepeated(cursor, key)
    seen.add(value)
  }
}

function reportRepeated(cursor: Cursor, key: StringNode): void {
  report(cursor, "L317", key, `the key "${key.value}" is given twice; keep one of them`)
}
