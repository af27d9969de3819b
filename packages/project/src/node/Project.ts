/** The project a file belongs to: the nearest `rpc.config.json`, the `.env` beside it, and the process environment. */
import {
  aFolder,
  type AbiFolders,
  configSpan,
  defaultConfig,
  makeWorkspace,
  parseConfig,
  type ProjectConfig,
  readAbiFiles,
  textOf,
  type Workspace,
} from "@dotrpc/analysis"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import type { Json, Network } from "@dotrpc/spec"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type ImportPlugin, loadPlugins, spanOfProblem } from "../LoadPlugins.ts"
import { parseDotEnv } from "./DotEnv.ts"
import { findConfig, foreignOwner } from "./FindConfig.ts"
import { folderNames } from "./FolderNames.ts"
import { importFrom } from "./ImportFrom.ts"
import { readTextFile } from "./RegularFile.ts"
import { processSurroundings, type Surroundings, variableIn } from "./Surroundings.ts"
import { type JudgeTrust, ownPlugins } from "./Trust.ts"

export interface Project {
  readonly config: ProjectConfig
  readonly workspace: Workspace
  /** The networks that can be used now: what a client is made of. */
  readonly networks: ReadonlyArray<Network>
  /** Every one forbids running; each says where and what to do. */
  readonly problems: ReadonlyArray<ProjectProblem>
  /** Plugins of the project's own that were not imported, as nobody has agreed to it: what needs them is not known. */
  readonly withheld: ReadonlyArray<WithheldPlugin>
  /** Files that a pattern of `abi` led to and that are not ABIs: they are left out. */
  readonly foreignAbis: ReadonlyArray<PlacedProblem>
}

