/**
 * Formats a file by its tokens: only the white space between them changes.
 *
 * Invariant: formatting is idempotent, keeps every token that is not white space, and leaves a section (or prelude) with an error
 * of syntax as it is, byte for byte.
 */
import { isSyntaxError } from "./Diagnostic.ts"
import type { Diagnostic, TextEdit } from "./Diagnostic.ts"
import { layOut } from "./internal/layout.ts"
import { parse } from "./Parser.ts"
import type { FileNode } from "./Syntax.ts"
import { tokenAt } from "./Token.ts"

/**
 * Formats a file: two spaces of indentation, one space after `:` and `,` and around operators, a blank line before each `###`,
 * no spaces at the end of lines. Brackets on one line stay on one line if they fit 100 columns; lines that the author broke
 * stay broken. The line breaks of a section become those of its first line.
 */
export function format(text: string): string {
  const { tree, diagnostics } = parse(text)
  let formatted = ""
  for (const region of formatRegions(tree, diagnostics)) formatted += region.text
  return formatted
}

/**
 * What {@link format} makes of each region of a file: of its prelude, then of every section. One after the other, as each is
 * asked for. `diagnostics` may hold others than those of syntax.
 */
export function* formatRegions(tree: FileNode, diagnostics: ReadonlyArray<Diagnostic>): Generator<TextEdit, void> {
  const { tokens } = tree
  const { text } = tokens
  const errors = diagnostics.filter(isSyntaxError)
  const fallback = firstLineBreak(text) ?? "\n"
  let error = 0
  for (const { start, end } of [tree.prelude, ...tree.sections]) {
    const source = text.slice(start, end)
    const before = error
    while ((errors[error]?.start ?? end) < end) error++
    if (error > before) yield { start, end, text: source }
    else {
      const lineBreak = firstLineBreak(source) ?? fallback
      const content = layOut(tokens, tokenAt(tokens, start), tokenAt(tokens, end), lineBreak)
      const isEmpty = content === "" || content === "\uFEFF"
      yield { start, end, text: isEmpty ? content : content + lineBreak.repeat(end === text.length ? 1 : 2) }
    }
  }
}

function firstLineBreak(text: string): string | undefined {
  return /\r\n?|\n/.exec(text)?.[0]
}
