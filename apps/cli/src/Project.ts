/** The project a file belongs to: the nearest `rpc.config.json`, the `.env` beside it, and the process environment. */
import { defaultConfig, makeWorkspace, parseConfig, type ProjectConfig, type Workspace } from "@dotrpc/analysis"
import type { Json } from "@dotrpc/spec"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { parseEnv } from "node:util"
import { loadPlugins } from "./plugins.ts"
import { showPlace } from "./render/diagnostics.ts"

export interface Project {
  readonly config: ProjectConfig
  readonly workspace: Workspace
  /** Every one forbids running; each says where and what to do. */
  readonly problems: ReadonlyArray<string>
}

export interface ProjectChoices {
  /** `--config`; otherwise the nearest one upward from the file. */
  readonly config?: string
  readonly environment?: string
  readonly network?: string
  readonly variables: Readonly<Record<string, Json.Json>>
  readonly now: number
}

/** The configuration file that applies to a file, if any. */
export const findConfig = (file: string): string | undefined => {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const path = join(folder, "rpc.config.json")
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return undefined
  }
}

export const openProject = async (
  configPath: string | undefined,
  folder: string,
  choices: ProjectChoices,
): Promise<Project> => {
  const problems: Array<string> = []
  let config = defaultConfig
  if (configPath !== undefined) {
    const shown = shownPath(configPath)
    const text = readText(configPath)
    if (text === undefined) problems.push(`${shown}: the configuration file cannot be read`)
    else {
      const read = parseConfig(text)
      config = read.config
      problems.push(...read.problems.map((problem) => `${showPlace(shown, text, problem.start)}: ${problem.message}`))
    }
  }
  const home = configPath === undefined ? folder : dirname(configPath)
  const dotEnvText = readText(join(home, ".env"))
  const dotEnv: Readonly<Record<string, string | undefined>> = dotEnvText === undefined ? {} : parseEnv(dotEnvText)
  // Nothing of a configuration that could not be read is run.
  const { plugins, problems: pluginProblems } = await loadPlugins(problems.length > 0 ? [] : config.plugins, home)
  const { workspace, problems: choiceProblems } = makeWorkspace({
    plugins,
    config,
    ...(choices.environment === undefined ? {} : { environment: choices.environment }),
    ...(choices.network === undefined ? {} : { forcedNetwork: choices.network }),
    overrides: choices.variables,
    env: (name) => process.env[name] ?? dotEnv[name],
    now: choices.now,
  })
  return {
    config,
    workspace,
    problems: [
      ...problems,
      ...pluginProblems.map((problem) => (configPath === undefined ? problem : `${shownPath(configPath)}: ${problem}`)),
      ...choiceProblems.map((problem) => problem.message),
    ],
  }
}

const shownPath = (path: string): string => relative(process.cwd(), path) || path

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // A missing or unreadable file is reported by the caller, who knows whether it had to be there.
    return undefined
  }
}
