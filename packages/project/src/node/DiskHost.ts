/**
 * This machine as the host of projects: its files, its variables, and the parts of a project that may be used.
 *
 * Invariant: no module of a project is imported, and no file of another user counts, unless `judge` trusts the project.
 */
import { aFolder } from "@dotrpc/analysis"
import type { ProjectPlace, Refusal, SessionHost } from "@dotrpc/session"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type ImportPlugin, loadPlugins } from "../LoadPlugins.ts"
import { parseDotEnv } from "./DotEnv.ts"
import { findConfig, foreignOwner, projectRoot } from "./FindConfig.ts"
import { folderNames } from "./FolderNames.ts"
import { importFrom, isMissingPackage } from "./ImportFrom.ts"
import { readTextFileAtHome, readTextFileWithin } from "./FileWithin.ts"
import { type Surroundings, variableIn } from "./Surroundings.ts"
import { type JudgeTrust, ownPlugins } from "./Trust.ts"

/** What a session on disk may read and run. */
export interface DiskChoices {
  /** Whether code of a project may run, and files of another user count; without it, everything is trusted. */
  readonly judge?: JudgeTrust | undefined
  /** How the own plugins of a trusted project are imported. */
  readonly importPlugins?: ((folder: string, own: ReadonlyArray<string>) => ImportPlugin) | undefined
  readonly surroundings: Surroundings
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The files of this machine. A URI of anything else leads to none. */
export const diskHost = ({ importPlugins = importFrom, judge, now, surroundings }: DiskChoices): SessionHost => ({
  readFile: async (file, within) => {
    const [path, folder] = [pathOf(file), within === undefined ? undefined : pathOf(within)]
    if (path === undefined) return undefined
    return folder === undefined ? readTextFileAtHome(path) : readTextFileWithin(folder, path)
  },
  rootOf: async (document) => {
    const path = pathOf(document)
    return path === undefined ? undefined : folderUri(projectRoot(dirname(path), surroundings))
  },
  listFolder: async (folder) => {
    const path = pathOf(folder)
    return path === undefined ? [] : folderNames(path)
  },
  findConfig: async (document) => {
    const path = pathOf(document)
    const config = path === undefined ? undefined : findConfig(dirname(path), surroundings)
    return config === undefined ? undefined : pathToFileURL(config).href
  },
  trust: async ({ config, home, settings }) => {
    const path = config === undefined ? undefined : pathOf(config)
    const folder = folderAt(home)
    if (judge === undefined || path === undefined || folder === undefined) return { refusals: [] }
    const trust = judge(path, ownPlugins(settings.plugins))
    if (trust === "trusted") return { refusals: [] }
    const refusals = [path, join(folder, ".env")].flatMap((file): ReadonlyArray<Refusal> => {
      const owner = foreignOwner(file, surroundings.env)
      return owner === undefined ? [] : [{ message: ofAnother(owner, folder), file: pathToFileURL(file).href }]
    })
    return { refusals, withheld: notTrusted[trust](folder) }
  },
  plugins: (entries, { home }, { withheld }) => {
    const folder = folderAt(home)
    if (withheld !== undefined || folder === undefined)
      return loadPlugins(entries, (entry) =>
        Promise.resolve({
          withheld: withheld ?? "is not in a folder of this machine",
          isMissing: folder !== undefined && isMissingPackage(entry, folder),
        }),
      )
    return loadPlugins(entries, importPlugins(folder, ownPlugins(entries)))
  },
  variables: async (place) => {
    const file = dotEnvOf(place)
    // Its owner was judged with the project.
    const text =
      file === undefined
        ? undefined
        : await readTextFileWithin(dirname(file), file, { hidden: ".env", isOwnerKnown: true })
    const values = parseDotEnv(typeof text === "string" ? text : "")
    const names = Object.keys(values)
    // A folder of this name is where Python keeps its packages.
    const isWrong = file !== undefined && typeof text === "object" && text !== aFolder
    return {
      env: (name) => variableIn(surroundings, name) ?? values[name],
      envNames: names,
      secretNames: names,
      ...(isWrong ? { problem: { message: text.problem, file: pathToFileURL(file).href } } : {}),
    }
  },
  now,
})

const dotEnvOf = ({ home }: ProjectPlace): string | undefined => {
  const folder = folderAt(home)
  return folder === undefined ? undefined : join(folder, ".env")
}

/** Without the slash at the end of its URI. */
const folderAt = (uri: string): string | undefined => {
  const path = pathOf(uri)
  return path === undefined ? undefined : resolve(path)
}

const folderUri = (path: string): string => `${pathToFileURL(path).href.replace(/\/$/, "")}/`

/** A document may also be one that no file holds yet. */
const pathOf = (uri: string): string | undefined => (uri.startsWith("file:") ? fileURLToPath(uri) : undefined)

const ofAnother = (owner: number, home: string): string =>
  `the file belongs to another user (id ${owner}), who can change where your keys are sent and which code runs: copy the folder, or trust it with: dotrpc trust ${home}`

/** The message about a plugin that is not imported, by how far its project is trusted. */
const notTrusted = {
  unknown: (home: string) =>
    `is code of this project, which you have not trusted: read it, then run: dotrpc trust ${home}`,
  changed: (home: string) => `has changed since you trusted this project: read it, then run: dotrpc trust ${home}`,
}
