/**
 * A cell as it is copied: whole, and with nothing between the digits of its numbers. Pure.
 *
 * Invariant: what a server sent in these very words is copied as it is, whatever it looks like.
 */
import * as Json from "@dotrpc/spec/Json"
import { ungroupDigits } from "@dotrpc/spec/Table"

/** @param source JSON text of what the row was made from, without spaces between its values */
export const exactCell = (text: string, source: string | undefined): string => {
  const exact = ungroupDigits(text)
  return exact === text || wasSent(text, source ?? "") ? text : exact
}

/** As a string, or as an object or a list. */
const wasSent = (text: string, source: string): boolean =>
  source.includes(JSON.stringify(text)) || (/^[[{]/.test(text) && source.includes(text))

/** Indented JSON text without its spaces; other text as it is. */
export const sourceOf = (json: string | undefined): string => {
  try {
    return json === undefined ? "" : Json.stringify(Json.parse(json))
  } catch {
    return json ?? ""
  }
}
