/**
 * Formats a file by its tokens: only the white space between them changes.
 *
 * Invariant: formatting is idempotent, keeps every token that is not white space, and leaves a section (or prelude) with an error
 * of syntax as it is, byte for byte.
 */
import { isSyntaxError } from "./Diagnostic.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import { layOut } from "./internal/layout.ts"
import { parse } from "./Parser.ts"
import type { Span } from "./Syntax.ts"
import { tokenAt, tokenKind, tokenText } from "./Token.ts"
import type { TokenList } from "./Token.ts"
import * as Kind from "./TokenKind.ts"

/**
 * Formats a file: two spaces of indentation, one space after `:` and `,` and around operators, a blank line before each `###`,
 * no spaces at the end of lines. Brackets on one line stay on one line if they fit 100 columns; lines that the author broke
 * stay broken. The line breaks of a section become those of its first line.
 */
export function format(text: string): string {
  const { tree, diagnostics } = parse(text)
  const { tokens } = tree
  const regions: ReadonlyArray<Span> = [tree.prelude, ...tree.sections]
  const broken = brokenRegions(regions, diagnostics)
  const fallback = firstLineBreak(tokens, 0, tokens.length) ?? "\n"
  let formatted = ""
  for (const [index, region] of regions.entries()) {
    if (broken.has(index)) {
      formatted += text.slice(region.start, region.end)
      continue
    }
    const from = tokenAt(tokens, region.start)
    const to = tokenAt(tokens, region.end)
    const lineBreak = firstLineBreak(tokens, from, to) ?? fallback
    const content = layOut(tokens, from, to, lineBreak)
    const isLast = index === regions.length - 1
    formatted += content === "" || content === "\uFEFF" ? content : content + lineBreak.repeat(isLast ? 1 : 2)
  }
  return formatted
}

function brokenRegions(regions: ReadonlyArray<Span>, diagnostics: ReadonlyArray<Diagnostic>): ReadonlySet<number> {
  const broken = new Set<number>()
  let region = 0
  for (const diagnostic of diagnostics) {
    while (region < regions.length - 1 && (regions[region]?.end ?? 0) <= diagnostic.start) region++
    if (isSyntaxError(diagnostic)) broken.add(region)
  }
  return broken
}

function firstLineBreak(tokens: TokenList, from: number, to: number): string | undefined {
  for (let index = from; index < to; index++) {
    const kind = tokenKind(tokens, index)
    if (kind === Kind.LineEnd || kind === Kind.Newline) return tokenText(tokens, index)
  }
  return undefined
}
