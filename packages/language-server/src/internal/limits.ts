/**
 * How large a text may be that is analysed while somebody edits it. `dotrpc check` has other limits, as nobody waits at a
 * key for it.
 *
 * Invariant: whether a text is analysed depends on that text alone, never on a clock.
 */
import { tokenKind, type TokenList, tokenStart, tokenText } from "@dotrpc/lang"
import { positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"

/** The most characters of a text that is parsed. */
export const mostCharacters = 500_000

/** The most characters of a text that is kept: of a longer one, no edit is followed. */
export const mostKept = 4_000_000

/** The most lines. */
const mostLines = 50_000

/**
 * The most words, numbers and signs of one section, or of what stands above the first, where an escape in
 * a string counts as one: a section is read all at once.
 */
const mostInSection = 5_000

/** The most sections. */
const mostSections = 10_000

/** Why a text is not parsed, in words for the user. */
export const tooLong = (length: number, lines: number): string | undefined => {
  if (length > mostCharacters) return notAnalysed(`This file is longer than ${shown(mostCharacters)} characters`)
  return lines > mostLines ? notAnalysed(`This file has more than ${shown(mostLines)} lines`) : undefined
}

/** Why a text is not analysed, in words for the user. */
export const tooMuch = (tokens: TokenList): string | undefined => {
  let sections = 0
  let count = 0
  let start = 0
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    if (kind === Kind.SectionMark) {
      sections++
      count = 0
      start = tokenStart(tokens, index)
    } else if (kind > Kind.LastTrivia) count += 1 + escapesIn(tokens, index, kind)
    if (sections > mostSections) return notAnalysed(`This file has more than ${shown(mostSections)} sections`)
    if (count > mostInSection) {
      const line = positionAt(tokens.text, start).line + 1
      return notAnalysed(`The section in line ${line} has more than ${shown(mostInSection)} words, numbers and signs`)
    }
  }
  return undefined
}

const escapesIn = (tokens: TokenList, index: number, kind: number): number => {
  const isString = (kind >= Kind.SingleQuoted && kind <= Kind.UnterminatedString) || kind === Kind.StringText
  if (!isString) return 0
  const text = tokenText(tokens, index)
  let count = 0
  for (let found = text.indexOf("\\"); found >= 0; found = text.indexOf("\\", found + 1)) count++
  return count
}

const notAnalysed = (reason: string): string =>
  `${reason}: the file is not analysed while it is edited. Run \`dotrpc check\` to read all of it.`

const shown = (count: number): string => count.toLocaleString("en")
