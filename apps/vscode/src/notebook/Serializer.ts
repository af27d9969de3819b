/** Reads a file of requests as a notebook, and writes it back without a changed byte where nobody changed anything. */
import { inSlices } from "@dotrpc/analysis"
import {
  assemble,
  type Assembled,
  type CellKind,
  cellSourceIn,
  type NotebookCellText,
  readingCells,
} from "@dotrpc/lang-service"
import { type EditorText, editorText, refusedWords } from "@dotrpc/session"
import * as vscode from "vscode"

export const notebookSerializer: vscode.NotebookSerializer = {
  deserializeNotebook: async (bytes) => new vscode.NotebookData([...(await cellsOf(notebookText(bytes)))]),
  serializeNotebook: ({ cells }) => new TextEncoder().encode(assemble(cells.map(cellText)).text),
}

const cellsOf = async ({ parsed }: EditorText): Promise<ReadonlyArray<vscode.NotebookCellData>> => {
  const cells = await inSlices(readingCells(parsed))
  return (cells ?? []).map(({ kind, source, value }) => {
    const data = addedCell(kind, value)
    data.metadata = { source }
    return data
  })
}

/** The cells of a text that is not saved. */
export const readCells = (text: string): Promise<ReadonlyArray<vscode.NotebookCellData>> =>
  cellsOf(notebookText(new TextEncoder().encode(text)))

/** What a notebook can be made of. Throws words for the user where it cannot. */
export const notebookText = (bytes: Uint8Array): EditorText => {
  const text = editorText(decode(bytes))
  if (text.refused !== undefined) throw new Error(asText(text.refused))
  return text
}

/** As {@link notebookText}, of a file that is not opened yet: once it is, the editor has no words but its own. */
export const checkNotebook = async (uri: vscode.Uri): Promise<void> => {
  const { size } = await vscode.workspace.fs.stat(uri)
  if (size > largestFile) throw new Error(asText("This file is larger than 16 MB"))
  notebookText(await vscode.workspace.fs.readFile(uri))
}

/** More than any text that is read has, in bytes. */
const largestFile = 16 * 1024 * 1024

const asText = (reason: string): string => `${refusedWords(reason)} It opens in the text editor.`

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
    source,
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
