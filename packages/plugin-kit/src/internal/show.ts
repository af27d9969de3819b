/** Values in messages. */
import { Json } from "@dotrpc/spec"

/** A value on one line, cut where it gets long. */
export const show = (value: Json.Json): string => {
  const text = Json.stringify(value)
  return text.length <= 400 ? text : `${text.slice(0, 397)}…`
}
