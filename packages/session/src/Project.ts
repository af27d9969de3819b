/**
 * What the files of one `rpc.config.json` are read against, in one environment. Everything was read beforehand.
 *
 * Invariant: of a configuration with an error, and of one that is refused, nothing is used.
 */
import {
  type AbiFile,
  type ConfigProblem,
  configSpan,
  defaultConfig,
  makeWorkspace,
  parseConfig,
  type PriceSheetFiles,
  type ProjectConfig,
  type Workspace,
  type WorkspaceProblem,
} from "@dotrpc/analysis"
import { type Json, Redaction } from "@dotrpc/spec"
import type { LoadedPlugins, PluginProblem, Refusal } from "./SessionHost.ts"

/** A project as a session has read it. */
export interface Project {
  /** Absent when the defaults apply. */
  readonly configFile?: ConfigFile | undefined
  readonly config: ProjectConfig
  /** Every one forbids running. */
  readonly problems: ReadonlyArray<ProjectProblem>
  /** In the configuration file; requests that do not need what is missing run. */
  readonly warnings: ReadonlyArray<ConfigProblem>
  /** Plugins of the project's own that nobody has agreed to import: what needs them is not known. */
  readonly withheld: ReadonlyArray<ConfigProblem>
  /** Files that a pattern of `abi` led to and that are not ABIs: they are left out. They are among the warnings. */
  readonly foreignAbis: ReadonlyArray<ConfigProblem>
  readonly workspace: Workspace
  readonly known: KnownNames
  /** Removes every secret of the project from a text. */
  readonly scrub: (text: string) => string
}

/** Something wrong in the configuration, unless its place says otherwise. Places are in UTF-16 units. */
export interface ProjectProblem extends ConfigProblem {
  /** The file that it is about as a whole. */
  readonly file?: string | undefined
  /** Whether it is about what was chosen, which stands in no file. */
  readonly isChoice?: boolean | undefined
}

/** Names that are offered where one is typed; never their values. */
export interface KnownNames {
  readonly secrets: ReadonlyArray<string>
  readonly env: ReadonlyArray<string>
  readonly environments: ReadonlyArray<string>
}

/** The configuration of a project. */
export interface ConfigFile {
  /** Its URI. */
  readonly uri: string
  /** Empty when it cannot be read. */
  readonly text: string
}

/** What is chosen for a project by the caller that opens it. */
export interface ProjectChoices {
  /** An environment of the configuration; one that it does not have counts as none, unless that is a problem. */
  readonly environment?: string | undefined
  /** Whether an environment that the configuration does not have is a problem. */
  readonly isEnvironmentRequired?: boolean | undefined
  /** A network that every call of its plugin goes to. */
  readonly network?: string | undefined
  /** Another network that every call of its plugin is made on as well, to compare the results. */
  readonly comparedNetwork?: string | undefined
  /** Values that win over those of files. */
  readonly variables?: Readonly<Record<string, Json.Json>> | undefined
  /** Whether values that are not set are ignored: nothing is going to be sent. */
  readonly expectsMore?: boolean | undefined
  /** Whether warnings are errors. */
  readonly isStrict?: boolean | undefined
}

