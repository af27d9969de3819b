/** JSON as one text per value: members in the order of their names, so that equal params have equal text. */
import { Json } from "@dotrpc/spec"

export const canonical = (value: Json.Json): string => {
  if (Json.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!Json.isObject(value)) return Json.stringify(value)
  const members: Array<string> = []
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name]
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${canonical(member)}`)
  }
  return `{${members.join(",")}}`
}
