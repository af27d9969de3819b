/** Puts a request on the clipboard as a curl command in which secrets have names. */
import { analyzing, bindParams, inSlices, type Workspace, writtenEndpoint } from "@dotrpc/analysis"
import {
  curlCommand,
  type ExportedCall,
  methodObstacle,
  secretPlaceholder,
  shownPlaceholders,
  variablePlaceholder,
} from "@dotrpc/lang-service"
import { Redacted } from "effect"
import * as vscode from "vscode"

import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { acceptedText } from "../project/EditorTexts.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { namedResults } from "../results/namedResults.ts"
import type { Results } from "../results/Results.ts"
import { showDone } from "../Shown.ts"

export const copyAsCurl = async (
  document: vscode.TextDocument,
  index: number,
  projects: Projects,
  files: ImportedFiles,
  results: Results,
): Promise<void> => {
  const project = await projects.loaded(document.uri)
  const secret = (name: string) => Redacted.make(secretPlaceholder(name))
  const { parsed } = acceptedText(document.getText())
  const sources = await files.loaded(document.uri, parsed)
  const env = (name: string) => (project.workspace.isListed(name) ? variablePlaceholder(name) : undefined)
  const workspace = { ...project.workspace, now: Date.now(), secret, env }
  const analysis = await inSlices(analyzing(parsed, workspace, { sources }))
  const request = analysis?.requests[index]
  if (analysis === undefined || request?.method === undefined || request.network === undefined) {
    throw new Error(shownPlaceholders(request?.errors[0]?.message ?? "The request is no longer in its file."))
  }
  const obstacle = methodObstacle(request.method)
  if (obstacle !== undefined)
    throw new Error(`${shownPlaceholders(request.label)} cannot be copied as curl: ${obstacle}.`)
  const bound = bindParams(analysis, request, namedResults(document.uri, results))
  if ("diagnostics" in bound) {
    const [problem] = bound.diagnostics
    throw new Error(`It cannot be copied yet: ${shownPlaceholders(problem?.message ?? "the request is not complete")}`)
  }
  const { method, network } = request
  const { params } = method.prepare(bound.params, network)
  await vscode.env.clipboard.writeText(
    curlCommand({ method, network, params, ...targetOf(request.workspace, network.id, project) }, [
      document.getText(),
      JSON.stringify(project.config),
    ]),
  )
  showDone(`Copied ${shownPlaceholders(request.label)} as curl`)
}

/** The URL and headers as they are written, before secrets are filled in. */
const targetOf = (
  workspace: Workspace,
  network: string,
  { config }: Project,
): Pick<ExportedCall, "headers" | "url"> => {
  const { headers, url } = writtenEndpoint(workspace, config, network)
  if (url === undefined) throw new Error(`Network "${network}" has no "url" in rpc.config.json.`)
  return { headers, url }
}
