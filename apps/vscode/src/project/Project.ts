/** What the files of one `rpc.config.json` are read against, in one environment. */
import {
  type ConfigProblem,
  defaultConfig,
  makeWorkspace,
  parseConfig,
  type ProjectConfig,
  type Workspace,
} from "@dotrpc/analysis"

import { loadPlugins } from "./plugins.ts"

export interface Project {
  readonly configFile?: ConfigFile
  readonly config: ProjectConfig
  /** In the configuration file; every one forbids running. */
  readonly problems: ReadonlyArray<ConfigProblem>
  readonly workspace: Workspace
  readonly known: KnownNames
}

/** Names that are offered where one is typed; never their values. */
export interface KnownNames {
  readonly secrets: ReadonlyArray<string>
  readonly env: ReadonlyArray<string>
  readonly environments: ReadonlyArray<string>
}

export interface ConfigFile {
  /** Its address, as text. */
  readonly uri: string
  readonly text: string
}

export interface ProjectSources {
  readonly configFile?: ConfigFile
  /** The environment that was chosen; one that the configuration does not have counts as none. */
  readonly environment?: string
  readonly env: (name: string) => string | undefined
  readonly secret: (name: string) => string | undefined
  /** Names of variables and secrets to offer; others may be used as well. */
  readonly envNames?: ReadonlyArray<string>
  readonly secretNames?: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

export const makeProject = (sources: ProjectSources): Project => {
  const { configFile, environment, env, secret, envNames = [], secretNames = [], now } = sources
  const read = configFile === undefined ? { config: defaultConfig, problems: [] } : parseConfig(configFile.text)
  const { plugins, unknown } = loadPlugins(read.config.plugins)
  const isKnown = environment !== undefined && Object.hasOwn(read.config.environments ?? {}, environment)
  const { workspace } = makeWorkspace({
    plugins,
    config: read.config,
    ...(isKnown ? { environment } : {}),
    env,
    secret,
    now,
  })
  const misnamed = unknown.map(({ name, message }) => ({ message, ...spanOf(configFile?.text ?? "", name) }))
  return {
    ...(configFile === undefined ? {} : { configFile }),
    config: read.config,
    problems: [...read.problems, ...misnamed],
    workspace,
    known: { secrets: secretNames, env: envNames, environments: Object.keys(read.config.environments ?? {}) },
  }
}

/** Where a string stands in the configuration; its beginning, when it is written with escapes. */
const spanOf = (text: string, value: string): { readonly start: number; readonly end: number } => {
  const quoted = JSON.stringify(value)
  const start = text.indexOf(quoted)
  return start < 0 ? { start: 0, end: 0 } : { start, end: start + quoted.length }
}
