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

/** The manifest of a folder: why it is not one, or `undefined` where there is none. */
export const manifestIn = (folder: string): FoundManifest | { readonly problem: string } | undefined => {
  const text = readTextFileSync(join(folder, name), mostBytes)
  return typeof text === "string" ? manifestOf(text) : text
}

// As `manifestName` of `@dotrpc/backfill`, which a query does not load.
const name = "manifest.json"

const mostBytes = 1 << 28

const manifestOf = (text: string): FoundManifest | { readonly problem: string } => {
  const value = parsed(text)
  if (!Json.isObject(value) || !Json.isArray(value.parts)) return { problem: "is not the manifest of a backfill" }
  const { id, parts, revision, state, version } = value
  if (typeof version === "number" && version > 1) return { problem: "was written by a newer version of dotrpc" }
  const files = parts.flatMap((part) => (Json.isObject(part) && typeof part.file === "string" ? [part.file] : []))
  if (typeof id !== "string" || typeof revision !== "number" || files.length < parts.length)
    return { problem: "is damaged" }
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
