/** A file that somebody names who must not choose any file of the reader: one inside a folder, wherever links lead. */
import { type FileText, textOfBytes, type Unreadable } from "@dotrpc/analysis"
import { realpathSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { isAbsolute, relative, sep } from "node:path"
import { type FileBytes, problemOf, readRegularFile, readRegularFileSync } from "./RegularFile.ts"

/**
 * The text of a regular file inside a folder, in UTF-8 or in UTF-16 with a byte order mark; `undefined` where there is none.
 *
 * @example
 * ```ts
 * const rows = await readTextFileWithin("/project", "/project/holders.csv")
 * ```
 */
export const readTextFileWithin = async (folder: string, path: string): Promise<FileText> => {
  if (!isInside(folder, path)) return outside
  try {
    const real = await realpath(path)
    return isInside(await realpath(folder), real) ? decoded(await readRegularFile(real)) : outside
  } catch (error) {
    return problemOf(error)
  }
}

/** As {@link readTextFileWithin}, at once. */
export const readTextFileWithinSync = (folder: string, path: string): FileText => {
  if (!isInside(folder, path)) return outside
  try {
    const real = realpathSync(path)
    return isInside(realpathSync(folder), real) ? decoded(readRegularFileSync(real)) : outside
  } catch (error) {
    return problemOf(error)
  }
}

const decoded = (bytes: FileBytes): FileText => (bytes instanceof Uint8Array ? textOfBytes(bytes) : bytes)

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const outside: Unreadable = { problem: "is outside the folder of the file that mentions it: copy it there" }
