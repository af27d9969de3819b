/** The extension's projects and results, as the language server asks for them. */
import type { NamedResults } from "@dotrpc/analysis"
import type { SharedSession } from "@dotrpc/language-server"
import { makeSession } from "@dotrpc/session"
import * as vscode from "vscode"

import type { CellResults } from "../notebook/CellResults.ts"
import type { Projects } from "../project/Projects.ts"
import type { Results } from "../results/Results.ts"
import { type ImportedFiles, readFileText } from "./ImportedFiles.ts"
import { namedCellResults, namedResults } from "../results/namedResults.ts"

export const projectHost = (
  projects: Projects,
  files: ImportedFiles,
  results: Results,
  cells: CellResults,
): SharedSession => {
  const session = makeSession(
    { loaded: (document) => projects.loaded(vscode.Uri.parse(document)) },
    { readFile: (file) => readFileText(vscode.Uri.parse(file)) },
  )
  return {
    session,
    results: (document): NamedResults => {
      const uri = vscode.Uri.parse(document)
      return new Map([...namedResults(uri, results), ...namedCellResults(uri, cells)])
    },
    onDidChange: (changed) => {
      const reset = () => {
        session.forget()
        changed()
      }
      vscode.Disposable.from(projects.onDidChange(reset), files.onDidChange(reset))
    },
    listFiles: async (folder) => {
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(vscode.Uri.parse(folder), "**/*.rpc"))
      return found.map(String)
    },
  }
}
