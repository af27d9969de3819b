/** The paths of a document that lead to other files. */
import type { AnalysedText } from "./AnalysedText.ts"
import { filesMentioned } from "./internal/files.ts"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** A part of the text that leads to a file or page. */
export interface DocumentLink {
  readonly range: TextRange
  /** The address of the file. */
  readonly target: string
}

/** In the order of the text. */
export const documentLinks = ({ analysis, lines }: AnalysedText): ReadonlyArray<DocumentLink> =>
  filesMentioned(analysis).map(({ directive, uri }) => ({ range: rangeOf(lines, directive.value), target: uri }))
