/** Below each cell: what running it will cost, and after a run that its result is stale once the cell has changed. */
import type { BoundRequest } from "@dotrpc/analysis"
import { clickPrice, replayedWords } from "@dotrpc/lang-service"
import { refusedWords } from "@dotrpc/session"
import * as vscode from "vscode"

import type { ImportedFiles } from "../project/ImportedFiles.ts"
import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../project/Recordings.ts"
import type { Results } from "../results/Results.ts"
import { reusedResults } from "../run/reusedResults.ts"
import { timeZone } from "../run/chosenTimeZone.ts"
import type { NotebookAnalyses, NotebookAnalysis } from "../project/NotebookAnalyses.ts"
import { notebookType } from "../project/notebookType.ts"
import { cellAt } from "./runCells.ts"
import { cellStatus } from "../Shown.ts"

export const provideCellStatus = (
  analyses: NotebookAnalyses,
  projects: Projects,
  files: ImportedFiles,
  results: Results,
  recordings: Pick<Recordings, "current" | "isReplaying" | "onDidChange">,
): vscode.Disposable => {
  const changed = new vscode.EventEmitter<void>()
  /** Before the configuration is read, a price or an error may be none. */
  const itemsIn = (known: NotebookAnalysis, cell: vscode.NotebookCell): Shown => {
    const shown = ({ index }: BoundRequest) => results.reportAt({ uri: cell.notebook.uri.toString(), request: index })
    // A recording has all that a run needs.
    const reused =
      recordings.current === undefined ? reusedResults(known.analysis, shown, timeZone()) : new Map<number, string>()
    return [...priceItems(known, cell, recordings.isReplaying, reused), ...staleItems(known, cell, results)]
  }
  const itemsOf = (cell: vscode.NotebookCell): Shown | Promise<Shown> => {
    const { notebook } = cell
    const refused = analyses.refused(notebook)
    if (refused !== undefined) return [cellStatus("warning", "too large", refusedWords(refused))]
    const known = analyses.current(notebook)
    if (!projects.isKnown(notebook.uri)) return []
    return known === undefined
      ? analyses.loaded(notebook).then((loaded) => itemsIn(loaded, cell))
      : itemsIn(known, cell)
  }
  return vscode.Disposable.from(
    changed,
    projects.onDidChange(() => changed.fire()),
    recordings.onDidChange(() => changed.fire()),
    files.onDidChange(() => changed.fire()),
    results.onDidChange(() => changed.fire()),
    // A change of one cell may change what others cost and mean.
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
      if (notebook.notebookType === notebookType) changed.fire()
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebookType, {
      onDidChangeCellStatusBarItems: changed.event,
      provideCellStatusBarItems: itemsOf,
    }),
  )
}

type Shown = Array<vscode.NotebookCellStatusBarItem>

const priceItems = (
  { analysis, assembled }: NotebookAnalysis,
  cell: vscode.NotebookCell,
  isReplaying: boolean,
  reused: ReadonlyMap<number, string>,
): ReadonlyArray<vscode.NotebookCellStatusBarItem> => {
  const { start = 0, end = 0 } = assembled.spans[cell.index] ?? {}
  const requests = analysis.requests.filter(({ call }) => start <= call.start && call.start < end)
  const [error] = requests.flatMap(({ errors }) => errors)
  if (error !== undefined) return [cellStatus("error", "has errors", error.message)]
  const [first] = requests
  if (first === undefined) return []
  const { details, words } = clickPrice(analysis, requests, { reused })
  const lines = (last: string) => [...details, last].join("\n")
  if (isReplaying) return [cellStatus("play", replayedWords, lines("Runs are answered from recordings."))]
  return [cellStatus("play", words, lines(`Network: ${first.network?.id ?? "none"}`))]
}

const staleItems = (
  { assembled }: NotebookAnalysis,
  { index, notebook }: vscode.NotebookCell,
  results: Results,
): ReadonlyArray<vscode.NotebookCellStatusBarItem> =>
  results
    .of(notebook.uri)
    .some((result) => result.stale && cellAt(notebook, assembled, result.request)?.index === index)
    ? [cellStatus("history", "outdated", "The cell has changed since it was run.")]
    : []
