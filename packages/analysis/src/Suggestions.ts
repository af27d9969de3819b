/** What a plugin suggests for the arguments of its functions, where they are called. */
import { sectionAt } from "@dotrpc/lang/locate"
import type { Suggestion } from "@dotrpc/spec"
import type { Analysis } from "./Analysis.ts"
import { languageFunctions } from "./functions.ts"
import { workspaceAt } from "./internal/environment.ts"
import { functionInForce } from "./internal/functionInForce.ts"

/** The texts that an argument of a function is likely to be, at an offset of the file; `argument` counts from 0. */
export const suggestionsAt = (
  analysis: Analysis,
  offset: number,
  name: string,
  argument: number,
): ReadonlyArray<Suggestion> => {
  const section = sectionAt(analysis.tree, offset)
  const workspace = workspaceAt(analysis.tree, section, analysis.workspace)
  if (languageFunctions(workspace.now).some((entry) => entry.name === name)) return []
  const plugin = analysis.requests.find((request) => request.section === section)?.method?.plugin
  const found = functionInForce(name, { file: analysis, plugin, section, workspace })
  return found?.entry.suggest?.(argument, found.context) ?? []
}
