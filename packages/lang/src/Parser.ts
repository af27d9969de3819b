/**
 * Parses a text into a tree and diagnostics.
 *
 * The text is cut into tokens and sections at once; a section is parsed when its content, or the list of diagnostics, is first
 * read.
 *
 * Invariant: parsing never throws, and what is inside one section changes neither the tree nor the diagnostics of another
 * (two sections of the same name are the one finding that takes two sections).
 */
import { resultOf, sectionsBetween } from "./internal/result.ts"
import { parsePrelude } from "./internal/sections.ts"
import type { ParseResult } from "./ParseResult.ts"
import { scan } from "./Scanner.ts"
import type { FileNode } from "./Syntax.ts"
import { tokenText } from "./Token.ts"
import type { TokenList } from "./Token.ts"

/**
 * Parses a file. Takes any string, never throws, and puts every code unit into the tree.
 *
 * @example
 * const { tree, diagnostics } = parse("### Logs\neth_getLogs [{}]\n")
 */
export function parse(text: string): ParseResult {
  return parseTokens(scan(text))
}

/** Parses a text that has been cut into tokens. */
export function parseTokens(tokens: TokenList): ParseResult {
  return resultOf(tokens, { prelude: parsePrelude(tokens), sections: sectionsBetween(tokens, 0, tokens.length) })
}

/** Writes a tree back: the text that it was parsed from, put together from its tokens. */
export function print(tree: FileNode): string {
  const { tokens } = tree
  return Array.from({ length: tokens.length }, (_, index) => tokenText(tokens, index)).join("")
}