/** What a project is made of. */
export interface ProjectSources extends ProjectChoices {
  readonly configFile?: ConfigFile | undefined
  /** Why the configuration that is there cannot be read, after its name. */
  readonly unread?: string | undefined
  /** Why the files of the project are not used: the defaults apply, and nothing runs. */
  readonly refusals?: ReadonlyArray<Refusal> | undefined
  /** What the configuration's `plugins` have been loaded as. */
  readonly plugins: LoadedPlugins
  /** What the configuration's `abi` leads to. */
  readonly abiFiles?: ReadonlyArray<AbiFile> | undefined
  /** What the configuration's `prices` lead to. */
  readonly sheetFiles?: PriceSheetFiles | undefined
  /** A variable of the environment by name. */
  readonly env: (name: string) => string | undefined
  /** A secret by name. */
  readonly secret: (name: string) => string | undefined
  /** Whether the folder is not trusted, so that `env` and `secret` read nothing. */
  readonly isRestricted?: boolean | undefined
  /** Names of variables and secrets to offer; others may be used as well. */
  readonly envNames?: ReadonlyArray<string> | undefined
  readonly secretNames?: ReadonlyArray<string> | undefined
  /** What is wrong with the file of private values. */
  readonly problem?: Required<Refusal> | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

type ReadConfig = ReturnType<typeof parseConfig>

const reads = new WeakMap<ConfigFile, ReadConfig>()

/** Read once, as a large one takes a while. */
export const readConfig = (configFile: ConfigFile): ReadConfig => {
  const read = reads.get(configFile) ?? parseConfig(configFile.text)
  reads.set(configFile, read)
  return read
}

/** Makes a project of what was read. */
export const makeProject = (sources: ProjectSources): Project => {
  const { configFile, environment, plugins, refusals = [], unread } = sources
  const text = configFile?.text ?? ""
  const isUsed = configFile !== undefined && unread === undefined && refusals.length === 0
  const read = isUsed ? readConfig(configFile) : { config: defaultConfig, problems: [] }
  const { withheld = [], omitted = [] } = plugins
  const environments = Object.keys(read.config.environments ?? {})
  const isChosen =
    environment !== undefined && (sources.isEnvironmentRequired === true || environments.includes(environment))
  // Whatever secret goes into an answer was read by its name, so this is every one that a message could hold.
  const secretNames = new Set(sources.secretNames)
  const made = makeWorkspace({
    plugins: plugins.plugins,
    isWithheld: withheld.length > 0,
    isUnread: read.problems.length > 0 || unread !== undefined,
    isIncomplete: omitted.length + plugins.problems.length > 0,
    isRestricted: sources.isRestricted,
    expectsMore: sources.expectsMore,
    isStrict: sources.isStrict,
    config: read.config,
    abiFiles: sources.abiFiles ?? [],
    sheetFiles: sources.sheetFiles,
    ...(isChosen ? { environment } : {}),
    forcedNetwork: sources.network,
    comparedNetwork: sources.comparedNetwork,
    overrides: sources.variables ?? {},
    env: sources.env,
    secret: (name) => {
      secretNames.add(name)
      return sources.secret(name)
    },
    now: sources.now,
  })
  const { workspace } = made
  const inConfig = ({ isValue, message, path = [] }: WorkspaceProblem): ConfigProblem => ({
    message,
    ...configSpan(text, path, isValue),
  })
  const foreignAbis = made.warnings.map(inConfig)
  const placed = (problem: PluginProblem): ConfigProblem => ({
    message: problem.message,
    ...spanOfProblem(text, problem),
  })
  const secrets = () => [
    ...workspace.networks.flatMap(({ network }) => network.secrets),
    ...[...secretNames].flatMap((name) => workspace.secret(name) ?? []),
  ]
  return {
    configFile,
    config: read.config,
    problems: [
      ...(unread === undefined
        ? []
        : [{ message: `the configuration file ${unread}`, start: 0, end: 0, file: configFile?.uri }]),
      ...refusals.map(({ file, message }) => ({ message, file, start: 0, end: 1 })),
      ...read.problems,
      ...plugins.problems.map(placed),
      ...(sources.problem === undefined ? [] : [{ ...sources.problem, start: 0, end: 0 }]),
      // What was chosen may be in the part of the configuration that could not be read.
      ...(read.problems.length > 0 ? [] : made.problems).map(({ isValue, message, path }) =>
        path === undefined ? { message, start: 0, end: 0, isChoice: true } : inConfig({ isValue, message, path }),
      ),
    ],
    warnings: [...omitted.map(placed), ...foreignAbis],
    withheld: withheld.map(placed),
    foreignAbis,
    workspace,
    known: { secrets: sources.secretNames ?? [], env: sources.envNames ?? [], environments },
    scrub: (message) => Redaction.scrub(message, secrets()),
  }
}

/** Where a problem is in the text of the configuration it came from, in UTF-16 units. */
export const spanOfProblem = (
  text: string,
  { index }: PluginProblem,
): { readonly start: number; readonly end: number } =>
  configSpan(text, index === undefined ? ["plugins"] : ["plugins", index])
