/** JSON text with a line for each member, and every digit; text that is not JSON as it is. */
import * as Json from "@dotrpc/spec/Json"
import * as Visible from "@dotrpc/spec/Visible"

export const indented = (text: string): string => {
  try {
    return Visible.json(Json.stringify(Json.parse(text), 2))
  } catch {
    return text
  }
}
