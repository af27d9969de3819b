/** A file that somebody names who must not choose any file of the reader: one inside a folder, wherever links lead. */
import type { FileText, Unreadable } from "@dotrpc/analysis"
import { realpathSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { isAbsolute, relative, sep } from "node:path"
import { problemOf, readTextFile, readTextFileSync } from "./RegularFile.ts"

/**
 * The text of a regular file inside a folder; `undefined` where there is none.
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
    return isInside(await realpath(folder), real) ? await readTextFile(real) : outside
  } catch (error) {
    return problemOf(error)
  }
}

/** As {@link readTextFileWithin}, at once. */
export const readTextFileWithinSync = (folder: string, path: string): FileText => {
  if (!isInside(folder, path)) return outside
  try {
    const real = realpathSync(path)
    return isInside(realpathSync(folder), real) ? readTextFileSync(real) : outside
  } catch (error) {
    return problemOf(error)
  }
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const outside: Unreadable = { problem: "is outside the folder of the file that mentions it: copy it there" }
