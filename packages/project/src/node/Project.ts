/** The project a file belongs to: the nearest `rpc.config.json`, the `.env` beside it, and the process environment. */
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import {
  type Project as OpenProject,
  type ProjectChoices as OpenChoices,
  type ProjectProblem as OpenProblem,
  readProject as readFrom,
} from "@dotrpc/session"
import type { Network } from "@dotrpc/spec"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { diskHost } from "./DiskHost.ts"
import { findConfig } from "./FindConfig.ts"
import { processSurroundings, type Surroundings } from "./Surroundings.ts"
import { type JudgeTrust, ownPlugins } from "./Trust.ts"

/** A project of a session, as it was read from disk. */
export interface Project extends OpenProject {
  /** The networks that can be used now: what a client is made of. */
  readonly networks: ReadonlyArray<Network>
  /** Every one forbids running; each says where and what to do. */
  readonly problems: ReadonlyArray<ProjectProblem>
  /** Plugins of the project's own that were not imported, as nobody has agreed to it: what needs them is not known. */
  readonly withheld: ReadonlyArray<ProjectProblem>
  /** What it was read from, by absolute paths: configuration, `.env`, ABI files, and its own plugins that are modules. */
  readonly files: ReadonlyArray<string>
}

/** A problem of a project, where it is. */
export interface ProjectProblem extends OpenProblem {
  /** `rpc.config.json:2:14`, line and column from 1; absent for a choice that was not made in a file. */
  readonly place?: string | undefined
}

/** What a command chooses of a project. */
export interface ProjectChoices extends Pick<OpenChoices, "environment" | "network" | "comparedNetwork" | "variables"> {
  /** Milliseconds since 1970, for `now()`; the clock's by default. */
  readonly now?: number | undefined
}

/**
 * The project of a folder, for a script: its own plugins are imported, its URLs are filled in. Rejects with a
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
export interface ReadChoices extends ProjectChoices, Pick<OpenChoices, "expectsMore" | "isStrict"> {
  /**
   * Whether code of the project may run, and files of another user count. A script has decided that by opening the
   * project, so without this everything is trusted.
   */
  readonly judge?: JudgeTrust | undefined
  /** Where the program runs; this process's by default. */
  readonly surroundings?: Surroundings | undefined
}

/** As {@link openProject}, from a configuration that was found already; what is wrong is in `problems`. */
export const readProject = async (
  configPath: string | undefined,
  folder: string,
  choices: ReadChoices = {},
): Promise<Project> => {
  const { judge, now, surroundings = processSurroundings(), ...chosen } = choices
  const showPath = (path: string): string => relative(surroundings.cwd, path) || path
  const home = configPath === undefined ? folder : dirname(configPath)
  const host = diskHost({ judge, now: () => now ?? Date.now(), surroundings })
  const read = new Set<string>()
  const project = await readFrom(
    {
      ...host,
      readFile: (file, within) => {
        read.add(fileURLToPath(file))
        return host.readFile(file, within)
      },
    },
    {
      config: configPath === undefined ? undefined : pathToFileURL(configPath).href,
      home: `${pathToFileURL(home).href.replace(/\/$/, "")}/`,
    },
    { ...chosen, isEnvironmentRequired: true },
  )
  const { config, configFile, problems, withheld, workspace } = project
  const lines = lineIndex(configFile?.text ?? "")
  const placeOf = ({ file, isChoice, start }: OpenProblem): string | undefined => {
    if (isChoice === true) return undefined
    if (file !== undefined) return showPath(fileURLToPath(file))
    const { character, line } = positionAt(lines, start)
    return `${configPath === undefined ? "" : showPath(configPath)}:${line + 1}:${character + 1}`
  }
  const placed = (problem: OpenProblem): ProjectProblem => ({ ...problem, place: placeOf(problem) })
  return {
    ...project,
    networks: workspace.networks.flatMap(({ network, problem }) => (problem === undefined ? [network] : [])),
    problems: problems.map(placed),
    withheld: withheld.map(placed),
    files: [
      ...read,
      join(home, ".env"),
      ...ownPlugins(config.plugins).flatMap((entry) => (/^[./]/.test(entry) ? [resolve(home, entry)] : [])),
    ],
  }
}

/** A problem as one line: its place, then what is wrong. */
export const showProblem = ({ message, place }: Pick<ProjectProblem, "message" | "place">): string =>
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
