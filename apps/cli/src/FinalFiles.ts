/**
 * Results that can never change, such as the block of a date or what a scan kept, in the user's cache folder. The files have no URLs and
 * no keys: each result is stored under a digest of what was asked and whom.
 */
import { FinalResults } from "@dotrpc/core"
import { FileLock, keptFile, makeFolders } from "@dotrpc/project/node"
import type { KeptText } from "@dotrpc/spec"
import { Effect } from "effect"
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder } from "./CacheFolder.ts"
import type { Host } from "./Host.ts"
import { version } from "./version.ts"

type Owner = Pick<Host["Service"], "env" | "home">

const folderOf = ({ env, home }: Owner) =>
  cacheFolder({ env, home, platform: process.platform, user: process.getuid?.() })

/** Results of single calls. `undefined` where this user has no folder for them. */
export const finalResults = (owner: Owner): FinalResults.Memory | undefined => {
  const folder = folderOf(owner)
  return folder === undefined ? undefined : FinalResults.memoryIn(keptFile(join(folder, "final-results.json")), version)
}

/** What scans kept with `--keep`, in a file for each query. `undefined` where this user has no folder for it. */
export const keptScans = (owner: Owner): FinalResults.Memory | undefined => {
  const cache = folderOf(owner)
  if (cache === undefined) return undefined
  const folder = join(cache, "scans")
  // A query may be large, so it is not held in memory from one use to the next.
  const memoryOf = (key: string, changes: Partial<KeptText> = {}) =>
    FinalResults.memoryIn({ ...keptFile(join(folder, `${key}.json`), largestQuery), ...changes }, version, ofOneQuery)
  return {
    alone: (key) => (change) =>
      Effect.flatMap(Effect.context<never>(), (context) =>
        Effect.promise(async () => {
          const run = () => Effect.runPromiseWith(context)(change)
          try {
            makeFolders(folder, 0o700)
            return await FileLock.withLockAsync(join(folder, `${key}.json`), run)
          } catch (error) {
            // Where nobody can lock, or one process has for long, two that write at once may lose what one of them has read.
            if (error instanceof FileLock.Locked || isFileError(error)) return await run()
            throw error
          }
        }),
      ),
    read: (key) => memoryOf(key).read(key),
    write: (key, pieces) => {
      // What is there is replaced, so it need not be read.
      const { write } = memoryOf(key, { read: () => undefined })
      return Effect.andThen(
        write(key, pieces),
        Effect.sync(() => dropOldest(folder)),
      )
    },
  }
}

const isFileError = (error: unknown): boolean => error instanceof Error && "syscall" in error

/** `RangeScan` keeps no more of a query than 32 MB. */
const ofOneQuery = { most: 1, characters: 64 * 1024 * 1024 }

/** Bytes. */
const largestQuery = 128 * 1024 * 1024

/** Queries of which something is kept; beyond it the one that was written longest ago is dropped. */
const mostQueries = 16

const dropOldest = (folder: string): void => {
  try {
    const files = readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? [join(folder, name)] : []))
    const byAge = files
      .map((path) => ({ path, at: statSync(path).mtimeMs }))
      .toSorted((left, right) => right.at - left.at)
    for (const { path } of byAge.slice(mostQueries)) rmSync(path, { force: true })
  } catch {
    // A folder that cannot be read or written to costs the next scan a few calls.
  }
}
