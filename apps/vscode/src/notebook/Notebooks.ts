/** The notebook view of `.rpc` files: reading and writing them, running cells, and what can be done with outputs. */
import { lineIndex } from "@dotrpc/lang/locate"
import type { Assembled } from "@dotrpc/lang-service"
import { isGood, type RequestReport, spentBy } from "@dotrpc/runner"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"

import { permitFor } from "../credits/Permit.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../project/Recordings.ts"
import { resumptionOf } from "../results/cameBack.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import type { KeptColumns } from "../results/KeptColumns.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import { savePicture } from "../results/savePicture.ts"
import { type RequestResult, type Results } from "../results/Results.ts"
import { resultOf, saveResult } from "../results/saveResult.ts"
import { paidBefore } from "../run/wholeCost.ts"
import type { Runs } from "../run/Runs.ts"
import { provideCellStatus } from "./CellStatus.ts"
import { NotebookAnalyses } from "../project/NotebookAnalyses.ts"
import type { NotebookTexts } from "../project/NotebookTexts.ts"
import { namesReaderOf } from "../names/namesReaderOf.ts"
import { rowsMessage } from "./payload.ts"
import { type OutputMessage, rendererId, type RendererMessage, type SpendingMessage } from "../results/ResultPayload.ts"
import { itemsOf, keptItems } from "./CellExecution.ts"
import { cellAt, type CellRunOptions, runCells } from "./runCells.ts"
import { notebookType } from "../project/notebookType.ts"
import { showDone, showError } from "../Shown.ts"

export interface NotebookDependencies {
  readonly columns: KeptColumns
  readonly lookUpNames: (uri: vscode.Uri, report: RequestReport) => Promise<void>
  readonly names: KeptNames
  readonly files: ImportedFiles
  readonly notebookTexts: NotebookTexts
  readonly projects: Projects
  readonly recordings: Recordings
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
  readonly session: Session
}

const controllerId = "dotrpc.controller"

export interface Notebooks extends vscode.Disposable {
  /** Runs the request of a result in its cell; `false` where its file is not open as a notebook. */
  readonly run: (result: RequestResult, options?: CellRunOptions) => Promise<boolean>
}

