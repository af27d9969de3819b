/** The ABI files of a project: those that `rpc.config.json` names, read before its workspace is made. */
import { importedUri, isUrl } from "./Imports.ts"
import type { ProjectConfig } from "./ProjectConfig.ts"
import { type FileText, largestText } from "./Unreadable.ts"

/** A file of ABIs, or an entry that leads to none. */
export interface AbiFile {
  /** For messages: a path as it was written; where a pattern led to it, as it would be written for this file. */
  readonly name: string
  /** Absent when there is no file that can be read. */
  readonly text?: string | undefined
  /** Why the file that is there is not used, after its name: `is not a regular file`. */
  readonly problem?: string | undefined
  /** Which entry of `abi` in the configuration it is of. */
  readonly entry: number
  /** Whether a pattern led to it: nobody named it, so it may be something else. */
  readonly isMatch?: boolean | undefined
}

/** Files by their URIs. */
export interface AbiFolders {
  /** The text of a file, or why it was not read: one that really lies outside the folder `within` is not. */
  readonly readFile: (uri: string, within?: string) => Promise<FileText>
  /**
   * The names of what is in a folder, whose URI ends with a slash; none when it cannot be read. The name of a folder that
   * is not a link ends with a slash as well.
   */
  readonly listFolder: (uri: string) => Promise<ReadonlyArray<string>>
}

/**
 * Reads the files that a configuration names with `"abi": ["./abi/*.json"]`: paths from its own folder, in which `*` may
 * stand for any part of a name, and `**` for any folders. All of them lie in the folder `within`.
 */
export const readAbiFiles = async (
  { abi = [] }: Pick<ProjectConfig, "abi">,
  configUri: string,
  folders: AbiFolders,
  within?: string,
): Promise<ReadonlyArray<AbiFile>> => {
  const found: Array<AbiFile> = []
  let length = 0
  const read = async (uri: string, name: string, entry: number): Promise<AbiFile> => {
    if (found.length >= mostFiles)
      return { name, entry, problem: `is not read: a project may have ${mostFiles.toLocaleString("en")} ABI files` }
    if (length > largestText)
      return { name, entry, problem: `is not read: those before it have ${largestText / (1024 * 1024)} MB already` }
    const file = await folders.readFile(uri, within)
    if (typeof file !== "string") return { name, entry, ...file }
    length += file.length
    return { name, entry, text: file }
  }
  for (const [entry, path] of abi.entries()) {
    const uri = importedUri(path, configUri)
    if (uri === undefined) {
      found.push({ name: path, entry, ...(isUrl(path) ? { problem: "is a URL: write a path" } : {}) })
      continue
    }
    if (!uri.includes("*")) {
      found.push(await read(uri, path, entry))
      continue
    }
    if (within !== undefined && !uri.startsWith(within)) {
      found.push({ name: path, entry, problem: "is outside this project: copy the files there" })
      continue
    }
    const { isCut, matches } = await findMatches(uri, folders)
    if (matches.length === 0) found.push({ name: path, entry })
    const folder = path.slice(0, path.lastIndexOf("/", path.indexOf("*")) + 1)
    for (const match of matches) {
      const file = await read(match.uri, `${folder}${match.name}`, entry)
      // One that is too much says so for all that follow.
      if (file.problem?.startsWith("is not read") === true) return [...found, file]
      found.push({ ...file, isMatch: true })
    }
    if (isCut)
      found.push({
        name: path,
        entry,
        problem: `covers more than ${mostFolders.toLocaleString("en")} folders: name a deeper folder`,
      })
  }
  return found
}

/** The most ABI files of a project. */
const mostFiles = 1_000

/** The most folders that a pattern covers. */
const mostFolders = 2_000

/** The files that the URI of a pattern leads to, in the order of their paths, each once. */
const findMatches = async (pattern: string, { listFolder }: AbiFolders) => {
  const start = pattern.lastIndexOf("/", pattern.indexOf("*")) + 1
  const base = pattern.slice(0, start)
  const segments = pattern.slice(start).split("/").map(decodeURIComponent)
  const files = new Set<string>()
  const visited = new Set<string>()
  const listings = new Map<string, ReadonlyArray<string>>()
  let isCut = false
  const list = async (folder: string): Promise<ReadonlyArray<string>> => {
    const known = listings.get(folder)
    if (known !== undefined) return known
    isCut ||= listings.size === mostFolders
    const names = isCut ? [] : (await listFolder(folder)).toSorted()
    listings.set(folder, names)
    return names
  }
  /** Follows the segments from `index` on. A folder that several ways lead to is searched once. */
  const follow = async (folder: string, index: number): Promise<void> => {
    const way = `${index} ${folder}`
    if (isCut || visited.has(way)) return
    visited.add(way)
    const segment = segments[index] ?? ""
    const isLast = index === segments.length - 1
    if (segment === "**" && !isLast) await follow(folder, index + 1)
    const parts = segment === "**" ? ["", ""] : segment.split("*")
    for (const name of await list(folder)) {
      const isFolder = name.endsWith("/")
      const own = isFolder ? name.slice(0, -1) : name
      if (!matches(own, parts)) continue
      if (!isFolder && isLast) files.add(folder + encodeURIComponent(own))
      if (!isFolder || (isLast && segment !== "**") || isLeftOut(own, segment)) continue
      await follow(`${folder}${encodeURIComponent(own)}/`, segment === "**" ? index : index + 1)
    }
  }
  await follow(base, 0)
  const found = [...files].map((uri) => ({ uri, name: decodeURIComponent(uri.slice(base.length)) }))
  return { isCut, matches: found.toSorted((left, right) => (left.name < right.name ? -1 : 1)) }
}

/** Nothing below a folder of dependencies is the user's, and a hidden folder is a program's, unless it is named. */
const isLeftOut = (name: string, segment: string): boolean =>
  segment.includes("*") && (name === "node_modules" || (name.startsWith(".") && !segment.startsWith(".")))

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
