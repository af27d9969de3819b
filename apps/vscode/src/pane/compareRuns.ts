/** The differences between two results of a request: of their rows as a person reads them, or of their JSON. */
import { nextTurn } from "@dotrpc/spec"

import { type LineDiff, lineDiff } from "./lineDiff.ts"
import type { DiffKind, DiffMessage } from "./PaneMessage.ts"
import type { PaneRun } from "./PaneRun.ts"
import { isDecoded, rowLines } from "./rowLines.ts"

type Compared = Pick<PaneRun, "lines" | "payload" | "rows">

/** Rows that look the same may differ in what is not shown of them: their JSON is compared then. */
export const compareRuns = async (
  before: Compared,
  after: Compared,
  asked: DiffKind,
): Promise<Pick<DiffMessage, "as" | "diff" | "isDecoded">> => {
  const hasRows = isDecoded(before) || isDecoded(after)
  if (hasRows && asked === "rows") {
    const diff = await diffOf(before, after, "rows")
    if (diff.added > 0 || diff.removed > 0) return { as: "rows", isDecoded: true, diff }
  }
  return { as: "json", isDecoded: hasRows, diff: await diffOf(before, after, "json") }
}

/** The most lines of one result that are compared; the editor's own comparison has all of them. */
const mostLines = 20_000

const diffOf = async (before: Compared, after: Compared, as: DiffKind): Promise<LineDiff> =>
  lineDiff(await linesOf(before, as), await linesOf(after, as))

const linesOf = async (run: Compared, as: DiffKind): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for (const piece of as === "rows" ? rowLines(run) : run.lines()) {
    for (const line of piece) all.push(line)
    if (all.length >= mostLines) break
    await nextTurn()
  }
  return all.slice(0, mostLines)
}