export const provideNotebooks = ({
  columns,
  files,
  lookUpNames,
  names,
  notebookTexts,
  projects,
  recordings,
  resultDocument,
  results,
  runs,
  session,
}: NotebookDependencies): Notebooks => {
  const analyses = new NotebookAnalyses(session, notebookTexts)
  const controller = vscode.notebooks.createNotebookController(controllerId, notebookType, "dotrpc")
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
    const networks = results.of(notebook.uri).flatMap(({ report }) => {
      if (report === undefined) return []
      const { request } = report
      const { network } = request
      return network === undefined || namesReaderOf(request) === undefined ? [] : [network]
    })
    return [...new Set(networks)].map((network) => names.message(network))
  }
  const cellsOf = async (request: RequestResult["request"], notebook: vscode.NotebookDocument) => {
    const { assembled } = await analyses.loaded(notebook)
    return [cellAt(notebook, assembled, request)].flatMap((cell) => cell ?? [])
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
        const slice = rowsMessage(results.reported(message.id)?.report, message.id, message.from)
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
        const { report, request, stale } = cellResult(results, message.id)
        const permit = permitFor(report)
        if (permit === undefined) throw new Error("No limit blocks this request.")
        if (stale) throw new Error("The cell has changed since it was refused: run it again.")
        return runCells(parts, notebook, await cellsOf(request, notebook), { permit })
      }
      case "resume": {
        const { report, request, stale } = cellResult(results, message.id)
        const resume = resumptionOf(report)
        if (resume === undefined) throw new Error("There is nothing to resume: run the cell again.")
        if (stale) throw new Error("The cell has changed since it was stopped: run it from the beginning.")
        const cells = await cellsOf(request, notebook)
        return runCells(parts, notebook, cells, { resume: { label: report.request.label, ...resume } })
      }
    }
  }
  /** Those whose cells this controller may write. */
  const chosen = new Set<vscode.NotebookDocument>()
  /** Results move with the requests of the cells. */
  const follow = async (notebook: vscode.NotebookDocument): Promise<Assembled | undefined> => {
    if (notebook.notebookType !== notebookType || results.of(notebook.uri).length === 0) return undefined
    const { analysis, assembled } = await analyses.loaded(notebook)
    results.follow(notebook.uri, analysis, lineIndex(assembled.text))
    return assembled
  }
  /** What is known of its requests when it is opened: from its text, or from when it was open before. */
  const showKept = async (notebook: vscode.NotebookDocument): Promise<void> => {
    const assembled = await follow(notebook)
    if (assembled === undefined) return
    const known = results.of(notebook.uri).flatMap(({ kept, report, request }) => {
      if (report !== undefined) return [{ request, isGood: isGood(report), items: itemsOf(report) }]
      return kept === undefined ? [] : [{ request, isGood: kept.payload.good, items: keptItems(kept.payload) }]
    })
    for (const [cell, own] of Map.groupBy(known, ({ request }) => cellAt(notebook, assembled, request))) {
      if (cell === undefined || cell.outputs.length > 0 || parts.running.has(cell)) continue
      const execution = controller.createNotebookCellExecution(cell)
      execution.start()
      const inOrder = own.toSorted((left, right) => (left.request?.index ?? 0) - (right.request?.index ?? 0))
      await execution.replaceOutput(inOrder.map(({ items }) => new vscode.NotebookCellOutput(items)))
      execution.end(own.every((one) => one.isGood))
    }
  }
  /** The editor lets a controller write cells once it is chosen, and chooses the only one with the first run. */
  const chooseInFront = async (): Promise<void> => {
    const { notebook } = vscode.window.activeNotebookEditor ?? {}
    if (notebook?.notebookType !== notebookType || chosen.has(notebook) || results.of(notebook.uri).length === 0) return
    const extension = "dotrpc.dotrpc"
    await vscode.commands.executeCommand("notebook.selectKernel", { id: controllerId, extension })
  }
  const provided = vscode.Disposable.from(
    controller,
    messaging.onDidReceiveMessage(({ editor, message }) => void receive(message, editor).catch(showError)),
    results.onDidChange((uri) => {
      const notebook = notebookAt(uri)
      if (notebook === undefined) return
      tellSpending(notebook)
      for (const message of namesIn(notebook)) tellAll(message)
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => void follow(notebook).catch(() => undefined)),
    controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      if (!selected) return void chosen.delete(notebook)
      chosen.add(notebook)
      void showKept(notebook).catch(showError)
    }),
    results.onDidRestore((uri) => {
      const notebook = notebookAt(uri)
      if (notebook !== undefined && chosen.has(notebook)) void showKept(notebook).catch(showError)
      else void chooseInFront()
    }),
    vscode.window.onDidChangeActiveNotebookEditor(() => void chooseInFront()),
    columns.onDidChange(tellAll),
    names.onDidChange(tellAll),
    provideCellStatus(analyses, projects, files, results, recordings),
  )
  return {
    run: async (result, options) => {
      const notebook = notebookAt(result.uri)
      if (notebook === undefined) return false
      await follow(notebook)
      await runCells(parts, notebook, await cellsOf(result.request, notebook), options)
      return true
    },
    dispose: () => provided.dispose(),
  }
}

const open = (document: ResultDocument, report: RequestReport): Promise<void> =>
  document.show(report.request.label, resultOf(report))

const notebookAt = (uri: vscode.Uri): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find(
    (notebook) => notebook.notebookType === notebookType && notebook.uri.toString() === uri.toString(),
  )

interface CellResult extends Pick<RequestResult, "request" | "stale"> {
  readonly report: RequestReport
}

const cellResult = (results: Results, id: number): CellResult => {
  const { report, request, stale = false } = results.reported(id) ?? {}
  // The request of a cell that was removed has no place any more.
  if (report === undefined || request === undefined)
    throw new Error("This result is no longer available: run the cell again.")
  return { report, request, stale }
}

const spendingOf = (notebook: vscode.NotebookDocument, results: Results): SpendingMessage => ({
  kind: "spending",
  cells: results
    .of(notebook.uri)
    .toSorted((left, right) => (left.request?.index ?? 0) - (right.request?.index ?? 0))
    .flatMap(({ report, request }) =>
      report === undefined || request === undefined
        ? []
        : [{ label: report.request.label, credits: paidBefore(report) + spentBy(report) }],
    ),
})
