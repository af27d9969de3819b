/** The environment that a text chooses for itself with `# @env NAME`. */
import type { Diagnostic, DirectiveNode, FileNode, SectionNode } from "@dotrpc/lang"
import { nearest } from "@dotrpc/spec"
import { problem, replacement } from "../Problem.ts"
import { inEnvironment, unknownName, type Workspace } from "../Workspace.ts"

/** The workspace that a section is read against, or the prelude: as its own `# @env` says, else the file's, else as chosen. */
export const workspaceAt = (tree: FileNode, section: SectionNode | undefined, workspace: Workspace): Workspace => {
  const said = environmentSaid(section) ?? environmentSaid(tree.prelude)
  return said === undefined ? workspace : (inEnvironment(workspace, said.value.text) ?? workspace)
}

/** Every `# @env` of a file that names no environment of the project. */
export const environmentDiagnostics = (tree: FileNode, workspace: Workspace): ReadonlyArray<Diagnostic> =>
  tree.tokens.text.includes("@env")
    ? [tree.prelude, ...tree.sections].flatMap((holder) => unknownEnvironment(environmentSaid(holder), workspace))
    : []

export const unknownEnvironment = (
  directive: DirectiveNode | undefined,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  if (directive === undefined || directive.value.text === "") return []
  const { value } = directive
  if (inEnvironment(workspace, value.text) !== undefined) return []
  const names = [...workspace.environments.keys()]
  const meant = nearest(value.text, names)
  const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, value, meant)
  const advice = names.length === 0 ? ': add it to "environments" in rpc.config.json' : ""
  return [problem("A107", value, `${unknownName("environment", value.text, names)}${advice}`, fix)]
}

const environmentSaid = (
  holder: { readonly directives: ReadonlyArray<DirectiveNode> } | undefined,
): DirectiveNode | undefined => holder?.directives.findLast(({ name }) => name.text === "env")
