/** The results of the cells of open notebooks, for as long as they are open. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { RequestReport } from "@dotrpc/runner"
import * as vscode from "vscode"

export interface CellResult {
  readonly id: number
  readonly cell: vscode.NotebookCell
  readonly report: RequestReport
  /** What the cell held when it was run. */
  readonly ranText: string
}

export class CellResults implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.NotebookDocument>()
  readonly #byCell = new WeakMap<vscode.NotebookCell, ReadonlyArray<CellResult>>()
  readonly #byId = new Map<number, CellResult>()
  readonly #closed: vscode.Disposable
  #lastId = 0

  /** A cell of the notebook has run. */
  readonly onDidChange = this.#changed.event

  constructor() {
    this.#closed = vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#forget(notebook))
  }

  of(cell: vscode.NotebookCell): ReadonlyArray<CellResult> {
    return this.#byCell.get(cell) ?? []
  }

  /** Of all cells of the notebook at a URI. */
  in(uri: vscode.Uri): ReadonlyArray<CellResult> {
    const wanted = uri.toString()
    return [...this.#byId.values()].filter(({ cell }) => cell.notebook.uri.toString() === wanted)
  }

  /** What came back last of a request of a cell, unless the cell was changed since. */
  reportOf(cell: vscode.NotebookCell, { label }: BoundRequest): RequestReport | undefined {
    return this.of(cell).find((result) => result.report.request.label === label && !isStale(result))?.report
  }

  get(id: number): CellResult | undefined {
    return this.#byId.get(id)
  }

  /** An id for a result that is about to come. */
  nextId(): number {
    return ++this.#lastId
  }

  /** The results of one run of a cell take the place of those before. */
  set(cell: vscode.NotebookCell, results: ReadonlyArray<CellResult>): void {
    for (const { id } of this.of(cell)) this.#byId.delete(id)
    for (const result of results) this.#byId.set(result.id, result)
    this.#byCell.set(cell, results)
    this.#changed.fire(cell.notebook)
  }

  dispose(): void {
    this.#closed.dispose()
    this.#changed.dispose()
  }

  #forget(notebook: vscode.NotebookDocument): void {
    for (const [id, { cell }] of this.#byId) if (cell.notebook === notebook) this.#byId.delete(id)
  }
}

/** The cell was changed since it was run. */
export const isStale = ({ cell, ranText }: CellResult): boolean => cell.document.getText() !== ranText
