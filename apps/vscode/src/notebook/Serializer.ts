/** Reads a file of requests as a notebook, and writes it back without a changed byte where nobody changed anything. */
import {
  assemble,
  type Assembled,
  type CellKind,
  cellSourceIn,
  cellsOf,
  type NotebookCellText,
} from "@dotrpc/lang-service"
import { editorText } from "@dotrpc/language-server"
import * as vscode from "vscode"

import { refusedAdvice } from "../language/EditorTexts.ts"

export const notebookSerializer: vscode.NotebookSerializer = {
  deserializeNotebook: (bytes) => {
    const text = decode(bytes)
    const { refused } = editorText(text)
    if (refused !== undefined) throw new Error(`${refusedAdvice(refused)} It opens in the text editor.`)
    return new vscode.NotebookData(
      cellsOf(text).map(({ kind, source, value }) => {
        const data = addedCell(kind, value)
        data.metadata = { source }
        return data
      }),
    )
  },
  serializeNotebook: ({ cells }) => new TextEncoder().encode(assemble(cells.map(cellText)).text),
}

/** The text of the file as the notebook is now, and where each cell stands in it. */
export const assembleNotebook = (notebook: vscode.NotebookDocument): Assembled =>
  assemble(
    notebook.getCells().map(({ kind, document, metadata }) => cellText({ kind, value: document.getText(), metadata })),
  )

/** A cell that was not read from the file. */
export const addedCell = (kind: CellKind, value: string): vscode.NotebookCellData =>
  kind === "title"
    ? new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, value, "markdown")
    : new vscode.NotebookCellData(vscode.NotebookCellKind.Code, value, "rpc")

const cellText = (cell: Pick<vscode.NotebookCellData, "kind" | "value" | "metadata">): NotebookCellText => {
  const source = cellSourceIn(cell.metadata)
  return {
    kind: cell.kind === vscode.NotebookCellKind.Markup ? "title" : "code",
    value: cell.value,
    ...(source === undefined ? {} : { source }),
  }
}

const decode = (bytes: Uint8Array): string => {
  try {
    // A byte order mark stays, or it would be missing when the file is written.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error("This file is not UTF-8, so a notebook could not save it unchanged. Open it in the text editor.")
  }
}
