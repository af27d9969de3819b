/** The notebook view of `.rpc` files: reading and writing them, running cells, and what can be done with outputs. */
import { type RequestReport, spentBy } from "@dotrpc/runner"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"

import { permitFor } from "../credits/Permit.ts"
import type { ImportedFiles } from "../language/ImportedFiles.ts"
import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../recordings/Recordings.ts"
import { resumptionOf } from "../results/cameBack.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import type { KeptColumns } from "../results/KeptColumns.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import { savePicture } from "../results/savePicture.ts"
import { resultOf, saveResult } from "../results/saveResult.ts"
import type { Runs } from "../run/Runs.ts"
import { type CellResult, type CellResults, isStale } from "./CellResults.ts"
import { provideCellStatus } from "./CellStatus.ts"
import { NotebookAnalyses } from "./NotebookAnalyses.ts"
import type { NotebookTexts } from "./NotebookTexts.ts"
import { namesReaderOf } from "../names/namesReaderOf.ts"
import { rowsMessage } from "./payload.ts"
import { type OutputMessage, rendererId, type RendererMessage, type SpendingMessage } from "./ResultPayload.ts"
import { runCells } from "./runCells.ts"
import { notebookType } from "./notebookType.ts"
import { showDone, showError } from "../Shown.ts"

export interface NotebookDependencies {
  readonly cellResults: CellResults
  readonly columns: KeptColumns
  readonly lookUpNames: (uri: vscode.Uri, report: RequestReport) => Promise<void>
  readonly names: KeptNames
  readonly files: ImportedFiles
  readonly notebookTexts: NotebookTexts
  readonly projects: Projects
  readonly recordings: Recordings
  readonly resultDocument: ResultDocument
  readonly runs: Runs
  readonly session: Session
}

export const provideNotebooks = ({
  cellResults: results,
  columns,
  files,
  lookUpNames,
  names,
  notebookTexts,
  projects,
  recordings,
  resultDocument,
  runs,
  session,
}: NotebookDependencies): vscode.Disposable => {
  const analyses = new NotebookAnalyses(session, notebookTexts)
  const controller = vscode.notebooks.createNotebookController("dotrpc.controller", notebookType, "dotrpc")
  const parts = { analyses, controller, results, runs, running: new Set<vscode.NotebookCell>() }
  controller.supportedLanguages = ["rpc"]
  controller.description = "Runs requests and shows what they cost"
  controller.executeHandler = (cells, notebook) => runCells(parts, notebook, cells).catch(showError)

  const messaging = vscode.notebooks.createRendererMessaging(rendererId)
  const tellSpending = (notebook: vscode.NotebookDocument): void => {
    const message = spendingOf(notebook, results)
    for (const editor of vscode.window.visibleNotebookEditors) {
      if (editor.notebook === notebook) void messaging.postMessage(message, editor)
    }
  }
  const tellAll = (message: OutputMessage): void => {
    for (const editor of vscode.window.visibleNotebookEditors) void messaging.postMessage(message, editor)
  }
  /** What is known already of the networks of results with rows. */
  const namesIn = (notebook: vscode.NotebookDocument) => {
    const networks = results.in(notebook.uri).flatMap(({ report: { request } }) => {
      const { network } = request
      return network === undefined || namesReaderOf(request) === undefined ? [] : [network]
    })
    return [...new Set(networks)].map((network) => names.message(network))
  }
  const receive = async (message: RendererMessage, editor: vscode.NotebookEditor): Promise<void> => {
    const { notebook } = editor
    switch (message.kind) {
      case "ready":
        void messaging.postMessage(columns.all(), editor)
        for (const message of namesIn(notebook)) void messaging.postMessage(message, editor)
        return tellSpending(notebook)
      case "columns":
        return columns.take(message)
      case "rows": {
        const slice = rowsMessage(results.get(message.id)?.report, message.id, message.from)
        return void messaging.postMessage(slice, editor)
      }
      case "copy":
        await vscode.env.clipboard.writeText(message.text)
        return showDone("Copied")
      case "open":
        return open(resultDocument, cellResult(results, message.id).report)
      case "save":
        return saveResult(cellResult(results, message.id).report, notebook.uri)
      case "picture":
        return savePicture(message, notebook.uri)
      case "lookUpNames":
        return lookUpNames(notebook.uri, cellResult(results, message.id).report)
      case "allowOnce": {
        const result = cellResult(results, message.id)
        const permit = permitFor(result.report)
        if (permit === undefined) throw new Error("No limit blocks this request.")
        if (isStale(result)) throw new Error("The cell has changed since it was refused: run it again.")
        return runCells(parts, notebook, [result.cell], { permit })
      }
      case "resume": {
        const result = cellResult(results, message.id)
        const resume = resumptionOf(result.report)
        if (resume === undefined) throw new Error("There is nothing to resume: run the cell again.")
        if (isStale(result)) throw new Error("The cell has changed since it was stopped: run it from the beginning.")
        return runCells(parts, notebook, [result.cell], { resume: { label: result.report.request.label, ...resume } })
      }
    }
  }
  return vscode.Disposable.from(
    controller,
    messaging.onDidReceiveMessage(({ editor, message }) => void receive(message, editor).catch(showError)),
    results.onDidChange((notebook) => {
      tellSpending(notebook)
      for (const message of namesIn(notebook)) tellAll(message)
    }),
    columns.onDidChange(tellAll),
    names.onDidChange(tellAll),
    provideCellStatus(analyses, projects, files, results, recordings),
  )
}

const open = (document: ResultDocument, report: RequestReport): Promise<void> =>
  document.show(report.request.label, resultOf(report))

const cellResult = (results: CellResults, id: number): CellResult => {
  const result = results.get(id)
  // A cell that was removed has no place any more.
  if (result === undefined || result.cell.index < 0)
    throw new Error("This result is no longer available: run the cell again.")
  return result
}

const spendingOf = (notebook: vscode.NotebookDocument, results: CellResults): SpendingMessage => ({
  kind: "spending",
  cells: notebook
    .getCells()
    .flatMap((cell) => results.of(cell))
    .map(({ report }) => ({ label: report.request.label, credits: spentBy(report) })),
})
