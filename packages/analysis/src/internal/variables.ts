/** What is wrong with variables, whether or not anything uses them. */
import type { Diagnostic, SectionNode } from "@dotrpc/lang"
import type { Work } from "../Evaluate.ts"
import type { FileNames } from "../Analysis.ts"
import { readSettings } from "../Settings.ts"
import type { Workspace } from "../Workspace.ts"
import { workspaceAt } from "./environment.ts"
import { makeScope, nothingHasRun } from "./scope.ts"
import { methodOf } from "./target.ts"

/** The problems of a section's variables, or of the prelude's. */
export const variableDiagnostics = (
  file: FileNames,
  workspace: Workspace,
  section: SectionNode | undefined,
  work: Work,
): ReadonlyArray<Diagnostic> => {
  const { variables } = section ?? file.tree.prelude
  if (variables.length === 0) return []
  const scopes = workspacesOf(file, workspace, section).map((read) =>
    makeScope({
      workspace: read,
      file,
      section,
      plugin:
        section?.call === undefined
          ? undefined
          : methodOf(section.call, readSettings(file.tree.prelude, section).settings, read)?.plugin,
      resultOf: nothingHasRun,
      work,
      own: {},
      absentMember: "problem",
    }),
  )
  return variables.flatMap((variable) => {
    const found = scopes.map((scope) => scope.name(variable.name.text, variable.name))
    const [first] = found
    return first?._tag === "Problem" && found.every(({ _tag }) => _tag === "Problem") ? first.diagnostics : []
  })
}

/** The prelude is read for every section, and a variable of it may make sense in the environment of one section only. */
const workspacesOf = (
  { tree }: FileNames,
  workspace: Workspace,
  section: SectionNode | undefined,
): ReadonlyArray<Workspace> => {
  const own = workspaceAt(tree, section, workspace)
  if (section !== undefined) return [own]
  return [...new Set([own, ...tree.sections.map((other) => workspaceAt(tree, other, workspace))])]
}
