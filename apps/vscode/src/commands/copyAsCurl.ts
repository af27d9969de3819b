/** Puts a request on the clipboard as a curl command in which secrets have names. */
import { analyzing, bindParams, defaultConfig, inSlices } from "@dotrpc/analysis"
import { Redacted } from "effect"
import * as vscode from "vscode"

import type { ImportedFiles } from "../language/ImportedFiles.ts"
import { acceptedText } from "../language/EditorTexts.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { namedResults } from "../results/namedResults.ts"
import type { Results } from "../results/Results.ts"
import { curlCommand, type CurlRequest, secretPlaceholder } from "./curl.ts"
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
  const workspace = { ...project.workspace, now: Date.now(), secret }
  const analysis = await inSlices(analyzing(parsed, workspace, { sources }))
  const request = analysis?.requests[index]
  if (analysis === undefined || request?.method === undefined || request.network === undefined) {
    throw new Error(request?.errors[0]?.message ?? "The request is no longer in its file.")
  }
  const bound = bindParams(analysis, request, namedResults(document.uri, results))
  if ("diagnostics" in bound) {
    const [problem] = bound.diagnostics
    throw new Error(`It cannot be copied yet: ${problem?.message ?? "the request is not complete"}`)
  }
  const { method, network } = request
  const { params } = method.prepare(bound.params, network)
  await vscode.env.clipboard.writeText(
    curlCommand({ method, network, params, ...targetOf(network.id, request.workspace.environment, project) }),
  )
  showDone(`Copied ${request.label} as curl`)
}

/** The URL and headers as they are written, before secrets are filled in. */
const targetOf = (
  network: string,
  environment: string | undefined,
  { config }: Project,
): Pick<CurlRequest, "headers" | "url"> => {
  const chosen = environment === undefined ? undefined : config.environments?.[environment]
  const { headers, url } = { ...(config.networks ?? defaultConfig.networks)?.[network], ...chosen?.networks?.[network] }
  if (url === undefined) throw new Error(`Network "${network}" has no "url" in rpc.config.json.`)
  return { headers, url }
}
