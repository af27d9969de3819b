/**
 * How large a text may be that is analysed while somebody edits it. `dotrpc check` has other limits, as nobody waits at a
 * key for it.
 *
 * Invariant: whether a text is analysed depends on that text alone, never on a clock.
 */
import { tokenKind, type TokenList, tokenStart, tokenText } from "@dotrpc/lang"
import { type LineIndex, lineIndex, positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"

/** The most characters of a text that is parsed. */
const mostCharacters = 500_000

/** The most lines. */
const mostLines = 50_000

/** The most characters of a text that is kept: of a longer one, no edit is followed. */
const mostCharactersKept = 1_500_000

/** The same of its lines. */
const mostLinesKept = 100_000

/**
 * The most words, numbers and signs of one section, or of what stands above the first, where an escape in
 * a string counts as one: a section is read all at once.
 */
const mostInSection = 5_000

/** The most sections. */
const mostSections = 10_000

/** The most cells of a notebook, which an editor sends all at once, and which make one text at each key. */
const mostCells = 10_000

/** The most characters of an `rpc.config.json`, which is read all at once. */
const mostOfConfig = 50_000

/** Why an `rpc.config.json` is not read, after its name. */
export const configRefusal = (text: string): string | undefined =>
  text.length > mostOfConfig
    ? `is longer than ${shown(mostOfConfig)} characters, the most that an editor reads`
    : undefined

/** Why a configuration is refused, in words for the user. */
export const lengthRefusal = (text: string): string | undefined => {
  const reason = configRefusal(text)
  return reason === undefined ? undefined : `rpc.config.json ${reason}: divide the project`
}

/** The whole sentence of a refusal, the same wherever it is shown. */
export const refusedWords = (reason: string): string =>
  `${reason}, which is more than the editor analyses: divide it, or use dotrpc check and dotrpc run in a terminal.`

/** Why a text is not parsed: the first half of a sentence for the user. */
export const tooLong = (length: number, lines: number): string | undefined => {
  if (length > mostCharacters) return `This file is longer than ${shown(mostCharacters)} characters`
  return lines > mostLines ? `This file has more than ${shown(mostLines)} lines` : undefined
}

/** Why a notebook is not read: the first half of a sentence for the user. */
export const tooManyCells = (cells: number): string | undefined =>
  cells > mostCells ? `This notebook has more than ${shown(mostCells)} cells` : undefined

/** The lines of a text whose edits are followed; `undefined` of one so large that to keep its lines alone would take too long. */
export const keptLines = (text: string): LineIndex | undefined => {
  if (text.length > mostCharactersKept) return undefined
  const lines = lineIndex(text)
  return lines.starts.length > mostLinesKept ? undefined : lines
}

/** The same of a text that is parsed, as its words have to be counted. */
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
    if (sections > mostSections) return `This file has more than ${shown(mostSections)} sections`
    if (count > mostInSection) {
      const line = positionAt(tokens.text, start).line + 1
      return `The section in line ${line} has more than ${shown(mostInSection)} words, numbers and signs`
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

const shown = (count: number): string => count.toLocaleString("en")
