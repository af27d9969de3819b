/** Runs cells of a notebook, and those they need: the text of all cells is one file of requests. */
import type { BoundRequest } from "@dotrpc/analysis"
import { lineIndex } from "@dotrpc/lang/locate"
import { editorText } from "@dotrpc/session"
import { isGood, type RunEvent } from "@dotrpc/runner"
import * as vscode from "vscode"

import { ordinary, type Permit } from "../credits/Permit.ts"
import { acceptedText } from "../project/EditorTexts.ts"
import type { PaidPart } from "../run/wholeCost.ts"
import type { RunInput, Runs } from "../run/Runs.ts"
import type { Results } from "../results/Results.ts"
import type { RunSink, RunView } from "../run/RunSink.ts"
import { teeView } from "../run/teeSink.ts"
import type { Assembled } from "@dotrpc/lang-service"
import { CellExecution } from "./CellExecution.ts"
import type { NotebookAnalyses } from "../project/NotebookAnalyses.ts"
import { assembleNotebook } from "../project/Serializer.ts"
import { cellError } from "../Shown.ts"

export interface NotebookParts {
  readonly analyses: NotebookAnalyses
  readonly controller: vscode.NotebookController
  readonly results: Results
  readonly runs: Runs
  /** The cells that are running, in all notebooks. */
  readonly running: Set<vscode.NotebookCell>
}

export interface CellRunOptions {
  /** Lifts limits for this run, and for none that repeats it. */
  readonly permit?: Permit | undefined
  /** The one request of the cells that is run, and resumed instead of read from the beginning. */
  readonly resume?: (PaidPart & { readonly label: string }) | undefined
}

export const runCells = async (
  parts: NotebookParts,
  notebook: vscode.NotebookDocument,
  cells: ReadonlyArray<vscode.NotebookCell>,
  { permit = ordinary, resume }: CellRunOptions = {},
): Promise<void> => {
  const before = assembleNotebook(notebook)
  acceptedText(before.text)
  const calls = callsOf(before)
  const holdsRequest = (cell: vscode.NotebookCell) => requestsIn(before, calls, cell.index).length > 0
  for (const cell of cells) if (!holdsRequest(cell)) await check(parts, cell)
  if (!cells.some(holdsRequest)) return
  const read = (): RunInput => {
    const assembled = assembleNotebook(notebook)
    const resumed = resume === undefined ? undefined : resumedIn(parts, notebook, assembled, cells, resume)
    const isAll = cells.length > 1 && cells.length === codeCells(notebook).length
    return {
      uri: notebook.uri,
      text: assembled.text,
      // What is marked to be skipped runs only when it was chosen.
      requests: isAll ? [] : resumed === undefined ? requestsOf(assembled, cells) : [...resumed.keys()],
      resume: resumed,
      shown: ({ index }) => parts.results.reportAt({ uri: notebook.uri.toString(), request: index }),
      sink: sinkOf(parts, notebook, assembled),
      repeat: () =>
        runCells(
          parts,
          notebook,
          cells.filter((cell) => cell.index >= 0),
        ),
    }
  }
  await parts.runs.start(notebook.uri, read, permit)
}

/** The request of a label in the cells, by its position. */
const resumedIn = (
  { analyses }: NotebookParts,
  notebook: vscode.NotebookDocument,
  assembled: Assembled,
  cells: ReadonlyArray<vscode.NotebookCell>,
  { label, ...resume }: NonNullable<CellRunOptions["resume"]>,
): ReadonlyMap<number, PaidPart> => {
  const own = new Set(requestsOf(assembled, cells))
  const found = analyses
    .current(notebook)
    ?.analysis.requests.find((request) => own.has(request.index) && request.label === label)
  if (found === undefined) throw new Error("The request is no longer in its cell: run the cell again.")
  return new Map([[found.index, resume]])
}

/** Positions, among the requests of the file, of those that stand in these cells. */
const requestsOf = (assembled: Assembled, cells: ReadonlyArray<vscode.NotebookCell>): ReadonlyArray<number> => {
  const calls = callsOf(assembled)
  return cells.flatMap((cell) => requestsIn(assembled, calls, cell.index))
}

