/**
 * Results that can never change, such as the block of a date or what a scan kept, in the user's cache folder. The files have no URLs and
 * no keys: each result is stored under a digest of what was asked and whom.
 *
 * Invariant: a file never has more than its most entries, and one that this version of dotrpc did not write whole is ignored and written
 * again.
 */
import type { FinalResults } from "@dotrpc/core"
import { AtomicFile, makeFolders, readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder } from "./CacheFolder.ts"
import type { Host } from "./Host.ts"
import { version } from "./version.ts"

/** More dates than a person asks for; beyond it the oldest is dropped and looked up again. */
export const mostResults = 2_000

/** What a file may hold. */
interface Limits {
  readonly entries: number
  /** Characters of one result, as JSON. */
  readonly longest: number
  /** Bytes. */
  readonly largest: number
}

/** Results of single calls. */
const ofCalls: Limits = { entries: mostResults, longest: 2_000, largest: 8 * 1024 * 1024 }

/** What scans of one query kept: `RangeScan` keeps no more of it than 32 MB. */
const ofScans: Limits = { entries: 1, longest: 64 * 1024 * 1024, largest: 128 * 1024 * 1024 }

/** Queries of which something is kept; beyond it the one that was written longest ago is dropped. */
const mostQueries = 16

type Owner = Pick<Host["Service"], "env" | "home">
type Warn = (words: string) => void

/** `undefined` where this user has no folder for it. `warn` gets a sentence about a file that is damaged, once. */
export const finalFile = (owner: Owner, warn: Warn): FinalResults.Memory | undefined => {
  const folder = folderOf(owner)
  return folder === undefined ? undefined : inFile(join(folder, "final-results.json"), ofCalls, warn)
}

/** What scans kept with `--keep`, in a file for each query. `undefined` where this user has no folder for it. */
export const keptScans = (owner: Owner, warn: Warn): FinalResults.Memory | undefined => {
  const cache = folderOf(owner)
  if (cache === undefined) return undefined
  const folder = join(cache, "scans")
  const fileOf = (key: string) => inFile(join(folder, `${key}.json`), ofScans, warn)
  return {
    read: (key) => fileOf(key).read(key),
    write: (key, result) =>
      Effect.andThen(
        Effect.suspend(() => {
          tryTo(() => makeFolders(folder, 0o700))
          const { write } = fileOf(key)
          return write(key, result)
        }),
        Effect.sync(() => tryTo(() => dropOldest(folder))),
      ),
  }
}

const folderOf = ({ env, home }: Owner) =>
  cacheFolder({ env, home, platform: process.platform, user: process.getuid?.() })

const inFile = (path: string, { entries, largest, longest }: Limits, warn: Warn): FinalResults.Memory => {
  let isReported = false
  const readAll = (): ReadonlyMap<string, Json.Json> => {
    const found = readFinal(path, largest)
    if (found !== "damaged") return found
    if (!isReported) warn(`${path} is damaged: it is ignored, and written again`)
    isReported = true
    return new Map()
  }
  return {
    read: (key) => Effect.sync(() => readAll().get(key)),
    write: (key, result) =>
      Effect.sync(() => {
        if (Json.stringify(result).length > longest) return
        // Another process may have added results since.
        const all = entries === 1 ? new Map<string, Json.Json>() : new Map(readAll())
        all.delete(key)
        all.set(key, result)
        const results = Object.fromEntries([...all].slice(-entries))
        tryTo(() => AtomicFile.replace(path, Json.stringify({ version, results }), { private: true }))
      }),
  }
}

/** A cache folder that cannot be written to costs the next run a few calls. */
const tryTo = (write: () => void): void => {
  try {
    write()
  } catch {}
}

const dropOldest = (folder: string): void => {
  const files = readdirSync(folder).map((name) => join(folder, name))
  const byAge = files
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .toSorted((left, right) => right.at - left.at)
  for (const { path } of byAge.slice(mostQueries)) rmSync(path, { force: true })
}

/** Another version may have another embedded chain, so its results are not used. */
const readFinal = (path: string, largest: number): ReadonlyMap<string, Json.Json> | "damaged" => {
  const text = readTextFileSync(path, largest)
  if (text === undefined) return new Map()
  if (typeof text !== "string") return "damaged"
  try {
    const stored = Json.parse(text)
    if (!Json.isObject(stored) || typeof stored["version"] !== "string" || !Json.isObject(stored["results"]))
      return "damaged"
    return stored["version"] === version ? new Map(Object.entries(stored["results"])) : new Map()
  } catch {
    return "damaged"
  }
}
