/**
 * Files of requests as text: what names, folders and globs on the command line stand for, `-` being standard input.
 *
 * Invariant: the text of a source is every byte of its file, so that what is written back loses nothing. A file that is
 * not UTF-8 is a problem and not a source.
 */
import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { relative, resolve } from "node:path"
import { globSync } from "tinyglobby"

export interface SourceFile {
  /** Absolute. Standard input is taken for a file of the working directory. */
  readonly path: string
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  /** Whether it was standard input or a pipe: there is nothing to write back to. */
  readonly isStream: boolean
}

/** Reads every file that the names, folders and globs stand for, each once. There is a problem for each that stands for none. */
export const openSources = (
  patterns: ReadonlyArray<string>,
): { readonly sources: ReadonlyArray<SourceFile>; readonly problems: ReadonlyArray<string> } => {
  const found = patterns.map((pattern) => ({ pattern, files: expand(pattern) }))
  const read = [...new Set(found.flatMap(({ files }) => files))].map(readSource)
  return {
    sources: read.filter((source) => typeof source !== "string"),
    problems: [
      ...found.filter(({ files }) => files.length === 0).map(({ pattern }) => nothingMatches(pattern)),
      ...read.filter((source) => typeof source === "string"),
    ],
  }
}

/** Reads one file by its name, or standard input; else says in words what is wrong with it. */
export const openSource = (name: string): SourceFile | string =>
  readSource(name === standardInput ? standardInput : resolve(name))

const standardInput = "-"

const readSource = (path: string): SourceFile | string => {
  const isInput = path === standardInput
  const file = isInput ? "stdin" : relative(process.cwd(), path) || path
  try {
    if (!isInput) accessSync(path, constants.R_OK)
  } catch {
    const why = statsOf(path) === undefined ? "there is no such file" : "its permissions forbid it"
    return `${file} cannot be read: ${why}`
  }
  try {
    const text = textOf(readFileSync(isInput ? 0 : path))
    if (typeof text !== "string") return `${file} ${text.problem}`
    return { path: isInput ? resolve(file) : path, file, text, isStream: isInput || statSync(path).isFIFO() }
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | { readonly problem: string } => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { problem: "is in UTF-16; save it as UTF-8" }
  // Text has no zero bytes, but in UTF-16 nearly every other byte is one.
  if (bytes.includes(0))
    return { problem: "is not text: it holds zero bytes, as UTF-16 and binary files do; save it as UTF-8" }
  try {
    return utf8.decode(bytes)
  } catch {
    return { problem: `is not in UTF-8 (${placeOfMisfit(bytes)}); save it as UTF-8` }
  }
}

/** The line of the first byte that is not UTF-8. */
const placeOfMisfit = (bytes: Uint8Array): string => {
  const replaced = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  const line = replaced.slice(0, replaced.indexOf("\uFFFD")).split(/\r\n|\r|\n/).length
  return `line ${line}`
}

const nothingMatches = (pattern: string): string =>
  isFolder(pattern) ? `there is no .rpc file in ${pattern} or below` : `no file matches "${pattern}"`

/** Nothing below a folder of dependencies is the user's, and a link may lead anywhere. */
const globOptions = { absolute: true, ignore: ["**/node_modules/**"], followSymbolicLinks: false } as const

const expand = (pattern: string): ReadonlyArray<string> => {
  if (pattern === standardInput) return [standardInput]
  const path = resolve(pattern)
  const stats = statsOf(path)
  // A pipe is what a shell puts in the place of `<(command)`.
  if (stats?.isFile() === true || stats?.isFIFO() === true) return [path]
  const found =
    stats?.isDirectory() === true
      ? globSync("**/*.rpc", { ...globOptions, cwd: path })
      : globSync(pattern.replaceAll("\\", "/"), globOptions)
  return found.toSorted()
}

const isFolder = (pattern: string): boolean => statsOf(resolve(pattern))?.isDirectory() === true

/** A name may be too long for a file, or lead through a folder that may not be entered: then it is no file either. */
const statsOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
