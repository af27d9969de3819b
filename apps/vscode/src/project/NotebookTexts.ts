/** The texts of notebooks in the session, each the file that it would be saved as, put together once for each of its states. */
import type { Assembled } from "@dotrpc/lang-service"
import { type Cell, type EditorText, editorText, type Session } from "@dotrpc/session"
import * as vscode from "vscode"

import { notebookType } from "./notebookType.ts"
import { assembleNotebook } from "./Serializer.ts"

export interface NotebookText {
  readonly assembled: Assembled
  readonly text: EditorText
}

export class NotebookTexts implements vscode.Disposable {
  readonly #session: Session
  readonly #known = new WeakMap<vscode.NotebookDocument, CellVersions & NotebookText>()
  readonly #subscription: vscode.Disposable

  constructor(session: Session) {
    this.#session = session
    const isOwn = (notebook: vscode.NotebookDocument) => notebook.notebookType === notebookType
    const read = (notebook: vscode.NotebookDocument) => isOwn(notebook) && this.of(notebook)
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidOpenNotebookDocument(read),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => read(notebook)),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => {
        if (isOwn(notebook)) session.close(notebook.uri.toString(), "notebook")
      }),
    )
    vscode.workspace.notebookDocuments.forEach(read)
  }

  /** The text as it is now. The session has it afterwards, unless the notebook is closed. */
  of(notebook: vscode.NotebookDocument): NotebookText {
    const uri = notebook.uri.toString()
    const before = this.#known.get(notebook)
    const versions = versionsOf(notebook)
    const isSame = before !== undefined && isSameCells(before, versions)
    if (isSame && this.#session.textAt(uri, "notebook") === before.text) return before
    const assembled = isSame ? before.assembled : assembleNotebook(notebook)
    const text = notebook.isClosed
      ? editorText(assembled.text)
      : this.#session.changeNotebook(uri, assembled.text, cellsOf(versions.cells, assembled))
    const read = { ...versions, assembled, text }
    this.#known.set(notebook, read)
    return read
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}

const cellsOf = (cells: CellVersions["cells"], { spans }: Assembled): ReadonlyArray<Cell> =>
  cells.flatMap(({ document, kind }, index): ReadonlyArray<Cell> => {
    const span = spans[index]
    const isCode = kind !== vscode.NotebookCellKind.Markup
    return span === undefined ? [] : [{ ...span, isCode, uri: document.uri.toString() }]
  })

/** Putting the cells together takes long enough not to be done for each of them. */
interface CellVersions {
  readonly cells: ReadonlyArray<vscode.NotebookCell>
  readonly versions: ReadonlyArray<number>
}

const versionsOf = (notebook: vscode.NotebookDocument): CellVersions => {
  const cells = notebook.getCells()
  return { cells, versions: cells.map(({ document }) => document.version) }
}

const isSameCells = (left: CellVersions, right: CellVersions): boolean =>
  left.cells.length === right.cells.length &&
  left.cells.every((cell, index) => cell === right.cells[index] && left.versions[index] === right.versions[index])
