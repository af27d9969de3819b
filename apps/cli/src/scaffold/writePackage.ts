/** Writes a new package, and never changes an existing file. */
import { AtomicFile, makeFolders } from "@dotrpc/project/node"
import { Result } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileProblem } from "../fileProblem.ts"
import type { Files } from "./packageFiles.ts"

/** Writes all files; none when the folder has anything in it. Fails in words when the folder cannot be written to. */
export const writePackage = (folder: string, files: Files): Result.Result<ReadonlyArray<string>, string> => {
  if (existsSync(folder) && !isEmptyFolder(folder))
    return Result.fail(
      `${folder} exists already, and nothing in it is overwritten: choose another name or move it away`,
    )
  try {
    for (const [path, text] of Object.entries(files)) {
      makeFolders(dirname(join(folder, path)))
      AtomicFile.create(join(folder, path), text)
    }
  } catch (error) {
    return Result.fail(`${folder} cannot be written: ${fileProblem(error)}`)
  }
  return Result.succeed(Object.keys(files))
}

const isEmptyFolder = (path: string): boolean => {
  try {
    return readdirSync(path).length === 0
  } catch {
    // It is a file: as good as a folder with something in it.
    return false
  }
}
