/**
 * The text of a variable or a call as its author sees it: with the text after the value on its line, which may be a
 * mistake.
 */
import type { FileNode, Span } from "@dotrpc/lang"

export const statementOf = ({ start, end }: Span, { tokens: { text } }: FileNode): Span => {
  let last = end
  while (last < text.length && text[last] !== "\n" && text[last] !== "\r") last++
  return { start, end: last + 1 }
}
