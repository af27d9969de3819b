/** What the rows of a result were made from, one item for each. */
import { Json, type Method } from "@dotrpc/spec"

/**
 * The items of a result that is a list, or the list that the method or the shape of the result names; `undefined` when it
 * is not as long as the table, because then its rows are something else.
 */
export const itemsOf = (
  method: Method | undefined,
  result: Json.Json,
  rows: number,
): ReadonlyArray<Json.Json> | undefined => {
  const lists = [method?.range?.items(result), Json.isArray(result) ? result : undefined, ...listsIn(result)]
  return lists.find((list) => list?.length === rows)
}

/** Of an object with one list in it, such as `{ "context": …, "value": […] }`. */
const listsIn = (result: Json.Json): ReadonlyArray<ReadonlyArray<Json.Json>> => {
  const lists = Json.isObject(result) ? Object.values(result).filter(Json.isArray) : []
  return lists.length === 1 ? lists : []
}
