/** Columns for items of a method that declares none, when all items are known. */
import { type ColumnType, type ColumnValue, type ItemColumns, Json } from "@dotrpc/spec"

/**
 * A column for each member that an item has, in the order of their first appearance, with the narrowest type that holds all its values
 * exactly; lists, objects and mixed values are JSON. Items that are not objects are in the column `value`. Never throws.
 *
 * @example
 * ```ts
 * const { columns, row } = inferColumns([{ block: 7, value: 2n ** 70n }]) // int64 and integer
 * ```
 */
export const inferColumns = (items: Iterable<Json.Json>): ItemColumns => {
  const kinds = new Map<string | undefined, Set<ColumnType>>()
  for (const item of items)
    for (const [member, value] of membersOf(item)) {
      const found = kinds.get(member) ?? new Set<ColumnType>()
      const type = typeOf(value)
      if (type !== undefined) found.add(type)
      kinds.set(member, found)
    }
  const taken = new Set<string>()
  const members = [...kinds].map(([member, types]) => ({
    member,
    column: { name: distinctName(taken, member ?? "value"), type: narrowest(types) },
  }))
  return {
    columns: members.map(({ column }) => column),
    row: (item) => {
      const values = new Map(membersOf(item))
      return members.map(({ column, member }) => valueOf(column.type, values.get(member)))
    },
  }
}

/** Readers of columns do not distinguish names by their case. */
const distinctName = (taken: Set<string>, name: string): string => {
  let distinct = name
  for (let count = 2; taken.has(distinct.toLowerCase()); count++) distinct = `${name}_${count}`
  taken.add(distinct.toLowerCase())
  return distinct
}

/** A value of its own has no name. */
const membersOf = (item: Json.Json): ReadonlyArray<readonly [string | undefined, Json.Json]> =>
  Json.isObject(item) ? Object.entries(item) : [[undefined, item]]

const typeOf = (value: Json.Json): ColumnType | undefined => {
  switch (typeof value) {
    case "boolean":
      return "boolean"
    case "string":
      return "text"
    case "bigint":
      return value >= -(2n ** 63n) && value < 2n ** 63n ? "int64" : "integer"
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "json"
    default:
      return value === null ? undefined : "json"
  }
}

const narrowest = (types: ReadonlySet<ColumnType>): ColumnType => {
  const [first, ...others] = types
  if (first === undefined) return "text"
  if (others.length === 0) return first
  return types.size === 2 && types.has("int64") && types.has("integer") ? "integer" : "json"
}

const valueOf = (type: ColumnType, value: Json.Json | undefined): ColumnValue => {
  if (value === undefined || value === null) return null
  if (type === "json") return Json.stringify(value)
  if (typeof value === "number") return BigInt(value)
  return typeof value === "object" ? Json.stringify(value) : value
}
