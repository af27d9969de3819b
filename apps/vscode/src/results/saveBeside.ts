/** Asks where to write something that belongs to a file: beside it, unless its user says otherwise. */
import * as vscode from "vscode"

/** What is written: its name, and what a person calls its format. */
export interface SavedFile {
  readonly name: string
  readonly format: string
  readonly extension: string
}

export const askWhere = (title: string, of: vscode.Uri, saved: SavedFile): Thenable<vscode.Uri | undefined> => {
  const options: vscode.SaveDialogOptions = { title, filters: { [saved.format]: [saved.extension] } }
  const folder = folderOf(of)
  if (folder !== undefined) options.defaultUri = vscode.Uri.joinPath(folder, saved.name)
  return vscode.window.showSaveDialog(options)
}

/** Of a file that is not saved yet, the first folder of the workspace. */
const folderOf = (uri: vscode.Uri): vscode.Uri | undefined =>
  uri.scheme === "untitled" ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.joinPath(uri, "..")
