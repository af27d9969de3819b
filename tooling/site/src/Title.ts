/** The heading that a document begins with. */
import { basename } from "node:path"
import type { CommentDisplayPart } from "typedoc"

const heading = /^# ([^\n]*)\n/

/** Without marks of code; the name of the file where a document begins with something else. */
export const titleOf = (text: string, path: string): string =>
  heading.exec(text)?.[1]?.replaceAll("`", "") ?? basename(path, ".md")

/** A parsed document without its heading. */
export const withoutTitle = (parts: ReadonlyArray<CommentDisplayPart>): Array<CommentDisplayPart> => {
  const [first, ...others] = parts
  if (first === undefined || !first.text.startsWith("# ")) return [...parts]
  const end = first.text.indexOf("\n")
  if (end >= 0) return [{ ...first, text: first.text.slice(end + 1) }, ...others]
  // A heading with code in it goes on in the next parts.
  const next = others.findIndex(({ text }) => text.includes("\n"))
  const rest = others[next]
  return rest === undefined
    ? []
    : [{ ...rest, text: rest.text.slice(rest.text.indexOf("\n")) }, ...others.slice(next + 1)]
}
