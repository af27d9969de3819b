/** The extension's session and results, as the language server asks for them. */
import type { SharedSession } from "@dotrpc/language-server"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"

import { comparedPrices } from "./comparedPrices.ts"
import type { Projects } from "../project/Projects.ts"
import type { Results } from "../results/Results.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { listFolder, readFileText } from "../project/readFile.ts"
import { namedResults } from "../results/namedResults.ts"

export const sharedSession = (
  session: Session,
  projects: Projects,
  files: ImportedFiles,
  results: Results,
): SharedSession => ({
  session,
  isFed: true,
  results: (document) => namedResults(vscode.Uri.parse(document), results),
  comparePrices: (document) => comparedPrices(vscode.Uri.parse(document)),
  configured: () => projects.configured,
  onDidChange: (changed) => vscode.Disposable.from(projects.onDidChange(changed), files.onDidChange(changed)),
  readFile: (file) => readFileText(vscode.Uri.parse(file)),
  listFolder: (folder) => listFolder(vscode.Uri.parse(folder)),
  listFiles: async (folder) => {
    const found = await vscode.workspace.findFiles(new vscode.RelativePattern(vscode.Uri.parse(folder), "**/*.rpc"))
    return found.map(String)
  },
})
