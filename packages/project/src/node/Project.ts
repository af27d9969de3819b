/** The project a file belongs to: the nearest `rpc.config.json`, the `.env` beside it, and the process environment. */
import {
  type AbiFolders,
  configSpan,
  defaultConfig,
  makeWorkspace,
  parseConfig,
  type ProjectConfig,
  readAbiFiles,
  type Workspace,
} from "@dotrpc/analysis"
import { positionAt } from "@dotrpc/lang/locate"
import type { Json, Network } from "@dotrpc/spec"
import { existsSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { loadPlugins, spanOfProblem } from "../LoadPlugins.ts"
import { parseDotEnv } from "./DotEnv.ts"
import { importFrom } from "./ImportFrom.ts"

export interface Project {
  readonly config: ProjectConfig
  readonly workspace: Workspace
  /** The networks that can be used now: what a client is made of. */
  readonly networks: ReadonlyArray<Network>
  /** Every one forbids running; each says where and what to do. */
  readonly problems: ReadonlyArray<ProjectProblem>
}

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

/** The configuration file that applies to what is in a folder, if any: the nearest one upward. */
export const findConfig = (folder: string): string | undefined => {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const path = join(current, "rpc.config.json")
    if (existsSync(path)) return path
    if (current === dirname(current)) return undefined
  }
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

/** As {@link openProject}, from a configuration that was found already; what is wrong is in `problems`. */
export const readProject = async (
  configPath: string | undefined,
  folder: string,
  choices: ProjectChoices = {},
): Promise<Project> => {
  const home = configPath === undefined ? folder : dirname(configPath)
  const text = configPath === undefined ? undefined : readText(configPath)
  const read = text === undefined ? { config: defaultConfig, problems: [] } : parseConfig(text)
  const { config } = read
  const shown = configPath === undefined ? "" : relative(process.cwd(), configPath) || configPath
  const at = (offset: number): string => {
    const { line, character } = positionAt(text ?? "", offset)
    return `${shown}:${line + 1}:${character + 1}`
  }
  const problems: Array<ProjectProblem> = read.problems.map(({ message, start }) => ({ message, place: at(start) }))
  if (configPath !== undefined && text === undefined)
    problems.push({ message: "the configuration file cannot be read", place: shown })
  // Nothing of a configuration that could not be read is run.
  const loaded = await loadPlugins(problems.length > 0 ? [] : config.plugins, importFrom(home))
  for (const problem of loaded.problems)
    problems.push({ message: problem.message, place: at(spanOfProblem(text ?? "", problem).start) })
  const dotEnvText = readText(join(home, ".env"))
  const dotEnv = dotEnvText === undefined ? {} : parseDotEnv(dotEnvText)
  const abiFiles =
    configPath === undefined ? [] : await readAbiFiles(config, pathToFileURL(configPath).href, foldersOfDisk)
  const { workspace, problems: choiceProblems } = makeWorkspace({
    plugins: loaded.plugins,
    config,
    abiFiles,
    ...(choices.environment === undefined ? {} : { environment: choices.environment }),
    ...(choices.network === undefined ? {} : { forcedNetwork: choices.network }),
    overrides: choices.variables ?? {},
    env: (name) => process.env[name] ?? dotEnv[name],
    now: choices.now ?? Date.now(),
  })
  // What was chosen may be in the part of the configuration that could not be read.
  for (const { message, path } of read.problems.length > 0 ? [] : choiceProblems)
    problems.push({ message, ...(path === undefined ? {} : { place: at(configSpan(text ?? "", path).start) }) })
  const networks = workspace.networks.flatMap(({ network, problem }) => (problem === undefined ? [network] : []))
  return { config, workspace, networks, problems }
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

const foldersOfDisk: AbiFolders = {
  readFile: (uri) => readFile(fileURLToPath(uri), "utf8").catch(() => undefined),
  listFolder: (uri) => readdir(fileURLToPath(uri)).catch(() => []),
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // A missing or unreadable file is reported by the caller, who knows whether it had to be there.
    return undefined
  }
}
