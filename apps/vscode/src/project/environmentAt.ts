/** The environment that applies at a place of a file; `# @env` of the request or of the file may name it. */
import { workspaceAt } from "@dotrpc/analysis"
import { sectionAt } from "@dotrpc/lang/locate"

import type { AnalysedPlace } from "./Front.ts"

export interface EnvironmentThere {
  /** `undefined` where requests run in none. */
  readonly name: string | undefined
  /** Whether the file itself names it, so that the user's choice does not change it. */
  readonly isSaid: boolean
}

export const environmentAt = ({ analysis: { tree, workspace }, offset }: AnalysedPlace): EnvironmentThere => {
  const section = sectionAt(tree, offset)
  const isSaid = [section, tree.prelude].some((holder) => holder?.directives.some(({ name }) => name.text === "env"))
  return { name: workspaceAt(tree, section, workspace).environment, isSaid }
}
