/** What is wrong with variables, whether or not anything uses them. */
import type { Diagnostic, FileNode, SectionNode } from "@dotrpc/lang"
import { pending } from "../Evaluate.ts"
import { findMethod, type Workspace } from "../Workspace.ts"
import { makeScope } from "./scope.ts"

/** The problems of a section's variables, or of the prelude's. */
export const variableDiagnostics = (
  tree: FileNode,
  workspace: Workspace,
  names: ReadonlySet<string>,
  section: SectionNode | undefined,
): ReadonlyArray<Diagnostic> => {
  const { variables } = section ?? tree.prelude
  if (variables.length === 0) return []
  const scope = makeScope({
    workspace,
    prelude: tree.prelude,
    ...(section === undefined ? {} : { section }),
    plugin: section?.call === undefined ? undefined : findMethod(workspace, section.call.method.text)?.plugin,
    requests: (name) => (names.has(name) ? pending : undefined),
    requestNames: () => [...names],
    own: {},
    absentMember: "problem",
  })
  return variables.flatMap((variable) => {
    const evaluated = scope.name(variable.name.text, variable.name)
    return evaluated._tag === "Problem" ? evaluated.diagnostics : []
  })
}
