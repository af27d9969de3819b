/** Which function a name in an expression calls, with what it may know where it is called. */
import type { SectionNode } from "@dotrpc/lang"
import type { FunctionContext, PluginFunction } from "@dotrpc/spec"
import type { FileNames } from "../Analysis.ts"
import { languageFunctions } from "../functions.ts"
import { rowFunctions } from "../RowFunctions.ts"
import { findFunction, type Workspace } from "../Workspace.ts"
import { abiInForce } from "./abi.ts"

export interface CallPlace {
  readonly file: Pick<FileNames, "tree" | "abiDocuments">
  readonly section?: SectionNode | undefined
  /** The plugin of the section's method, whose functions come first. */
  readonly plugin: string | undefined
  readonly workspace: Workspace
}

/** The language's own function of that name, else the one of the section's plugin, else of any plugin. */
export const functionInForce = (
  name: string,
  { file, plugin, section, workspace }: CallPlace,
): { readonly entry: PluginFunction; readonly context: FunctionContext } | undefined => {
  const own = [...languageFunctions(workspace.now), ...rowFunctions].find((entry) => entry.name === name)
  if (own !== undefined) return { entry: own, context: {} }
  const entry = findFunction(workspace, name, plugin)
  if (entry === undefined) return undefined
  const owner = workspace.plugins.find(({ functions }) => functions.includes(entry))
  const { abi } = abiInForce(file, section, owner, workspace)
  return { entry, context: abi === undefined ? {} : { abi } }
}

/** The names of all functions that may be called anywhere, each once. */
export const functionNames = (workspace: Workspace): ReadonlyArray<string> => [
  ...new Set(
    [languageFunctions(workspace.now), ...workspace.plugins.map(({ functions }) => functions)].flatMap((functions) =>
      functions.map(({ name }) => name),
    ),
  ),
]
