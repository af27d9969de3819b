/** The folder that runs are kept in. */
import * as vscode from "vscode"

/** Files by their names. Each function rejects when it cannot do what it is asked for. */
export interface HistoryFiles {
  readonly read: (name: string) => Promise<string>
  readonly write: (name: string, text: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

/** Files in a folder of the editor's storage, wherever that is. */
export const filesIn = (folder: vscode.Uri): HistoryFiles => {
  const { fs } = vscode.workspace
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name)
  return {
    read: async (name) => new TextDecoder().decode(await fs.readFile(file(name))),
    write: async (name, text) => fs.writeFile(file(name), new TextEncoder().encode(text)),
    remove: async (name) => fs.delete(file(name)),
  }
}
