/** The differences between two results of a request: of their rows as a person reads them, or of their JSON. */
import { nextTurn } from "@dotrpc/spec"
import { type LineDiff, lineDiff } from "./lineDiff.ts"
import type { DiffKind, DiffMessage } from "./PaneMessage.ts"
import type { PaneRun } from "./PaneRun.ts"
import type { RowSlice } from "../results/ResultPayload.ts"
import { labelIn } from "@dotrpc/report"

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

type Rows = Pick<PaneRun, "payload" | "rows">

/** Whether its rows say more than their JSON does. */
const isDecoded = ({ payload }: Rows): boolean =>
  payload.table?.columns.some(({ decoded }) => decoded === true) === true

/** Those of one slice at a time. */
function* rowLines({ payload, rows }: Rows): Generator<ReadonlyArray<string>> {
  const { table } = payload
  if (table === undefined) return
  let slice: RowSlice = table
  for (let from = 0; slice.rows.length > 0; slice = rows(from)) {
    yield linesOfRows(slice)
    from += slice.rows.length
    if (from >= table.total) return
  }
}

/** `event Transfer · value 1,204.5 USDC`: addresses and hashes are whole, so two lines are the same only if all that is shown is. */
const linesOfRows = ({ columns, labels, rows }: RowSlice): ReadonlyArray<string> =>
  rows.map((row) =>
    columns
      .flatMap(({ name }, index) => {
        const cell = row[index] ?? ""
        const label = labelIn({ labels }, cell)
        return cell === "" ? [] : [`${name} ${label === undefined ? cell : `${label} (${cell})`}`]
      })
      .join(" · "),
  )
