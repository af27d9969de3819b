/**
 * Parses again after an edit, only what the edit touches.
 *
 * Nodes before the edit stay the same; those after it move along and are parsed when they are read.
 *
 * Invariant: the result equals that of parsing the new text.
 */
import type { TextEdit } from "./Diagnostic.ts"
import { knownParts, resultOf, sectionsBetween } from "./internal/result.ts"
import { countUpTo } from "./internal/search.ts"
import { parsePrelude } from "./internal/sections.ts"
import { parse } from "./Parser.ts"
import type { ParseResult } from "./ParseResult.ts"
import { scanRange } from "./Scanner.ts"
import { tokenAt } from "./Token.ts"
import type { TokenList } from "./Token.ts"

/**
 * The result of parsing after one edit. `edit` replaces the text from `start` to `end`, in UTF-16 code units of the text that
 * was parsed before; offsets outside it are moved to its nearest end. `previous` stays as it is.
 *
 * @example
 * const before = parse("### Logs\neth_getLogs [1]\n")
 * const after = reparse(before, { start: 22, end: 23, text: "{}" }) // of "### Logs\neth_getLogs [{}]\n"
 */
export function reparse(previous: ParseResult, edit: TextEdit): ParseResult {
  const { tokens } = previous.tree
  const start = within(edit.start, 0, tokens.text.length)
  const end = within(edit.end, start, tokens.text.length)
  const text = tokens.text.slice(0, start) + edit.text + tokens.text.slice(end)
  const parts = knownParts(previous.tree)
  if (parts === undefined) return parse(text)

  const { sections } = parts
  const delta = text.length - tokens.text.length
  const first = countUpTo(sections, start - markLength) - 1
  const behind = countUpTo(sections, Math.max(end, byteOrderMarkLength))
  const from = sections[first]?.start ?? 0
  const to = sections[behind]?.start ?? tokens.text.length
  const fromToken = tokenAt(tokens, from)
  const toToken = tokenAt(tokens, to)
  const fresh = scanRange(text, from, to + delta)
  const spliced = splice(tokens, fromToken, toToken, fresh, delta)

  return resultOf(spliced, {
    prelude: first < 0 ? parsePrelude(spliced) : parts.prelude,
    sections: [
      ...sections.slice(0, Math.max(first, 0)).map((section) => section.movedBy(0, 0, spliced)),
      ...sectionsBetween(spliced, fromToken, fromToken + fresh.length),
      ...sections.slice(behind).map((section) => section.movedBy(delta, spliced.length - tokens.length, spliced)),
    ],
  })
}

/** An edit behind so many characters of a section leaves its `###` alone. */
const markLength = 3

/** A section right behind a byte order mark begins a line only for as long as that mark begins the text. */
const byteOrderMarkLength = 1

function within(offset: number, low: number, high: number): number {
  return Math.min(Math.max(offset, low), high)
}

/** Replaces the tokens between two indexes, and moves the ends of those behind by `delta`. */
function splice(tokens: TokenList, from: number, to: number, fresh: TokenList, delta: number): TokenList {
  const length = tokens.length - (to - from) + fresh.length
  const data = new Int32Array((length + 1) * 2)
  data.set(tokens.data.subarray(0, from * 2))
  data.set(fresh.data.subarray(0, fresh.length * 2), from * 2)
  data.set(tokens.data.subarray(to * 2, (tokens.length + 1) * 2), (from + fresh.length) * 2)
  for (let index = from + fresh.length; index <= length; index++) {
    const end = index * 2 + 1
    data[end] = (data[end] ?? 0) + delta
  }
  return { text: fresh.text, data, length }
}
