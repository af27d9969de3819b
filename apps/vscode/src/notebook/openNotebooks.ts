/** The notebooks that are open: one by the URI of its file, and the cell that a document is the text of. */
import * as vscode from "vscode"

import { notebookType } from "../project/notebookType.ts"

export const notebookAt = (uri: vscode.Uri): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find(
    (notebook) => notebook.notebookType === notebookType && notebook.uri.toString() === uri.toString(),
  )

export const cellOf = (document: vscode.TextDocument): vscode.NotebookCell | undefined =>
  vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell.document === document)
