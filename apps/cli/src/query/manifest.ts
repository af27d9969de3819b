/** The parts of a folder that the manifest of a backfill lists: it may have others, which a worker that was killed has left. */
import { readTextFileSync } from "@dotrpc/project/node"
import { Json } from "@dotrpc/spec"
import { join } from "node:path"

/** What may be read. */
export interface ListedParts {
  readonly files: ReadonlySet<string>
  /** Whether nothing is missing. */
  readonly isDone: boolean
}

/** `undefined` where the folder is not one of a backfill: everything in it may be read. */
export const listedParts = (folder: string): ListedParts | undefined => {
  const text = readTextFileSync(join(folder, "manifest.json"))
  if (typeof text !== "string") return undefined
  try {
    const manifest = Json.parse(text)
    if (!Json.isObject(manifest) || manifest.version !== 1 || !Json.isArray(manifest.parts)) return undefined
    const files = manifest.parts.flatMap((part) =>
      Json.isObject(part) && typeof part.file === "string" ? [part.file] : [],
    )
    return { files: new Set(files), isDone: manifest.state === "done" }
  } catch {
    // It is a file of something else.
    return undefined
  }
}
