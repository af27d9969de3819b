/** Values as one line of text for a person. */
import type { Evaluated } from "@dotrpc/analysis"
import { Json, Table } from "@dotrpc/spec"

/** Instead of a value that a secret went into. */
export const secretText = "a secret; it is not shown"

/**
 * A value of the file in at most `width` characters; `undefined` when it is wrong, which its diagnostic says.
 *
 * Invariant: nothing that a secret went into is shown.
 */
export const showEvaluated = (evaluated: Evaluated, width = 80): string | undefined => {
  if (evaluated._tag === "Problem") return undefined
  if (evaluated._tag === "Pending") return "known once the request has run"
  return evaluated.secret ? secretText : showJson(evaluated.value, width)
}

/** JSON on one line, its middle left out when it is long. */
export const showJson = (value: Json.Json, width = 80): string => {
  const text = Json.stringify(value)
  return text.length <= width ? text : Table.shorten(text, Math.ceil(width / 2), Math.floor(width / 2) - 1)
}
