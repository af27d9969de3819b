/**
 * Files of requests as text: what names, folders and globs on the command line stand for, `-` being standard input.
 *
 * Invariant: the text of a source is every byte of its file but a byte order mark, which it gets back when it is written, so that nothing is
 * lost. A file that is not text is a problem and not a source; one in UTF-16 is written back in UTF-8.
 */
import { AtomicFile, readFileAtHome, readPipe, readRegularFile } from "@dotrpc/project/node"
import { textOfBytes } from "@dotrpc/spec"
import { statSync } from "node:fs"
import { setImmediate as nextTurn } from "node:timers/promises"
import { fileProblem } from "./fileProblem.ts"
import { findFiles, type FoundFiles } from "./FoundFiles.ts"
import { type Host, pathOf, shownPath } from "./Host.ts"
import { isMarkdown } from "./markdown/isMarkdown.ts"

export interface SourceFile {
  /** Absolute. Standard input is taken for a file of the working directory. */
  readonly path: string
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  /** The byte order mark that the file begins with, if it does. */
  readonly mark: string
  /** Whether it was standard input or a pipe: there is nothing to write back to. */
  readonly isStream: boolean
}

/**
 * Reads every file that the names, folders and globs stand for, each once. There is a problem for each that stands for
 * none, or for more than can be searched. A signal ends it between two files, with those that were read.
 */
export const openSources = async (
  host: SourceHost,
  patterns: ReadonlyArray<string>,
  signal?: AbortSignal,
): Promise<{ readonly sources: ReadonlyArray<SourceFile>; readonly problems: ReadonlyArray<string> }> => {
  const problems: Array<string> = []
  const paths = new Set<string>()
  for (const pattern of patterns) {
    const { files, problem } = await expand(host, pattern, signal)
    if (problem !== undefined) problems.push(`${pattern} ${problem}; name a deeper folder, or single files`)
    else if (files.length === 0 && signal?.aborted !== true) problems.push(nothingMatches(host, pattern))
    else for (const file of files) paths.add(file)
  }
  const sources: Array<SourceFile> = []
  for (const path of paths) {
    await nextTurn()
    if (signal?.aborted === true) break
    const source = await readSource(host, path, signal)
    if (typeof source === "string") problems.push(source)
    else sources.push(source)
  }
  return { sources, problems }
}

/** Reads one file by its name, or standard input; else says in words what is wrong with it. */
export const openSource = (host: SourceHost, name: string, signal?: AbortSignal): Promise<SourceFile | string> =>
  readSource(host, name === standardInput ? standardInput : pathOf(host, name), signal)

/** Replaces the text of a file. Gives what is wrong where it cannot, as words about the file as it is shown. */
export const problemOfWriting = ({ file, mark, path }: SourceFile, text: string): string | undefined => {
  try {
    AtomicFile.replace(path, mark + text, { links: "follow" })
    return undefined
  } catch (error) {
    return `${file} cannot be written: ${fileProblem(error)}`
  }
}

/** The part of a host that finding files needs. */
type SourceHost = Pick<Host["Service"], "cwd" | "stdin">

const standardInput = "-"

const readSource = async (
  host: SourceHost,
  path: string,
  signal: AbortSignal | undefined,
): Promise<SourceFile | string> => {
  const isStream = path === standardInput || isPipeOfShell(path)
  const file = path === standardInput ? "stdin" : shownPath(host, path)
  try {
    const bytes = isStream
      ? await readPipe(path === standardInput ? host.stdin.stream() : path, { signal })
      : await (isOfSystem(path) ? readRegularFile : readFileAtHome)(path)
    if (bytes === undefined) return `${file} cannot be read: there is no such file`
    if (!(bytes instanceof Uint8Array)) return `${file} ${bytes.problem}`
    const marked = textOfBytes(bytes, { keepsMark: true })
    if (typeof marked !== "string") return `${file} ${marked.problem}`
    const mark = marked.startsWith("\uFEFF") ? "\uFEFF" : ""
    const text = marked.slice(mark.length)
    const nested = isMarkdown(path) ? await deepNesting(text) : undefined
    if (nested !== undefined) return `${file}:${nested.line}:1 ${nested.message}`
    return { path: path === standardInput ? pathOf(host, file) : path, file, text, mark, isStream }
  } catch (error) {
    return `${file} cannot be read: ${fileProblem(error)}`
  }
}

/** Loaded only for Markdown. */
const deepNesting = async (text: string) =>
  (await import("./markdown/nesting.ts")).nestingProblem(text.split(/\r\n|\r|\n/))

/** Such as `/dev/stdin`, which leads to any file. No project has it. */
const isOfSystem = (path: string): boolean => /^\/(?:dev|proc)\//.test(path)

/** What a shell puts in the place of `<(command)`. A pipe of any other name may have nobody who ever writes into it. */
const isPipeOfShell = (path: string): boolean =>
  /^\/(?:dev|proc\/(?:self|\d+))\/fd\/\d+$/.test(path) && statsOf(path)?.isFIFO() === true

const nothingMatches = (host: SourceHost, pattern: string): string =>
  statsOf(pathOf(host, pattern))?.isDirectory() === true
    ? `there is no .rpc file in ${pattern} or below`
    : `no file matches "${pattern}"`

const expand = async (host: SourceHost, pattern: string, signal: AbortSignal | undefined): Promise<FoundFiles> => {
  if (pattern === standardInput) return { files: [standardInput] }
  const path = pathOf(host, pattern)
  const stats = statsOf(path)
  if (stats?.isDirectory() === true) return findFiles("**/*.rpc", { folder: path, signal })
  // Of what is neither a file nor a folder, reading it says so.
  if (stats !== undefined) return { files: [path] }
  return findFiles(pattern.replaceAll("\\", "/"), { folder: host.cwd, signal })
}

/** A name may be too long for a file, or lead through a folder that may not be entered: then it is not a file either. */
const statsOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
