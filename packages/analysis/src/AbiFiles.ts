/** The ABI files of a project: those that `rpc.config.json` names, read before a workspace is made of them. */
import { importedAddress } from "./Imports.ts"
import type { ProjectConfig } from "./ProjectConfig.ts"

/** A file of ABIs, or an entry that leads to none. */
export interface AbiFile {
  /** For messages: a path as it was written, or the file's own name where a pattern led to it. */
  readonly name: string
  /** Absent when there is no file that can be read. */
  readonly text?: string
  /** Which entry of `abi` in the configuration it is of. */
  readonly entry: number
}

/** Files by their addresses. */
export interface AbiFolders {
  readonly readFile: (uri: string) => Promise<string | undefined>
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
  const read = async (uri: string, name: string, entry: number): Promise<AbiFile> => {
    const text = await folders.readFile(uri)
    return text === undefined ? { name, entry } : { name, entry, text }
  }
  const found = await Promise.all(
    abi.map(async (path, entry): Promise<ReadonlyArray<AbiFile>> => {
      const uri = importedAddress(path, configUri)
      if (uri === undefined) return [{ name: path, entry }]
      const [folder, pattern] = [uri.slice(0, uri.lastIndexOf("/") + 1), uri.slice(uri.lastIndexOf("/") + 1)]
      if (!pattern.includes("*")) return [await read(uri, path, entry)]
      const matches = matcherOf(decodeURIComponent(pattern))
      const names = (await folders.listFolder(folder)).filter((name) => matches.test(name)).toSorted()
      if (names.length === 0) return [{ name: path, entry }]
      return Promise.all(names.map((name) => read(folder + encodeURIComponent(name), name, entry)))
    }),
  )
  return found.flat()
}

const matcherOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
      .join(".*")}$`,
  )
