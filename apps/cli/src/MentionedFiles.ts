/**
 * Files that an imported text mentions as the bodies of its requests.
 *
 * Invariant: only regular files inside one folder are read, wherever links lead; nothing outside is even looked for.
 */
import { largestText } from "@dotrpc/analysis"
import type { ReadMentioned } from "@dotrpc/lang-service"
import { readTextFileWithinSync } from "@dotrpc/project/node"
import { resolve } from "node:path"

/** Reads files by their paths from this folder. In total they may have as many characters as one file. */
export const mentionedFiles = (folder: string): ReadMentioned => {
  let left = largestText
  return (mentioned) => {
    if (left <= 0) return tooMany
    const file = readTextFileWithinSync(folder, resolve(folder, mentioned)) ?? notThere
    if (typeof file !== "string") return file
    left -= file.length
    return left < 0 ? tooMany : file
  }
}

const notThere = { problem: "cannot be read: there is no such file or folder" }
const tooMany = { problem: "is not read: the mentioned files are too large in total" }
