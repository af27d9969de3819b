/** Where a name is defined, and everywhere it is used. */
import { offsetAt, type Position } from "@dotrpc/lang"
import type { Document } from "./Document.ts"
import { occurrencesOf, targetAt } from "./internal/names.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

export interface Reference {
  readonly range: TextRange
  readonly isDefinition: boolean
}

/** The definition of the variable or request under the cursor: the one that is seen from there. */
export const definition = ({ analysis, lines }: Document, position: Position): TextRange | undefined => {
  const target = targetAt(analysis, offsetAt(lines, position))?.target
  if (target?.kind === "variable") return rangeOf(lines, target.variable.name)
  return target?.kind === "request" ? rangeOf(lines, target.written) : undefined
}

/** Every place where the variable or request under the cursor is written, in the order of the file. */
export const references = ({ analysis, lines }: Document, position: Position): ReadonlyArray<Reference> => {
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return []
  return occurrencesOf(analysis, found.target).map(({ span, isDefinition }) => ({
    range: rangeOf(lines, span),
    isDefinition,
  }))
}
