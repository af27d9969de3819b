/** Reads every configuration that is open, so that its problems are shown even where none of its requests is. */
import * as vscode from "vscode"

import { isConfig } from "./configKeys.ts"
import type { Projects } from "./Projects.ts"

export const followConfigs = (projects: Projects): vscode.Disposable => {
  const read = (document: vscode.TextDocument): void => {
    if (isConfig(document)) projects.current(document.uri)
  }
  vscode.workspace.textDocuments.forEach(read)
  return vscode.workspace.onDidOpenTextDocument(read)
}
