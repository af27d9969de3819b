/** Where a name is defined, and everywhere it is used. */
import type { Analysis } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { lineIndex, offsetAt, type Position } from "@dotrpc/lang/locate"
import type { Document } from "./Document.ts"
import { fileAt } from "./internal/files.ts"
import { isSameFile, occurrencesOf, targetAt } from "./internal/names.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** A range of the document, or of another file when there is an address. */
export interface Location {
  readonly uri?: string | undefined
  readonly range: TextRange
}

export interface Reference extends Location {
  readonly isDefinition: boolean
}

/** The definition of the variable or request under the cursor: the one that is seen from there. A path leads to its file. */
export const definition = (document: Document, position: Position): Location | undefined => {
  const { analysis, lines } = document
  const offset = offsetAt(lines, position)
  const target = targetAt(analysis, offset)?.target
  if (target?.kind === "variable") return locationIn(document, target.file, target.variable.name)
  if (target?.kind === "request") return locationIn(document, target.file, target.written)
  const found = fileAt(analysis, offset)
  return found === undefined ? undefined : { uri: found.uri, range: rangeOf(lineIndex(""), { start: 0, end: 0 }) }
}

/** Every place where the variable or request under the cursor is written, file by file, in the order of each. */
export const references = (document: Document, position: Position): ReadonlyArray<Reference> => {
  const { analysis, lines, others } = document
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return []
  return occurrencesOf(analysis, found.target, others).map(({ file, span, isDefinition }) => ({
    ...locationIn(document, file, span),
    isDefinition,
  }))
}

/** A span of the document's own file, or of another one. */
export const locationIn = ({ analysis, lines }: Document, file: Analysis, span: Span): Location =>
  isSameFile(file, analysis) || file.uri === undefined
    ? { range: rangeOf(lines, span) }
    : { uri: file.uri, range: rangeOf(lineIndex(file.tree.tokens.text), span) }
