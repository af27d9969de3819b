/** The ABI files of a project: those that `rpc.config.json` names, read before a workspace is made of them. */
import { importedAddress, isAddress } from "./Imports.ts"
import type { ProjectConfig } from "./ProjectConfig.ts"
import { type FileText, largestText } from "./Unreadable.ts"

/** A file of ABIs, or an entry that leads to none. */
export interface AbiFile {
  /** For messages: a path as it was written, or the file's own name where a pattern led to it. */
  readonly name: string
  /** Absent when there is no file that can be read. */
  readonly text?: string
  /** Why the file that is there is not used, after its name: `is not a regular file`. */
  readonly problem?: string
  /** Which entry of `abi` in the configuration it is of. */
  readonly entry: number
}

/** Files by their addresses. */
export interface AbiFolders {
  readonly readFile: (uri: string) => Promise<FileText>
  /** The names of what is in a folder, whose address ends with a slash; none when it cannot be read. */
  readonly listFolder: (uri: string) => Promise<ReadonlyArray<string>>
}

/**
 * Reads the files that a configuration names with `"abi": ["./abi/*.json"]`: paths from its own folder, in which `*` may
 * stand for any part of a file's name.
 */
export const readAbiFiles = async (
  { abi = [] }: Pick<ProjectConfig, "abi">,
  configUri: string,
  folders: AbiFolders,
): Promise<ReadonlyArray<AbiFile>> => {
  const found: Array<AbiFile> = []
  let length = 0
  const read = async (uri: string, name: string, entry: number): Promise<AbiFile> => {
    if (found.length >= mostFiles)
      return { name, entry, problem: `is not read: a project may have ${mostFiles.toLocaleString("en")} ABI files` }
    if (length > largestText)
      return { name, entry, problem: `is not read: those before it have ${largestText / (1024 * 1024)} MB already` }
    const file = await folders.readFile(uri)
    if (typeof file !== "string") return { name, entry, ...file }
    length += file.length
    return { name, entry, text: file }
  }
  for (const [entry, path] of abi.entries()) {
    const uri = importedAddress(path, configUri)
    if (uri === undefined) {
      found.push({ name: path, entry, ...(isAddress(path) ? { problem: "is an address: write a path" } : {}) })
      continue
    }
    const [folder, pattern] = [uri.slice(0, uri.lastIndexOf("/") + 1), uri.slice(uri.lastIndexOf("/") + 1)]
    if (!pattern.includes("*")) {
      found.push(await read(uri, path, entry))
      continue
    }
    const parts = decodeURIComponent(pattern).split("*")
    const names = (await folders.listFolder(folder)).filter((name) => matches(name, parts)).toSorted()
    if (names.length === 0) found.push({ name: path, entry })
    for (const name of names) {
      const file = await read(folder + encodeURIComponent(name), name, entry)
      found.push(file)
      // One that is too much says so for all that follow.
      if (file.problem?.startsWith("is not read") === true) return found
    }
  }
  return found
}

/** The most ABI files of a project. */
const mostFiles = 1_000

/** Whether a name is these parts with anything between them: each part is where it is found first, so nothing is tried twice. */
const matches = (name: string, parts: ReadonlyArray<string>): boolean => {
  const [first = "", ...rest] = parts
  const last = rest.pop() ?? ""
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
