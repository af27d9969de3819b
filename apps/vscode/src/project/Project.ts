/** What the files of one `rpc.config.json` are read against, in one environment. */
import {
  type AbiFile,
  type ConfigProblem,
  configSpan,
  defaultConfig,
  makeWorkspace,
  parseConfig,
  type ProjectConfig,
  type Workspace,
  type WorkspaceProblem,
} from "@dotrpc/analysis"

import { carriedPlugins, spanOfProblem } from "@dotrpc/project"

import type { KnownPlugins } from "./OwnPlugins.ts"

export interface Project {
  readonly configFile?: ConfigFile
  readonly config: ProjectConfig
  /** In the configuration file; every one forbids running. */
  readonly problems: ReadonlyArray<ConfigProblem>
  /** In the configuration file; requests that do not need what is missing run. */
  readonly warnings: ReadonlyArray<ConfigProblem>
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
  /** What {@link pluginList} has been loaded as; by default, those that come with dotrpc. */
  readonly plugins?: KnownPlugins
  /** What the configuration's `abi` leads to. */
  readonly abiFiles?: ReadonlyArray<AbiFile>
  /** The environment that was chosen; one that the configuration does not have counts as none. */
  readonly environment?: string
  readonly env: (name: string) => string | undefined
  readonly secret: (name: string) => string | undefined
  /** Whether the folder is not trusted, so that `env` and `secret` read nothing. */
  readonly isRestricted?: boolean | undefined
  /** Why the files of the project are not used, in words for the user: the defaults apply, and nothing runs. */
  readonly refusal?: string | undefined
  /** Names of variables and secrets to offer; others may be used as well. */
  readonly envNames?: ReadonlyArray<string>
  readonly secretNames?: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The plugins that a configuration names, which have to be loaded before a project is made of it. */
export const pluginList = (configFile: ConfigFile | undefined): ReadonlyArray<string> | undefined =>
  configFile === undefined ? undefined : readConfig(configFile).config.plugins

type ReadConfig = ReturnType<typeof parseConfig>

const reads = new WeakMap<ConfigFile, ReadConfig>()

/** Read once, as a large one takes a while. */
export const readConfig = (configFile: ConfigFile): ReadConfig => {
  const read = reads.get(configFile) ?? parseConfig(configFile.text)
  reads.set(configFile, read)
  return read
}

export const makeProject = (sources: ProjectSources): Project => {
  const { abiFiles = [], configFile, environment, env, refusal, secret, envNames = [], secretNames = [], now } = sources
  const read =
    configFile === undefined || refusal !== undefined ? { config: defaultConfig, problems: [] } : readConfig(configFile)
  const { omitted, plugins, problems } = sources.plugins ?? noneOfItsOwn
  const isKnown = environment !== undefined && Object.hasOwn(read.config.environments ?? {}, environment)
  const {
    workspace,
    problems: choiceProblems,
    warnings: leftOut,
  } = makeWorkspace({
    plugins,
    config: read.config,
    abiFiles,
    ...(isKnown ? { environment } : {}),
    env,
    secret,
    isIncomplete: omitted.length + problems.length > 0,
    isRestricted: sources.isRestricted,
    isUnread: read.problems.length > 0,
    now,
  })
  const placed = (problem: KnownPlugins["problems"][number]): ConfigProblem => ({
    message: problem.message,
    ...spanOfProblem(configFile?.text ?? "", problem),
  })
  const inConfig = ({ message, path = [] }: WorkspaceProblem): ConfigProblem => ({
    message,
    ...configSpan(configFile?.text ?? "", path),
  })
  return {
    ...(configFile === undefined ? {} : { configFile }),
    config: read.config,
    problems: [
      ...(refusal === undefined ? [] : [{ message: refusal, start: 0, end: 1 }]),
      ...read.problems,
      ...problems.map(placed),
      ...choiceProblems.map(inConfig),
    ],
    warnings: [...omitted.map(placed), ...leftOut.map(inConfig)],
    workspace,
    known: { secrets: secretNames, env: envNames, environments: Object.keys(read.config.environments ?? {}) },
  }
}

const noneOfItsOwn: KnownPlugins = { plugins: [...carriedPlugins.values()], problems: [], omitted: [] }
