/** Chooses the environment of `rpc.config.json` that requests run in. */

import type { EnvironmentChoices } from "../project/EnvironmentChoices.ts"
import type { Projects } from "../project/Projects.ts"
import { activeEditor } from "./Target.ts"
import { pick } from "../Shown.ts"

export const selectEnvironment = async (projects: Projects, choices: EnvironmentChoices): Promise<void> => {
  const { config, configFile, workspace } = await projects.loaded(activeEditor().document.uri)
  const names = Object.keys(config.environments ?? {})
  if (configFile === undefined || names.length === 0) {
    throw new Error('No environments are defined: add "environments" to an rpc.config.json above this file.')
  }
  const itemOf = (label: string, environment: string | undefined) => ({
    label,
    value: { environment },
    ...(environment === workspace.environment ? { description: "current" } : {}),
  })
  const items = [...names.map((name) => itemOf(name, name)), itemOf("No environment", undefined)]
  const picked = await pick(items, { title: "Environment" })
  if (picked !== undefined) await choices.choose(configFile.uri, picked.environment)
}
