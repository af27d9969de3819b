/** Folders that are made with those above them. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a folder, and those above it, where they do not exist. Throws what the file system throws. Node's own way, with `recursive`, never
 * ends where a folder says that it is not there while something is made in it, as those of `/proc` do.
 */
export const makeFolders = (path: string, mode = 0o777): void => {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) makeFolders(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it since.
    if (isFolder(path)) return
    // A link to nothing is there for the one who makes a folder, and not for anybody who reads it.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") statSync(path)
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
