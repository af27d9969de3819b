/** The manifest of a backfill as its readers find it. Anybody may have edited it, and nothing in it is believed unseen. */
import { readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { join } from "node:path"

/** What a reader needs of a manifest. */
export interface FoundManifest {
  readonly id: string
  readonly revision: number
  /** Whether all blocks are written. */
  readonly isDone: boolean
  /** Names of files, as the manifest has them. */
  readonly files: ReadonlyArray<string>
}

/** Why what is there is not a manifest that this version reads. */
export interface ManifestProblem {
  readonly problem: string
}

/** The manifest of a folder, by its name or by another; `undefined` where there is none. */
export const manifestIn = (folder: string, name = manifestName): FoundManifest | ManifestProblem | undefined => {
  const text = readTextFileSync(join(folder, name), mostBytes)
  if (typeof text === "string") return manifestOf(text)
  return text
}

// As `manifestName` of `@dotrpc/backfill`, which a query does not load.
const manifestName = "_manifest.json"

const mostBytes = 1 << 28

const manifestOf = (text: string): FoundManifest | ManifestProblem => {
  const value = parsed(text)
  const damaged = (problem: string) => ({ problem })
  if (!Json.isObject(value)) return damaged("is not the manifest of a backfill")
  const { id, parts, revision, state, version } = value
  // Whatever else it has: a later version may have other members.
  if (typeof version === "number" && version > 1) return damaged("was written by a newer version of dotrpc")
  if (!Json.isArray(parts)) return damaged("is not the manifest of a backfill")
  const files = parts.flatMap((part) => (Json.isObject(part) && typeof part.file === "string" ? [part.file] : []))
  if (typeof id !== "string" || typeof revision !== "number" || files.length < parts.length)
    return damaged("is damaged")
  return { id, revision, isDone: state === "done", files }
}

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch {
    // What is not JSON is not a manifest.
    return undefined
  }
}
