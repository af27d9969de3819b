/** Chooses the environment of `rpc.config.json` that requests run in. */

import { environmentAt } from "../project/environmentAt.ts"
import type { EnvironmentChoices } from "../project/EnvironmentChoices.ts"
import { type Front, frontFile } from "../project/Front.ts"
import type { Projects } from "../project/Projects.ts"
import { pick } from "../Shown.ts"

export const selectEnvironment = async (
  projects: Projects,
  choices: EnvironmentChoices,
  front: Front,
): Promise<void> => {
  const file = frontFile()
  if (file === undefined) throw new Error("Open an .rpc file first.")
  const { config, configFile, workspace } = await projects.loaded(file)
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
  const place = await front.place()
  const there = place === undefined ? undefined : environmentAt(place)
  const placeHolder =
    there?.isSaid === true
      ? `For requests without # @env; at the cursor, # @env chooses ${there.name ?? "none"}`
      : undefined
  const picked = await pick(items, { title: "Environment", placeHolder })
  if (picked !== undefined) await choices.choose(configFile.uri, picked.environment)
}
