/** The language server's files, variables and secrets: this machine's, as `dotrpc run` reads them. */
import type { LanguageHost } from "@dotrpc/language-server"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseEnv } from "node:util"
import { carriedPlugins } from "./plugins.ts"
import { findConfig } from "./Project.ts"

/** The process environment wins over `.env` beside the configuration; names are offered from `.env` alone. */
export const nodeHost: LanguageHost = {
  plugins: carriedPlugins,
  findConfig: (document) => {
    const path = pathOf(document)
    const config = path === undefined ? undefined : findConfig(path)
    return Promise.resolve(config === undefined ? undefined : pathToFileURL(config).href)
  },
  readFile: (file) => {
    const path = pathOf(file)
    return path === undefined ? Promise.resolve(undefined) : readText(path)
  },
  variables: async (file) => {
    const path = pathOf(file)
    const text = path === undefined ? undefined : await readText(join(dirname(path), ".env"))
    const dotEnv: Readonly<Record<string, string | undefined>> = text === undefined ? {} : parseEnv(text)
    const names = Object.keys(dotEnv)
    return { env: (name) => process.env[name] ?? dotEnv[name], envNames: names, secretNames: names }
  },
  now: Date.now,
}

/** A document may also be one that no file holds yet. */
const pathOf = (uri: string): string | undefined => (uri.startsWith("file:") ? fileURLToPath(uri) : undefined)

const readText = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)
