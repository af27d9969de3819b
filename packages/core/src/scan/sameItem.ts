/** Whether two items are one, as two replies show it. */
import { Json } from "@dotrpc/spec"

/** The order of an object's members does not matter. */
export const isSame = (left: Json.Json, right: Json.Json): boolean => {
  if (Json.isArray(left) || Json.isArray(right))
    return (
      Json.isArray(left) &&
      Json.isArray(right) &&
      left.length === right.length &&
      left.every((member, index) => isSame(member, right[index] ?? null))
    )
  if (!Json.isObject(left) || !Json.isObject(right)) return Json.stringify(left) === Json.stringify(right)
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => {
      const [mine, other] = [left[name], right[name]]
      return mine !== undefined && other !== undefined && isSame(mine, other)
    })
  )
}
