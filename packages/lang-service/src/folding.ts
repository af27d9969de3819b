/** What can be folded away: sections, brackets over several lines, block comments. */
import { type FileNode, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import { type LineIndex, positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"
import type { AnalysedText } from "./AnalysedText.ts"

/** Lines from 0; `end` is the last line that disappears. */
export interface Fold {
  readonly start: number
  readonly end: number
  readonly kind: "section" | "brackets" | "comment"
}

/** In the order of their first line, an outer fold before the inner ones. */
export const folding = ({ analysis, lines }: AnalysedText): ReadonlyArray<Fold> =>
  [...sectionFolds(analysis.tree, lines), ...tokenFolds(analysis.tree, lines)]
    .filter((fold) => fold.end > fold.start)
    .toSorted((left, right) => left.start - right.start || right.end - left.end)

/** Blank lines at the end of a section stay visible, so that folded sections keep their distance. */
const sectionFolds = (tree: FileNode, lines: LineIndex): ReadonlyArray<Fold> =>
  tree.sections.map((section) => {
    const text = lines.text.slice(section.start, section.end)
    return {
      start: positionAt(lines, section.start).line,
      end: positionAt(lines, section.start + text.trimEnd().length).line,
      kind: "section",
    }
  })

const tokenFolds = (tree: FileNode, lines: LineIndex): ReadonlyArray<Fold> => {
  const { tokens } = tree
  const folds: Array<Fold> = []
  const open: Array<number> = []
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    const line = () => positionAt(lines, tokenStart(tokens, index)).line
    if (kind >= Kind.FirstBoundary) open.length = 0
    else if (kind === Kind.OpenBracket || kind === Kind.OpenBrace) open.push(line())
    else if (kind === Kind.CloseBracket || kind === Kind.CloseBrace) {
      const start = open.pop()
      // The line of the closing bracket stays, as it holds what follows.
      if (start !== undefined) folds.push({ start, end: line() - 1, kind: "brackets" })
    } else if (kind === Kind.BlockComment) {
      folds.push({ start: line(), end: positionAt(lines, tokenEnd(tokens, index)).line, kind: "comment" })
    }
  }
  return withoutRepeats(folds)
}

/** `[{` opens two brackets on one line: only one of them can be folded there. */
const withoutRepeats = (folds: ReadonlyArray<Fold>): ReadonlyArray<Fold> => {
  const longest = new Map<number, Fold>()
  for (const fold of folds) {
    if (fold.end > (longest.get(fold.start)?.end ?? fold.start)) longest.set(fold.start, fold)
  }
  return [...longest.values()]
}
