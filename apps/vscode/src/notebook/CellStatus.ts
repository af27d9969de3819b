/** Below each cell: what running it will cost, and after a run that its result is stale once the cell has changed. */
import { type Analysis, analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { Price } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Assembled } from "./assemble.ts"
import { type CellResults, isStale } from "./CellResults.ts"
import { notebookType } from "./notebookType.ts"
import { assembleNotebook } from "./Serializer.ts"

export const provideCellStatus = (projects: Projects, results: CellResults): vscode.Disposable => {
  const changed = new vscode.EventEmitter<void>()
  const known = new WeakMap<vscode.NotebookDocument, NotebookAnalysis>()
  const analysisOf = (notebook: vscode.NotebookDocument): NotebookAnalysis => {
    const project = projects.current(notebook.uri)
    const assembled = assembleNotebook(notebook)
    const before = known.get(notebook)
    if (before?.project === project && before.assembled.text === assembled.text) return before
    const analysis = analyze(parse(assembled.text), project.workspace, { before: before?.analysis })
    const fresh = { analysis, assembled, project }
    known.set(notebook, fresh)
    return fresh
  }
  return vscode.Disposable.from(
    changed,
    projects.onDidChange(() => changed.fire()),
    results.onDidChange(() => changed.fire()),
    // A change of one cell may change what others cost and mean.
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
      if (notebook.notebookType === notebookType) changed.fire()
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebookType, {
      onDidChangeCellStatusBarItems: changed.event,
      provideCellStatusBarItems: (cell) => [
        ...priceItems(analysisOf(cell.notebook), cell),
        ...staleItems(cell, results),
      ],
    }),
  )
}

interface NotebookAnalysis {
  readonly analysis: Analysis
  readonly assembled: Assembled
  readonly project: Project
}

const priceItems = (
  { analysis, assembled }: NotebookAnalysis,
  cell: vscode.NotebookCell,
): ReadonlyArray<vscode.NotebookCellStatusBarItem> => {
  const { start = 0, end = 0 } = assembled.spans[cell.index] ?? {}
  const requests = analysis.requests.filter(({ call }) => start <= call.start && call.start < end)
  const [error] = requests.flatMap(({ errors }) => errors)
  if (error !== undefined) return [item("$(error) has errors", error.message)]
  const [first] = requests
  if (first === undefined) return []
  const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
  const price = requests.map((request) => request.price ?? free).reduce(Price.addRanges, free)
  const needed = requests
    .flatMap(({ dependsOn }) => dependsOn)
    .flatMap((index) => analysis.requests[index]?.label ?? [])
  const before = needed.length === 0 ? "" : `Runs ${needed.join(", ")} first; the price is for this cell alone.\n`
  return [item(`$(play) ${Price.show(price)}`, `${before}Network: ${first.network?.id ?? "none"}`)]
}

const staleItems = (cell: vscode.NotebookCell, results: CellResults): ReadonlyArray<vscode.NotebookCellStatusBarItem> =>
  results.of(cell).some(isStale) ? [item("$(history) stale", "The cell has changed since it was run.")] : []

const item = (text: string, tooltip: string): vscode.NotebookCellStatusBarItem => {
  const shown = new vscode.NotebookCellStatusBarItem(text, vscode.NotebookCellStatusBarAlignment.Left)
  shown.tooltip = tooltip
  return shown
}
