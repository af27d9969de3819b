/** The language server's files, variables and secrets: this machine's, as `dotrpc run` reads them. */
import { defaultPlugins } from "@dotrpc/analysis"
import type { LanguageHost } from "@dotrpc/language-server"
import { carriedPlugins } from "@dotrpc/project"
import { findConfig, parseDotEnv } from "@dotrpc/project/node"
import { readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { glob } from "tinyglobby"

/** The process environment wins over `.env` beside the configuration; names are offered from `.env` alone. */
export const nodeHost: LanguageHost = {
  // Opening a file runs no code of its project: an editor of this protocol does not say whether the folder is trusted.
  plugins: (entries = defaultPlugins) => ({
    plugins: entries.flatMap((entry) => carriedPlugins.get(entry) ?? []),
    problems: entries
      .filter((entry) => !carriedPlugins.has(entry))
      .map((entry) => `plugin "${entry}" is the project's own: it is loaded by dotrpc run, and not by opening a file`),
  }),
  findConfig: (document) => {
    const path = pathOf(document)
    const config = path === undefined ? undefined : findConfig(dirname(path))
    return Promise.resolve(config === undefined ? undefined : pathToFileURL(config).href)
  },
  readFile: (file) => {
    const path = pathOf(file)
    return path === undefined ? Promise.resolve(undefined) : readText(path)
  },
  listFolder: (folder) => {
    const path = pathOf(folder)
    return path === undefined ? Promise.resolve([]) : readdir(path).catch(() => [])
  },
  listFiles: async (folder) => {
    const cwd = pathOf(folder)
    if (cwd === undefined) return []
    const options = { cwd, absolute: true, ignore: ["**/node_modules/**"], followSymbolicLinks: false }
    return (await glob("**/*.rpc", options)).map((path) => pathToFileURL(path).href)
  },
  variables: async (file) => {
    const path = pathOf(file)
    const text = path === undefined ? undefined : await readText(join(dirname(path), ".env"))
    const dotEnv = text === undefined ? {} : parseDotEnv(text)
    const names = Object.keys(dotEnv)
    return { env: (name) => process.env[name] ?? dotEnv[name], envNames: names, secretNames: names }
  },
  now: Date.now,
}

/** A document may also be one that no file holds yet. */
const pathOf = (uri: string): string | undefined => (uri.startsWith("file:") ? fileURLToPath(uri) : undefined)

const readText = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)
