/** The extension's projects and results, as the language server asks for them. */
import type { NamedResults } from "@dotrpc/analysis"
import type { HostProject, ProjectHost } from "@dotrpc/language-server"
import * as vscode from "vscode"

import type { CellResults } from "../notebook/CellResults.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Results } from "../results/Results.ts"
import { type ImportedFiles, readFileText } from "./ImportedFiles.ts"
import { namedCellResults, namedResults } from "../results/namedResults.ts"

export const projectHost = (
  projects: Projects,
  files: ImportedFiles,
  results: Results,
  cells: CellResults,
): ProjectHost => ({
  project: async (document) => hostProject(await projects.loaded(vscode.Uri.parse(document))),
  results: (document): NamedResults => {
    const uri = vscode.Uri.parse(document)
    return new Map([...namedResults(uri, results), ...namedCellResults(uri, cells)])
  },
  onDidChange: (changed) => vscode.Disposable.from(projects.onDidChange(changed), files.onDidChange(changed)),
  readFile: (file) => readFileText(vscode.Uri.parse(file)),
  listFiles: async (folder) => {
    const found = await vscode.workspace.findFiles(new vscode.RelativePattern(vscode.Uri.parse(folder), "**/*.rpc"))
    return found.map(String)
  },
})

const known = new WeakMap<Project, HostProject>()

/** The same for the same, so that documents are not analysed again. */
const hostProject = (project: Project): HostProject => {
  const shared = known.get(project) ?? {
    workspace: project.workspace,
    known: project.known,
    ...(project.configFile === undefined
      ? {}
      : { config: { ...project.configFile, problems: project.problems, warnings: project.warnings } }),
  }
  known.set(project, shared)
  return shared
}
