/** Reads a file of requests as a notebook, and writes it back without a changed byte where nobody changed anything. */
import { inSlices } from "@dotrpc/analysis"
import {
  assemble,
  type Assembled,
  type CellKind,
  cellSourceIn,
  type FileCell,
  type NotebookCellText,
  readingCells,
} from "@dotrpc/lang-service"
import { editorText, refusedWords, tooManyCells } from "@dotrpc/session"
import { encodingOf } from "@dotrpc/spec"
import * as vscode from "vscode"

export const notebookSerializer: vscode.NotebookSerializer = {
  deserializeNotebook: async (bytes) => new vscode.NotebookData([...(await cellsIn(decode(bytes)))]),
  serializeNotebook: ({ cells }) => new TextEncoder().encode(assemble(cells.map(cellText)).text),
}

/** The cells of a text, as the editor takes them. */
export const cellsIn = async (text: string): Promise<ReadonlyArray<vscode.NotebookCellData>> =>
  (await readNotebook(text)).map(({ kind, source, value }) => {
    const data = addedCell(kind, value)
    data.metadata = { source }
    return data
  })

/** What a notebook can be made of. Rejects with words for the user where it cannot. */
const readNotebook = async (text: string): Promise<ReadonlyArray<FileCell>> => {
  const { parsed, refused } = editorText(text)
  if (refused !== undefined) throw new Error(asText(refused))
  const cells = (await inSlices(readingCells(parsed))) ?? []
  const many = tooManyCells(cells.length)
  if (many !== undefined) throw new Error(asText(many))
  return cells
}

/**
 * Rejects as {@link cellsIn} does, before the file is opened: after that, the editor shows no words but its own. Says whether
 * the file begins with a byte order mark, which the text of an editor does not show.
 */
export const checkNotebook = async (uri: vscode.Uri): Promise<{ readonly hasMark: boolean }> => {
  const { size } = await vscode.workspace.fs.stat(uri)
  if (size > largestFile) throw new Error(asText("This file is larger than 16 MB"))
  const text = decode(await vscode.workspace.fs.readFile(uri))
  await readNotebook(text)
  return { hasMark: text.startsWith("\uFEFF") }
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
    const found = encodingOf(bytes) === "utf-8" ? "not UTF-8" : "UTF-16"
    throw new Error(`This file is ${found}, so a notebook could not save it unchanged. Open it in the text editor.`)
  }
}
