/**
 * Results that can never change, such as the block of a date, in the user's cache folder. The file has no URLs and no keys: each result is
 * stored under a digest of what was asked and whom.
 *
 * Invariant: it never has more than {@link mostResults} entries, and a file that this version of dotrpc did not write whole is ignored and
 * written again.
 */
import type { FinalResults } from "@dotrpc/core"
import { AtomicFile, readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { join } from "node:path"
import { cacheFolder } from "./CacheFolder.ts"
import type { Host } from "./Host.ts"
import { version } from "./version.ts"

/** More dates than a person asks for; beyond it the oldest is dropped and looked up again. */
export const mostResults = 2_000

/** Characters of one result, as JSON. */
const longestResult = 2_000

const largestFile = 8 * 1024 * 1024

/** `undefined` where this user has no folder for it. `warn` gets a sentence about a file that is damaged, once. */
export const finalFile = (
  { env, home }: Pick<Host["Service"], "env" | "home">,
  warn: (words: string) => void,
): FinalResults.Memory | undefined => {
  const folder = cacheFolder({ env, home, platform: process.platform, user: process.getuid?.() })
  if (folder === undefined) return undefined
  const path = join(folder, "final-results.json")
  let isReported = false
  const readAll = (): ReadonlyMap<string, Json.Json> => {
    const found = readFinal(path)
    if (found !== "damaged") return found
    if (!isReported) warn(`${path} is damaged: it is ignored, and written again`)
    isReported = true
    return new Map()
  }
  return {
    read: (key) => Effect.sync(() => readAll().get(key)),
    write: (key, result) =>
      Effect.sync(() => {
        if (Json.stringify(result).length > longestResult) return
        // Another process may have added results since.
        const all = new Map(readAll())
        all.delete(key)
        all.set(key, result)
        const results = Object.fromEntries([...all].slice(-mostResults))
        try {
          AtomicFile.replace(path, Json.stringify({ version, results }), { private: true })
        } catch {
          // A cache folder that cannot be written to costs the next run a few calls.
        }
      }),
  }
}

/** Another version may have another embedded chain, so its results are not used. */
const readFinal = (path: string): ReadonlyMap<string, Json.Json> | "damaged" => {
  const text = readTextFileSync(path, largestFile)
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
