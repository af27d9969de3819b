/** The folders in which an editor looks for what applies to a document. */
import * as vscode from "vscode"

/** The URIs of a folder and of those above it, as far as the search goes. */
export async function* foldersUp(start: vscode.Uri, opened: string | undefined): AsyncGenerator<string, void> {
  for (let folder = start; ; folder = vscode.Uri.joinPath(folder, "..")) {
    yield `${folder.toString().replace(/\/$/, "")}/`
    if (folder.path === "/" || folder.toString() === opened || (await isRepository(folder))) return
  }
}

const isRepository = async (folder: vscode.Uri): Promise<boolean> => {
  for (const mark of [".git", ".hg", ".jj", ".sl"])
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, mark))
      return true
    } catch {
      // It is not there, so the search goes on.
    }
  return false
}
