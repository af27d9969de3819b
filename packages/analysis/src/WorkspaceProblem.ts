/** What is wrong with a project as a whole. */
import type { ParamPath } from "@dotrpc/spec"

/** A choice that the project does not know, in words for the user. */
export interface WorkspaceProblem {
  readonly message: string
  /** Where in the configuration; absent for a choice that was not made there. */
  readonly path?: ParamPath | undefined
  /** Whether the value at the path is wrong, and not the member as a whole. */
  readonly isValue?: boolean | undefined
}
