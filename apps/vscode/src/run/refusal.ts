/** Why a plan may not run here, before anything is tried. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { RunPlan } from "@dotrpc/runner"

import { textsOf } from "../project/textsOf.ts"
import type { Project } from "../project/Project.ts"

/** The words for the user; `undefined` when it may run. In a folder that is not trusted no keys are read. */
export const refusalOf = (
  plan: RunPlan,
  { config }: Pick<Project, "config">,
  isTrusted: boolean,
): string | undefined => {
  if (isTrusted) return undefined
  const blocked = plan.requests.find((request) => needsPrivateValues(request, config))
  if (blocked === undefined) return undefined
  return `This folder is not trusted, so no keys are read, and "${blocked.label}" needs one. Trust the folder to run it; requests without keys run as they are.`
}

const needsPrivateValues = (request: BoundRequest, config: Project["config"]): boolean =>
  request.errors.some(({ code }) => code === unsetVariable || code === unsetSecret) ||
  textsOf(request, config).some((url) => privateName.test(url))

/** Variables and secrets count as unset while the folder is not trusted. */
const unsetVariable = "A206"
const unsetSecret = "A207"

const privateName = /\{\{\s*\$(?:secret|env)\./
