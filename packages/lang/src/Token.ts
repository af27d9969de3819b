/** The tokens of a file and how to read them. */
import { countInFront } from "./internal/search.ts"
import { EndOfFile } from "./TokenKind.ts"

/**
 * The tokens of a text, gap-free and in order: `data` has two numbers for each, its kind and its end; a token starts where
 * the one before it ends. Behind the last one stands `EndOfFile`, which does not count; what follows that is not in use.
 */
export interface TokenList {
  readonly text: string
  readonly data: Int32Array
  readonly length: number
}

/** The kind of a token, one of `TokenKind`; `EndOfFile` after the last one. */
export function tokenKind(tokens: TokenList, index: number): number {
  return index < tokens.length ? (tokens.data[index * 2] ?? EndOfFile) : EndOfFile
}

/** The offset of a token's first code unit; the length of the text behind the last token. */
export function tokenStart(tokens: TokenList, index: number): number {
  return index <= 0 ? 0 : tokenEnd(tokens, index - 1)
}

/** The offset after a token's last code unit. */
export function tokenEnd(tokens: TokenList, index: number): number {
  return index < tokens.length ? (tokens.data[index * 2 + 1] ?? tokens.text.length) : tokens.text.length
}

/** The source text of a token. */
export function tokenText(tokens: TokenList, index: number): string {
  return tokens.text.slice(tokenStart(tokens, index), tokenEnd(tokens, index))
}

/** The index of the token that holds the code unit at `offset`, or `length` at the end of the text. */
export function tokenAt(tokens: TokenList, offset: number): number {
  return countInFront(tokens.length, (index) => tokenEnd(tokens, index) <= offset)
}
