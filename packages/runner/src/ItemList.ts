/** What the rows of a result were made from, one item for each. */
import { Json } from "@dotrpc/spec"
import type { RequestReport } from "./RunEvent.ts"

/** A result as a list of items. */
export interface ItemList {
  readonly items: ReadonlyArray<Json.Json>
  /** The result with these items instead of its own. */
  readonly withItems: (items: ReadonlyArray<Json.Json>) => Json.Json
}

/**
 * The items that the report names, those of a result that is a list, or the list that the method or the shape of the result
 * names; `undefined` when it is not as long as the table, because then its rows are something else.
 *
 * @param rows how many rows the table of the result has
 */
export const itemListOf = (report: RequestReport, result: Json.Json, rows: number): ItemList | undefined => {
  const { items = report.partial?.items, request } = report
  if (items !== undefined) return { items, withItems: (chosen) => chosen }
  const range = request.method?.range
  const named = range === undefined ? [] : [{ items: range.items(result), withItems: range.join }]
  return [...named, ...listsIn(result)].find(({ items }) => items.length === rows)
}

/** A result that is a list, or an object with one list in it, such as `{ "context": …, "value": […] }`. */
const listsIn = (result: Json.Json): ReadonlyArray<ItemList> => {
  if (Json.isArray(result)) return [{ items: result, withItems: (items) => items }]
  if (!Json.isObject(result)) return []
  const lists = Object.entries(result).flatMap(([name, member]) =>
    Json.isArray(member)
      ? [{ items: member, withItems: (items: ItemList["items"]) => ({ ...result, [name]: items }) }]
      : [],
  )
  return lists.length === 1 ? lists : []
}
