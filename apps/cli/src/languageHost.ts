/**
 * The language server's files, variables and secrets: this machine's, as `dotrpc run` reads them.
 *
 * Invariant: no code of a project runs. A configuration or a `.env` of another user counts only in a folder that was
 * trusted, as everywhere.
 */
import { defaultPlugins, parseConfig, textOf, type Unreadable } from "@dotrpc/analysis"
import type { LanguageHost } from "@dotrpc/language-server"
import { carriedPlugin } from "@dotrpc/project"
import {
  findConfig,
  folderNames,
  foreignOwner,
  ownPlugins,
  parseDotEnv,
  readTextFile,
  type Surroundings,
  trustStore,
  variableIn,
} from "@dotrpc/project/node"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { findFiles, type SearchLimits } from "./FoundFiles.ts"
import { trustFile } from "./Trust.ts"

/** What a reference or a name is looked for in: further files are passed over. */
const listLimits: SearchLimits = { entries: 100_000, matches: 5_000 }

/** The process environment wins over `.env` beside the configuration; names are offered from `.env` alone. */
export const languageHost = (user: Surroundings): LanguageHost => ({
  // Opening a file runs no code of its project: an editor of this protocol does not say whether the folder is trusted.
  plugins: (entries = defaultPlugins) => ({
    plugins: entries.flatMap((entry) => carriedPlugin(entry) ?? []),
    problems: entries
      .filter((entry) => carriedPlugin(entry) === undefined)
      .map((entry) => `plugin "${entry}" belongs to the project: dotrpc run loads it, opening a file does not`),
  }),
  findConfig: (document) => {
    const path = pathOf(document)
    const config = path === undefined ? undefined : findConfig(dirname(path), user)
    return Promise.resolve(config === undefined ? undefined : pathToFileURL(config).href)
  },
  readFile: async (file) => {
    const path = pathOf(file)
    if (path === undefined) return undefined
    return (await foreign(path, user)) ?? readTextFile(path)
  },
  listFolder: (folder) => {
    const path = pathOf(folder)
    return path === undefined ? Promise.resolve([]) : folderNames(path)
  },
  listFiles: async (folder) => {
    const cwd = pathOf(folder)
    if (cwd === undefined) return []
    const { files } = await findFiles("**/*.rpc", { folder: cwd, limits: listLimits })
    return files.map((path) => pathToFileURL(path).href)
  },
  variables: async (file) => {
    const path = pathOf(file)
    const isUsable = path !== undefined && (await foreign(join(dirname(path), configName), user)) === undefined
    const text = isUsable ? await readTextFile(join(dirname(path), ".env")) : undefined
    const dotEnv = typeof text === "string" ? parseDotEnv(text) : parseDotEnv("")
    const names = Object.keys(dotEnv)
    return { env: (name) => variableIn(user, name) ?? dotEnv[name], envNames: names, secretNames: names }
  },
  now: Date.now,
})

const configName = "rpc.config.json"

/** Why a configuration is not read: it, or the `.env` beside it, is another user's, and nobody has agreed to that. */
const foreign = async (path: string, user: Surroundings): Promise<Unreadable | undefined> => {
  if (basename(path) !== configName) return undefined
  const home = dirname(path)
  const owner = foreignOwner(path, user.env) ?? foreignOwner(join(home, ".env"), user.env)
  if (owner === undefined) return undefined
  const { config } = parseConfig(textOf(await readTextFile(path)) ?? "{}")
  if (trustStore(trustFile(user)).judge(path, ownPlugins(config.plugins)) === "trusted") return undefined
  return {
    problem: `or the .env beside it belongs to another user (id ${owner}), who can change where your keys are sent: copy the folder, or trust it with: dotrpc trust ${home}`,
  }
}

/** A document may also be one that no file holds yet. */
const pathOf = (uri: string): string | undefined => (uri.startsWith("file:") ? fileURLToPath(uri) : undefined)
