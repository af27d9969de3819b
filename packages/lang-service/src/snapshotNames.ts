/** The names of kept results in `FILE.rpc.snap`: they follow those of their requests. */
import { fileName, importPath, snapshotCheck, type Steps } from "@dotrpc/analysis"
import { lineIndex, offsetAt, type Position } from "@dotrpc/lang/locate"
import type { AnalysedText } from "./AnalysedText.ts"
import { targetAt } from "./internal/names.ts"
import type { FileChange, Refusal } from "./rename.ts"
import { rangeOf } from "./TextRange.ts"

/** A name in a file of snapshots that another one takes the place of. */
export interface SnapshotName {
  /** Of the file of snapshots. */
  readonly uri: string
  readonly name: string
  readonly newName: string
}

/**
 * What is to be renamed in files of snapshots when the request under the cursor is, whether or not they exist.
 *
 * @param changes of that renaming: every file in them may keep the request's result
 */
export const snapshotNames = (
  { analysis, lines }: AnalysedText,
  position: Position,
  newName: string,
  changes: ReadonlyArray<FileChange>,
): ReadonlyArray<SnapshotName> => {
  const target = targetAt(analysis, offsetAt(lines, position))?.target
  if (target?.kind !== "request" || !target.section.checks.some((check) => snapshotCheck(check) !== undefined))
    return []
  const home = target.file.uri
  const files = new Set([home, analysis.uri, ...changes.map(({ uri }) => uri)])
  return [...files].flatMap((uri) => {
    if (uri === undefined || home === undefined) return []
    // A result of an imported request is named after its file as well.
    const from = uri === home ? "" : ` (${importPath(home, uri)})`
    return [{ uri: `${uri}.snap`, name: target.name + from, newName: newName + from }]
  })
}

/** The change of the text of a file of snapshots; `undefined` where it keeps no such result. In steps. */
export function* renamingSnapshot(
  text: string,
  { name, newName, uri }: SnapshotName,
): Steps<FileChange | Refusal | undefined> {
  const { end, isTaken, start } = yield* findingName(text, name, newName)
  if (start < 0) return undefined
  if (isTaken)
    return {
      reason: `${fileName(uri)} already keeps a result of "${newName}": choose another name, or remove that result with dotrpc run --update`,
    }
  return { uri, range: rangeOf(lineIndex(text), { start, end }), text: JSON.stringify(newName) }
}

/** Names are the members of the member `snapshots`. A text that is not JSON has none, or the wrong ones, and stays text. */
function* findingName(text: string, name: string, newName: string) {
  const found = { start: -1, end: -1, isTaken: false }
  // The end of the text ends a string too, so that none is read twice.
  const token = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[{}[\]:]/g
  let depth = 0
  let above = ""
  let last = { start: 0, end: 0 }
  let count = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (++count % tokensInStep === 0) yield
    const [sign] = match
    if (sign === "{" || sign === "[") depth++
    else if (sign === "}" || sign === "]") depth--
    else if (sign !== ":") last = { start: match.index, end: token.lastIndex }
    else if (depth === 1) above = text.slice(last.start, last.end)
    else if (depth === 2 && above === '"snapshots"') {
      const key = text.slice(last.start, last.end)
      if (key === JSON.stringify(name)) Object.assign(found, last)
      else if (key === JSON.stringify(newName)) found.isTaken = true
    }
  }
  return found
}

const tokensInStep = 2_000