/** Where the calls of the file begin, in their order. */
const callsOf = ({ text }: Assembled): ReadonlyArray<number> =>
  editorText(text).parsed.tree.sections.flatMap(({ call }) => call?.start ?? [])

const requestsIn = ({ spans }: Assembled, calls: ReadonlyArray<number>, cell: number): ReadonlyArray<number> => {
  const span = spans[cell]
  if (span === undefined) return []
  return calls.flatMap((start, index) => (span.start <= start && start < span.end ? [index] : []))
}

const codeCells = (notebook: vscode.NotebookDocument): ReadonlyArray<vscode.NotebookCell> =>
  notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code)

/** Variables, imports and settings for the whole file hold as soon as they are written, unless something is wrong in them. */
const check = async ({ analyses, controller }: NotebookParts, cell: vscode.NotebookCell): Promise<void> => {
  const { analysis, assembled } = await analyses.loaded(cell.notebook)
  const execution = controller.createNotebookCellExecution(cell)
  execution.start(Date.now())
  const { start = 0, end = 0 } = assembled.spans[cell.index] ?? {}
  const wrong = analysis.diagnostics.filter(
    (entry) => entry.severity === "error" && start <= entry.start && entry.start < end,
  )
  const outputs = wrong.map(({ message }) => cellError(message))
  await execution.replaceOutput(outputs.map((output) => new vscode.NotebookCellOutput([output])))
  execution.end(wrong.length === 0, Date.now())
}

/** The cell that a request stands in; an imported one stands in none. */
export const cellAt = (
  notebook: vscode.NotebookDocument,
  { spans }: Assembled,
  request: BoundRequest | undefined,
): vscode.NotebookCell | undefined => {
  if (request === undefined || request.origin !== undefined) return undefined
  const { call } = request
  const index = spans.findIndex(({ start, end }) => start <= call.start && call.start < end)
  return index < 0 ? undefined : notebook.cellAt(index)
}

const sinkOf = (parts: NotebookParts, notebook: vscode.NotebookDocument, assembled: Assembled): RunSink => {
  const { analyses, results } = parts
  const cellOf = (request: BoundRequest) => cellAt(notebook, assembled, request)
  const kept = results.sinkOf({ uri: notebook.uri, version: 0, getText: () => assembled.text })
  return {
    busy: (requests) =>
      requests.find((request) => {
        const cell = cellOf(request)
        return cell !== undefined && parts.running.has(cell)
      }) ?? kept.busy(requests),
    begin: (requests, cancel) => {
      const { analysis } = analyses.current(notebook) ?? {}
      if (analysis !== undefined) results.follow(notebook.uri, analysis, lineIndex(assembled.text))
      const groups = Map.groupBy(requests, cellOf)
      const executions = new Map<number, CellExecution>()
      const cells: Array<vscode.NotebookCell> = []
      for (const [cell, own] of groups) {
        if (cell === undefined) continue
        const execution = parts.controller.createNotebookCellExecution(cell)
        execution.token.onCancellationRequested(cancel)
        const shown = new CellExecution(execution, own)
        for (const { index } of own) executions.set(index, shown)
        parts.running.add(cell)
        cells.push(cell)
      }
      const hasPrevious = (request: number) =>
        results.at({ uri: notebook.uri.toString(), request })?.previous !== undefined
      const shown = viewOf(executions, hasPrevious, () => cells.forEach((cell) => parts.running.delete(cell)))
      // An output asks for its rows as soon as it is shown, and by then its result has to be there.
      return teeView([kept.begin(requests, cancel), shown])
    },
  }
}

const viewOf = (
  executions: ReadonlyMap<number, CellExecution>,
  hasPrevious: (request: number) => boolean,
  end: () => void,
): RunView => ({
  receive: (event: RunEvent) => {
    if (event._tag === "RequestProgress" && event.soFar !== undefined) {
      executions.get(event.request.index)?.grow(event, event.soFar)
    }
    if (event._tag !== "RequestFinished") return
    const { report } = event
    const { index } = report.request
    executions.get(index)?.finish(report, isGood(report), hasPrevious(index))
  },
  abandon: (request) => executions.get(request)?.abandon(request),
  end,
})
