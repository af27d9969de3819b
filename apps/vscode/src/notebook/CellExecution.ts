/**
 * One cell that is running: its outputs grow while results come, and it ends with the last of its requests.
 *
 * Invariant: each request of the cell has an output of its own, in their order, and what one brings redraws no other: a
 * reader may have sorted, filtered or opened its rows.
 */
import type { BoundRequest } from "@dotrpc/analysis"
import type { RequestProgress, RequestReport } from "@dotrpc/runner"
import type { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import { summaryLine } from "../results/summary.ts"
import { reportId } from "../results/Results.ts"
import { growingPayload, resultPayload, stoppedPayload, waitingPayload } from "./payload.ts"
import { type ResultPayload, resultMime } from "../results/ResultPayload.ts"

export class CellExecution {
  readonly #execution: vscode.NotebookCellExecution
  /** In the order of their text. */
  readonly #requests: ReadonlyArray<BoundRequest>
  /** The cell's requests that have not ended. */
  readonly #open: Set<number>
  /** By request; none as long as the cell still shows what it brought the time before. */
  #outputs: ReadonlyMap<number, vscode.NotebookCellOutput> = new Map()
  #isGood = true
  #grewAt = 0

  constructor(execution: vscode.NotebookCellExecution, requests: ReadonlyArray<BoundRequest>) {
    this.#execution = execution
    this.#requests = requests.toSorted((left, right) => left.index - right.index)
    this.#open = new Set(requests.map(({ index }) => index))
    execution.start(Date.now())
  }

  finish(report: RequestReport, isGood: boolean, hasPrevious: boolean): void {
    const { index } = report.request
    if (!this.#open.delete(index)) return
    this.#isGood &&= isGood
    this.#show(index, itemsOf(report, hasPrevious))
    if (this.#open.size === 0) this.#end(this.#isGood)
  }

  /** Shows the first rows of a request that is read in pieces, as often as a person can follow. */
  grow({ request }: RequestProgress, soFar: (limit: number) => Table.Table): void {
    const now = Date.now()
    if (now - this.#grewAt < growingPauseMillis || !this.#open.has(request.index)) return
    this.#grewAt = now
    this.#show(request.index, [itemOf(growingPayload(request, soFar(growingRows)))])
  }

  /** The run was stopped before anything came of this request. */
  abandon(index: number): void {
    if (!this.#open.delete(index)) return
    const request = this.#requests.find((candidate) => candidate.index === index)
    if (request !== undefined && this.#outputs.has(index)) this.#show(index, [itemOf(stoppedPayload(request))])
    if (this.#open.size === 0) this.#end(undefined)
  }

  #show(index: number, items: Array<vscode.NotebookCellOutputItem>): void {
    const output = this.#outputs.get(index)
    if (output !== undefined) return void this.#execution.replaceOutputItems(items, output)
    this.#outputs = new Map(
      this.#requests.map((request) => [
        request.index,
        new vscode.NotebookCellOutput(request.index === index ? items : [itemOf(waitingPayload(request))]),
      ]),
    )
    void this.#execution.replaceOutput([...this.#outputs.values()])
  }

  #end(success: boolean | undefined): void {
    this.#execution.end(success, Date.now())
  }
}

const growingPauseMillis = 500
/** Rows that are drawn while more of them come. */
const growingRows = 200

/** The rows of a result, and a line for those who cannot see them. */
export const itemsOf = (report: RequestReport, hasPrevious: boolean): Array<vscode.NotebookCellOutputItem> => [
  itemOf(resultPayload(report, reportId(report), hasPrevious)),
  vscode.NotebookCellOutputItem.text(summaryLine(report)),
]

/** Of a result that an earlier window kept. */
export const keptItems = (payload: ResultPayload): Array<vscode.NotebookCellOutputItem> => [
  itemOf(payload),
  vscode.NotebookCellOutputItem.text(payload.summary),
]

const itemOf = (payload: ResultPayload): vscode.NotebookCellOutputItem =>
  vscode.NotebookCellOutputItem.json(payload, resultMime)
