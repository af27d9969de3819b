/** Shows what is wrong in a configuration file in that file. */
import { lineIndex, positionAt } from "@dotrpc/lang"
import * as vscode from "vscode"

import type { Projects } from "./Projects.ts"

export const provideConfigProblems = (projects: Projects): vscode.Disposable => {
  const collection = vscode.languages.createDiagnosticCollection("dotrpc configuration")
  const show = () => {
    collection.clear()
    for (const { configFile, problems } of projects.configured) {
      if (configFile === undefined) continue
      const lines = lineIndex(configFile.text)
      const found = problems.map(({ start, end, message }) => {
        const [from, to] = [positionAt(lines, start), positionAt(lines, end)]
        const range = new vscode.Range(from.line, from.character, to.line, to.character)
        const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error)
        diagnostic.source = "dotrpc"
        return diagnostic
      })
      collection.set(vscode.Uri.parse(configFile.uri), found)
    }
  }
  return vscode.Disposable.from(collection, projects.onDidChange(show))
}
