/**
 * The projects whose own code a user trusts: a file of the user that names a configuration and the fingerprint of its
 * plugins. A plugin that has changed is not trusted.
 *
 * Invariant: no project is trusted by a file that may have come with it: one in its repository or folder, or in a folder that it is in.
 */
import { textOf } from "@dotrpc/analysis"
import { createHash } from "node:crypto"
import { basename, dirname, join, relative } from "node:path"
import { carriedPlugin } from "../CarriedPlugins.ts"
import * as AtomicFile from "./AtomicFile.ts"
import { foreignOwner, isInside, realPath, repositoryOf } from "./FindConfig.ts"
import { withLock } from "./FileLock.ts"
import { entriesWithoutModule, moduleFiles } from "./ModuleFiles.ts"
import { makeFolders } from "./makeFolders.ts"
import { readTextFileSync } from "./RegularFile.ts"

/** `changed`: it was trusted, and its plugins are others now. */
export type Trust = "trusted" | "changed" | "unknown"

/** Decides about a configuration by its path and the project's own plugins that it names. */
export type JudgeTrust = (configPath: string, own: ReadonlyArray<string>) => Trust

/** What is trusted about a project. */
export interface TrustedCode {
  /** The project's own plugins as the configuration names them. */
  readonly plugins: ReadonlyArray<string>
  /** How many files are code of theirs. */
  readonly files: number
  /** SHA-256 over the names of the plugins, and the paths and contents of the files. */
  readonly hash: string
}

/** The entries of a list of plugins that do not come with dotrpc. */
export const ownPlugins = (entries: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  entries.filter((entry) => carriedPlugin(entry) === undefined)

/** The project's own plugins that have no module yet: nobody can say what trusting them would allow. */
export const missingPlugins = (configPath: string, own: ReadonlyArray<string>): ReadonlyArray<string> =>
  entriesWithoutModule(own, dirname(placeOf(configPath)))

/** What trusting a configuration would cover now. Throws when there is too much code to look at. */
export const codeOf = (configPath: string, own: ReadonlyArray<string>): TrustedCode => {
  const home = dirname(placeOf(configPath))
  const files = moduleFiles(own, home)
  const hash = createHash("sha256").update(JSON.stringify(own))
  for (const [path, content] of [...files].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const inside = createHash("sha256").update(content).digest("hex")
    hash.update(`\n${JSON.stringify(relative(home, path))} ${inside}`)
  }
  return { plugins: own, files: files.size, hash: hash.digest("hex") }
}

/** What the user has trusted, in their own data folder. */
export interface TrustStore {
  readonly judge: JudgeTrust
  /** Every configuration that is trusted, by its path. */
  readonly list: () => ReadonlyMap<string, TrustedCode>
  /** Trusts the code of a configuration. */
  readonly add: (configPath: string, code: TrustedCode) => void
  /** Whether there was something to remove. */
  readonly remove: (configPath: string) => boolean
  /** Whether the store lies where a project may have brought it, so that it says nothing about this configuration. */
  readonly mayBeBroughtBy: (configPath: string) => boolean
}

/** The store in a file that need not be there yet. Only its user may read it. */
export const trustStore = (file: string): TrustStore => {
  const change = (edit: (known: Map<string, TrustedCode>) => void) => {
    makeFolders(dirname(file), 0o700)
    withLock(file, () => {
      const known = readStore(file)
      edit(known)
      const text = JSON.stringify({ version: 1, trusted: Object.fromEntries(known) }, null, 2)
      AtomicFile.replace(file, `${text}\n`, { private: true })
    })
  }
  return {
    judge: (configPath, own) => {
      if (mayBeBroughtBy(configPath, file)) return "unknown"
      const known = readStore(file).get(placeOf(configPath))
      if (known === undefined) return "unknown"
      return known.hash === hashOf(configPath, own) ? "trusted" : "changed"
    },
    list: () => readStore(file),
    add: (configPath, code) => change((known) => known.set(placeOf(configPath), code)),
    remove: (configPath) => {
      const path = placeOf(configPath)
      if (!readStore(file).has(path)) return false
      change((known) => known.delete(path))
      return true
    },
    mayBeBroughtBy: (configPath) => mayBeBroughtBy(configPath, file),
  }
}

const mayBeBroughtBy = (configPath: string, file: string): boolean => {
  const folder = dirname(placeOf(configPath))
  const stores = [placeOf(file), realPath(file)]
  return stores.some((store) => isInside(repositoryOf(folder), store) || isInside(dirname(store), folder))
}

const hashOf = (configPath: string, own: ReadonlyArray<string>): string | undefined => {
  try {
    return codeOf(configPath, own).hash
  } catch {
    // What cannot be looked at is not what was trusted.
    return undefined
  }
}

const readStore = (file: string): Map<string, TrustedCode> => {
  // Another user must not say what this one trusts.
  if (foreignOwner(file) !== undefined) return new Map()
  try {
    const { trusted } = JSON.parse(textOf(readTextFileSync(file)) ?? "{}") as { readonly trusted?: unknown }
    return new Map(Object.entries(typeof trusted === "object" && trusted !== null ? trusted : {}).filter(isTrusted))
  } catch {
    // There is none yet, or it is damaged: then nothing is trusted.
    return new Map()
  }
}

const isTrusted = (entry: [string, unknown]): entry is [string, TrustedCode] => {
  const [, code] = entry
  return (
    typeof code === "object" &&
    code !== null &&
    "hash" in code &&
    typeof code.hash === "string" &&
    "files" in code &&
    typeof code.files === "number" &&
    "plugins" in code &&
    Array.isArray(code.plugins) &&
    code.plugins.every((plugin) => typeof plugin === "string")
  )
}

/**
 * Where a configuration is: in its real folder, under its own name. The file itself may be a link, to the configuration of a
 * project that is trusted; its plugins are still those in the folder of the link.
 */
const placeOf = (configPath: string): string => join(realPath(dirname(configPath)), basename(configPath))
