/** Where the lines of a document begin. A file may have thousands of requests, and its lines are counted once. */
import { type LineIndex, lineIndex } from "@dotrpc/lang/locate"

interface Text {
  readonly text: string
}

export const linesOf = (document: Text): LineIndex => {
  const known = lineIndexes.get(document) ?? lineIndex(document.text)
  lineIndexes.set(document, known)
  return known
}

const lineIndexes = new WeakMap<Text, LineIndex>()
