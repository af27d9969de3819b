/** One cell that is running: its output grows while results come, and it ends with the last of its requests. */
import type { RequestProgress, RequestReport } from "@dotrpc/runner"
import type { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import { summaryLine } from "../results/summary.ts"
import type { CellResult, CellResults } from "./CellResults.ts"
import { growingPayload, resultPayload } from "./payload.ts"
import { resultMime } from "./ResultPayload.ts"

export class CellExecution {
  readonly #execution: vscode.NotebookCellExecution
  readonly #results: CellResults
  readonly #ranText: string
  /** The cell's requests that have not ended. */
  readonly #open: Set<number>
  readonly #ended: Array<CellResult> = []
  #isGood = true
  #grewAt = 0

  constructor(execution: vscode.NotebookCellExecution, requests: ReadonlyArray<number>, results: CellResults) {
    this.#execution = execution
    this.#results = results
    this.#ranText = execution.cell.document.getText()
    this.#open = new Set(requests)
    execution.start(Date.now())
  }

  finish(report: RequestReport, isGood: boolean): void {
    if (!this.#open.delete(report.request.index)) return
    const { cell } = this.#execution
    this.#ended.push({ id: this.#results.nextId(), cell, report, ranText: this.#ranText })
    this.#isGood &&= isGood
    this.#show()
    if (this.#open.size === 0) this.#end(this.#isGood)
  }

  /** Shows the first rows of a request that is read in pieces, as often as a person can follow. */
  grow({ request }: RequestProgress, soFar: (limit: number) => Table.Table): void {
    const now = Date.now()
    if (now - this.#grewAt < growingPauseMillis || !this.#open.has(request.index)) return
    this.#grewAt = now
    const growing = new vscode.NotebookCellOutput([
      vscode.NotebookCellOutputItem.json(growingPayload(request, soFar(growingRows)), resultMime),
    ])
    void this.#execution.replaceOutput([...this.#ended.map(outputOf), growing])
  }

  /** The run was stopped before this request ended. */
  abandon(request: number): void {
    if (this.#open.delete(request) && this.#open.size === 0) this.#end(undefined)
  }

  /** An output asks for its rows as soon as it is shown, and by then its result has to be there. */
  #show(): void {
    this.#results.set(this.#execution.cell, [...this.#ended])
    const outputs = this.#ended
      .toSorted((left, right) => left.report.request.index - right.report.request.index)
      .map(outputOf)
    void this.#execution.replaceOutput(outputs)
  }

  #end(success: boolean | undefined): void {
    this.#execution.end(success, Date.now())
  }
}

const growingPauseMillis = 500
/** Rows that are drawn while more of them come. */
const growingRows = 200

const outputOf = ({ id, report }: CellResult): vscode.NotebookCellOutput =>
  new vscode.NotebookCellOutput([
    vscode.NotebookCellOutputItem.json(resultPayload(report, id), resultMime),
    vscode.NotebookCellOutputItem.text(summaryLine(report)),
  ])
