/** The names of what is in a folder, as far as anybody would look through them. */
import { opendir } from "node:fs/promises"

/** The most names of one folder that are read. */
export const mostNames = 10_000

/**
 * The names of the entries of a folder, at most `mostNames`; none when it cannot be read. The name of a folder that is not a
 * link ends with a slash.
 */
export const folderNames = async (path: string, limit: number = mostNames): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  try {
    for await (const entry of await opendir(path)) {
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name)
      if (names.length === limit) break
    }
  } catch {
    // What leads here says that there is no file.
  }
  return names
}
