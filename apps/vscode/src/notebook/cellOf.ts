/** The cell that a document is the text of. */
import * as vscode from "vscode"

export const cellOf = (document: vscode.TextDocument): vscode.NotebookCell | undefined =>
  vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell.document === document)
