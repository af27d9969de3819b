/** One result as a pane shows it, from this window or kept from an earlier one. */
import { itemListOf, type RequestReport } from "@dotrpc/runner"
import { Json, Visible } from "@dotrpc/spec"

import { resultPayload, rowsMessage } from "../notebook/payload.ts"
import type { ResultPayload, RowsMessage } from "../results/ResultPayload.ts"
import { cameBack, renderOf } from "../results/cameBack.ts"
import { chunksOf } from "../run/chunks.ts"
import { visiblePieces } from "../results/jsonPieces.ts"
import { reportId } from "../results/Results.ts"
import { type Timeline, timelineOf } from "../run/Timeline.ts"

export interface PaneRun {
  readonly id: number
  /** In the list of runs, of a result of an earlier window. */
  readonly runId?: string | undefined
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  readonly payload: ResultPayload
  readonly timeline: Timeline | undefined
  /** The rows from a position on, after the first rows in `payload`. */
  readonly rows: (from: number) => RowsMessage
  /** The result as indented JSON text, piece by piece; absent without a result. */
  readonly json: (() => Iterable<string>) | undefined
  /** The lines that two results are compared by, many at a time: one for each item, or those of the JSON text. */
  readonly lines: () => Iterable<ReadonlyArray<string>>
  /** Of a result of this window. */
  readonly report?: RequestReport | undefined
}

/** A result of this window; the same object for the same report. */
export const runOfReport = (report: RequestReport): PaneRun => {
  const known = runs.get(report)
  if (known !== undefined) return known
  const id = reportId(report)
  const timeline = timelineOf(report)
  const result = cameBack(report)
  const run: PaneRun = {
    id,
    at: timeline?.began ?? Date.now(),
    payload: resultPayload(report, id),
    timeline,
    rows: (from) => rowsMessage(report, id, from),
    json: result === undefined ? undefined : () => visiblePieces(result),
    lines: () => (result === undefined ? [] : linesOf(report, result)),
    report,
  }
  runs.set(report, run)
  return run
}

const runs = new WeakMap<RequestReport, PaneRun>()

function* linesOf(report: RequestReport, result: Json.Json): Generator<ReadonlyArray<string>> {
  const list = itemListOf(report, result, renderOf(report)?.(0).total ?? 1)
  if (list === undefined) yield* linesOfText(visiblePieces(result))
  else for (const items of chunksOf(list.items)) yield items.map((item) => Visible.json(Json.stringify(item)))
}

/** The lines of a text that comes in pieces. */
function* linesOfText(pieces: Iterable<string>): Generator<ReadonlyArray<string>> {
  let rest = ""
  for (const piece of pieces) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    yield lines
  }
  yield [rest]
}
