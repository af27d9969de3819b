/** The notebook view of `.rpc` files: reading and writing them, running cells, and what is known of them when they are opened. */
import { lineIndex } from "@dotrpc/lang/locate"
import type { Assembled } from "@dotrpc/lang-service"
import { isGood } from "@dotrpc/runner"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"

import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { NotebookAnalyses } from "../project/NotebookAnalyses.ts"
import type { NotebookTexts } from "../project/NotebookTexts.ts"
import { notebookType } from "../project/notebookType.ts"
import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../project/Recordings.ts"
import type { RequestResult } from "../results/Results.ts"
import type { Runs } from "../run/Runs.ts"
import { showError } from "../Shown.ts"
import { itemsOf, keptItems } from "./CellExecution.ts"
import { provideCellStatus } from "./CellStatus.ts"
import { notebookAt } from "./openNotebooks.ts"
import { byPlace, type OutputParts, provideOutputMessages } from "./outputMessages.ts"
import { cellAt, type CellRunOptions, type NotebookParts, runCells } from "./runCells.ts"

export interface NotebookDependencies extends OutputParts {
  readonly files: ImportedFiles
  readonly notebookTexts: NotebookTexts
  readonly projects: Projects
  readonly recordings: Recordings
  readonly runs: Runs
  readonly session: Session
}

const controllerId = "dotrpc.controller"

export interface Notebooks extends vscode.Disposable {
  /** Runs the request of a result in its cell; `false` where its file is not open as a notebook. */
  readonly run: (result: RequestResult, options?: CellRunOptions) => Promise<boolean>
}

export const provideNotebooks = (dependencies: NotebookDependencies): Notebooks => {
  const { files, notebookTexts, projects, recordings, results, runs, session } = dependencies
  const analyses = new NotebookAnalyses(session, notebookTexts)
  const controller = vscode.notebooks.createNotebookController(controllerId, notebookType, "dotrpc")
  const parts = { analyses, controller, results, runs, running: new Set<vscode.NotebookCell>() }
  controller.supportedLanguages = ["rpc"]
  controller.description = "Runs requests and shows what they cost"
  controller.executeHandler = (cells, notebook) => runCells(parts, notebook, cells).catch(showError)
  const provided = vscode.Disposable.from(
    controller,
    provideOutputMessages(dependencies),
    provideKeptOutputs(parts),
    provideCellStatus(analyses, projects, files, results, recordings),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => void follow(parts, notebook).catch(() => undefined)),
  )
  return {
    run: async ({ request, uri }, options) => {
      const notebook = notebookAt(uri)
      if (notebook === undefined) return false
      await follow(parts, notebook)
      const { assembled } = await analyses.loaded(notebook)
      const cell = cellAt(notebook, assembled, request)
      if (cell === undefined) throw new Error("The request is no longer in its cell: run the cell again.")
      await runCells(parts, notebook, [cell], options)
      return true
    },
    dispose: () => provided.dispose(),
  }
}

/** Results move with the requests of the cells. */
const follow = async (
  { analyses, results }: NotebookParts,
  notebook: vscode.NotebookDocument,
): Promise<Assembled | undefined> => {
  if (notebook.notebookType !== notebookType || results.of(notebook.uri).length === 0) return undefined
  const { analysis, assembled } = await analyses.loaded(notebook)
  results.follow(notebook.uri, analysis, lineIndex(assembled.text))
  return assembled
}

/** Shows what is known of the requests of a notebook when it is opened: from its text, or from when it was open before. */
const provideKeptOutputs = (parts: NotebookParts): vscode.Disposable => {
  const { controller, results } = parts
  /** Those whose cells this controller may write. */
  const chosen = new Set<vscode.NotebookDocument>()
  /** The editor lets a controller write cells once it is chosen, and chooses the only one with the first run. */
  const chooseInFront = async (): Promise<void> => {
    const { notebook } = vscode.window.activeNotebookEditor ?? {}
    if (notebook?.notebookType !== notebookType || chosen.has(notebook) || results.of(notebook.uri).length === 0) return
    const extension = "dotrpc.dotrpc"
    await vscode.commands.executeCommand("notebook.selectKernel", { id: controllerId, extension })
  }
  return vscode.Disposable.from(
    controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      if (!selected) return void chosen.delete(notebook)
      chosen.add(notebook)
      void showKept(parts, notebook).catch(showError)
    }),
    results.onDidRestore((uri) => {
      const notebook = notebookAt(uri)
      if (notebook !== undefined && chosen.has(notebook)) void showKept(parts, notebook).catch(showError)
      else void chooseInFront()
    }),
    vscode.window.onDidChangeActiveNotebookEditor(() => void chooseInFront()),
  )
}

const showKept = async (parts: NotebookParts, notebook: vscode.NotebookDocument): Promise<void> => {
  const { controller, results, running } = parts
  const assembled = await follow(parts, notebook)
  if (assembled === undefined) return
  const known = results.of(notebook.uri).flatMap(({ kept, previous, report, request }) => {
    if (report !== undefined)
      return [{ request, isGood: isGood(report), items: itemsOf(report, previous !== undefined) }]
    return kept === undefined ? [] : [{ request, isGood: kept.payload.good, items: keptItems(kept.payload) }]
  })
  for (const [cell, own] of Map.groupBy(known, ({ request }) => cellAt(notebook, assembled, request))) {
    if (cell === undefined || cell.outputs.length > 0 || running.has(cell)) continue
    const execution = controller.createNotebookCellExecution(cell)
    execution.start()
    await execution.replaceOutput(own.toSorted(byPlace).map(({ items }) => new vscode.NotebookCellOutput(items)))
    execution.end(own.every((one) => one.isGood))
  }
}
