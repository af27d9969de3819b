/** Where a name is defined, and everywhere it is used. */
import { type Analysis, atOnce, type Steps } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { type LineIndex, lineIndex, offsetAt, type Position } from "@dotrpc/lang/locate"
import type { AnalysedText } from "./AnalysedText.ts"
import { fileAt } from "./internal/files.ts"
import { findingOccurrences, isSameFile, targetAt } from "./internal/names.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** A range of the document, or of another file when there is an address. */
export interface Location {
  readonly uri?: string | undefined
  readonly range: TextRange
}

/** A place where a name is used or defined. */
export interface Reference extends Location {
  readonly isDefinition: boolean
}

/** The definition of the variable or request under the cursor: the one that is seen from there. A path leads to its file. */
export const definition = (document: AnalysedText, position: Position): Location | undefined => {
  const { analysis, lines } = document
  const offset = offsetAt(lines, position)
  const target = targetAt(analysis, offset)?.target
  if (target?.kind === "variable") return locatorIn(document)(target.file, target.variable.name)
  if (target?.kind === "request") return locatorIn(document)(target.file, target.written)
  const found = fileAt(analysis, offset)
  return found === undefined ? undefined : { uri: found.uri, range: rangeOf(lineIndex(""), { start: 0, end: 0 }) }
}

/** Every place where the variable or request under the cursor is written, file by file, in the order of each. */
export const references = (document: AnalysedText, position: Position): ReadonlyArray<Reference> =>
  atOnce(referencesSteps(document, position))

/** As {@link references}, in steps of one place or section each. */
export function* referencesSteps(document: AnalysedText, position: Position): Steps<ReadonlyArray<Reference>> {
  const { analysis, lines, others } = document
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return []
  const locate = locatorIn(document)
  const references: Array<Reference> = []
  for (const { file, isDefinition, span } of yield* findingOccurrences(analysis, found.target, others)) {
    yield
    references.push({ ...locate(file, span), isDefinition })
  }
  return references
}

/** Finds where spans of the document's own file and of other ones are; the lines of each file are counted once. */
export const locatorIn = ({ analysis, lines }: AnalysedText): ((file: Analysis, span: Span) => Location) => {
  const linesOf = new Map<Analysis, LineIndex>()
  return (file, span) => {
    if (isSameFile(file, analysis) || file.uri === undefined) return { range: rangeOf(lines, span) }
    const known = linesOf.get(file) ?? lineIndex(file.tree.tokens.text)
    linesOf.set(file, known)
    return { uri: file.uri, range: rangeOf(known, span) }
  }
}