/** What is said about a part of the configuration. */
export interface PlacedProblem extends ProjectProblem {
  /** Where it stands in the text of the configuration, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** A plugin that was not imported. */
export type WithheldPlugin = PlacedProblem

export interface ProjectProblem {
  /** What is wrong and what to do, without its place. */
  readonly message: string
  /** `rpc.config.json:2:14`, line and column from 1; absent for a choice that was not made in a file. */
  readonly place?: string
}

export interface ProjectChoices {
  /** An environment of the configuration. */
  readonly environment?: string
  /** A network that every call of its plugin goes to. */
  readonly network?: string
  /** Values that win over those of files. */
  readonly variables?: Readonly<Record<string, Json.Json>>
  /** Milliseconds since 1970, for `now()`; the clock's by default. */
  readonly now?: number
}

/**
 * The project of a folder, for a script: its own plugins are imported, its addresses are filled in. Rejects with a
 * {@link ProjectError} that lists everything that is wrong.
 *
 * @example
 * ```ts
 * const { networks } = await openProject(import.meta.dirname)
 * const client = RpcClient.layerMetered({ networks })
 * ```
 */
export const openProject = async (folder: string, choices: ProjectChoices = {}): Promise<Project> => {
  const project = await readProject(findConfig(folder), folder, choices)
  if (project.problems.length > 0) throw new ProjectError(project.problems)
  return project
}

/** How a program reads projects that are not its own. */
export interface ReadChoices extends ProjectChoices {
  /**
   * Whether code of the project may run, and files of another user count. A script has decided that by opening the
   * project, so without this everything is trusted.
   */
  readonly judge?: JudgeTrust | undefined
  /** Whether secrets and variables that are not set are ignored: for what sends nothing. */
  readonly expectsMore?: boolean | undefined
  /** Whether warnings are errors. */
  readonly isStrict?: boolean | undefined
  /** Where the program runs; this process's by default. */
  readonly surroundings?: Surroundings | undefined
}

/** As {@link openProject}, from a configuration that was found already; what is wrong is in `problems`. */
export const readProject = async (
  configPath: string | undefined,
  folder: string,
  choices: ReadChoices = {},
): Promise<Project> => {
  const { surroundings = processSurroundings() } = choices
  const showPath = (path: string): string => relative(surroundings.cwd, path) || path
  const home = configPath === undefined ? folder : dirname(configPath)
  const file = configPath === undefined ? undefined : await readTextFile(configPath)
  const text = textOf(file)
  const read = text === undefined ? { config: defaultConfig, problems: [] } : parseConfig(text)
  const { config } = read
  const shown = configPath === undefined ? "" : showPath(configPath)
  const lines = lineIndex(text ?? "")
  const at = (offset: number): string => {
    const { line, character } = positionAt(lines, offset)
    return `${shown}:${line + 1}:${character + 1}`
  }
  const problems: Array<ProjectProblem> = read.problems.map(({ message, start }) => ({ message, place: at(start) }))
  if (configPath !== undefined && text === undefined)
    problems.push({
      message: `the configuration file ${typeof file === "object" ? file.problem : "cannot be read"}`,
      place: shown,
    })
  const own = ownPlugins(config.plugins)
  const trust = choices.judge === undefined || configPath === undefined ? "trusted" : choices.judge(configPath, own)
  let isForeign = false
  if (trust !== "trusted" && configPath !== undefined)
    for (const path of [configPath, join(home, ".env")]) {
      const owner = foreignOwner(path, surroundings.env)
      if (owner === undefined) continue
      isForeign = true
      problems.push({ message: ofAnother(owner, home), place: showPath(path) })
    }
  // None of a configuration that could not be read, or that is another user's, is run.
  const isUsable = problems.length === 0
  const importPlugin: ImportPlugin =
    trust === "trusted" ? importFrom(home) : () => Promise.resolve({ withheld: notTrusted[trust](home) })
  const loaded = await loadPlugins(isUsable ? config.plugins : [], importPlugin)
  for (const problem of loaded.problems)
    problems.push({ message: problem.message, place: at(spanOfProblem(text ?? "", problem).start) })
  const privateValues = isForeign ? undefined : await readTextFile(join(home, ".env"))
  // A folder of this name is where Python keeps its packages.
  if (typeof privateValues === "object" && privateValues !== aFolder)
    problems.push({ message: privateValues.problem, place: showPath(join(home, ".env")) })
  const dotEnv = typeof privateValues === "string" ? parseDotEnv(privateValues) : parseDotEnv("")
  const abiFiles =
    configPath === undefined ? [] : await readAbiFiles(config, pathToFileURL(configPath).href, foldersOfDisk)
  const withheld = (loaded.withheld ?? []).map((problem): WithheldPlugin => {
    const span = spanOfProblem(text ?? "", problem)
    return { message: problem.message, place: at(span.start), ...span }
  })
  const {
    workspace,
    problems: choiceProblems,
    warnings,
  } = makeWorkspace({
    plugins: loaded.plugins,
    isWithheld: withheld.length > 0,
    isUnread: read.problems.length > 0,
    isIncomplete: !isUsable || loaded.problems.length > 0,
    expectsMore: choices.expectsMore,
    isStrict: choices.isStrict,
    config,
    abiFiles,
    ...(choices.environment === undefined ? {} : { environment: choices.environment }),
    ...(choices.network === undefined ? {} : { forcedNetwork: choices.network }),
    overrides: choices.variables ?? {},
    env: (name) => variableIn(surroundings, name) ?? dotEnv[name],
    now: choices.now ?? Date.now(),
  })
  // What was chosen may be in the part of the configuration that could not be read.
  for (const { message, path } of read.problems.length > 0 ? [] : choiceProblems)
    problems.push({ message, ...(path === undefined ? {} : { place: at(configSpan(text ?? "", path).start) }) })
  const networks = workspace.networks.flatMap(({ network, problem }) => (problem === undefined ? [network] : []))
  const foreignAbis = warnings.map(({ message, path = [] }): PlacedProblem => {
    const span = configSpan(text ?? "", path)
    return { message, place: at(span.start), ...span }
  })
  return { config, workspace, networks, problems, withheld, foreignAbis }
}

/** A problem as one line: its place, then what is wrong. */
export const showProblem = ({ message, place }: ProjectProblem): string =>
  place === undefined ? message : `${place}: ${message}`

/** What is wrong with a project, each on a line of its own with its place. */
export class ProjectError extends Error {
  override readonly name = "ProjectError"
  readonly problems: ReadonlyArray<ProjectProblem>

  constructor(problems: ReadonlyArray<ProjectProblem>) {
    super(problems.map(showProblem).join("\n"))
    this.problems = problems
  }
}

const ofAnother = (owner: number, home: string): string =>
  `the file belongs to another user (id ${owner}), who can change where your keys are sent and which code runs: copy the folder, or trust it with: dotrpc trust ${home}`

/** What is said of a plugin that is not imported, by how much its project is trusted. */
const notTrusted = {
  unknown: (home: string) =>
    `is code of this project, which you have not trusted: read it, then run: dotrpc trust ${home}`,
  changed: (home: string) => `has changed since you trusted this project: read it, then run: dotrpc trust ${home}`,
}

const foldersOfDisk: AbiFolders = {
  readFile: (uri) => readTextFile(fileURLToPath(uri)),
  listFolder: (uri) => folderNames(fileURLToPath(uri)),
}
