/** The files named on the command line, `.rpc` or Markdown with fences of it, read and analysed. */
import { type Analysis, analyze, keysInConfig, readSources } from "@dotrpc/analysis"
import { type Diagnostic, parse, type ParseResult } from "@dotrpc/lang"
import { fencesIn, isMarkdown, requestsIn } from "./markdown/Fences.ts"
import { findConfig, type Project, type ProjectChoices, readProject, showProblem } from "@dotrpc/project/node"
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { globSync } from "tinyglobby"

export interface Document {
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  readonly analysis: Analysis
  readonly project: Project
}

export interface DocumentChoices extends ProjectChoices {
  /** `--config`; otherwise the nearest one upward from each file. */
  readonly config?: string
}

export interface Documents {
  readonly documents: ReadonlyArray<Document>
  /** Markdown files without a fence to run, as shown. */
  readonly withoutRequests: ReadonlyArray<string>
  /** Configurations in which something is to be said that forbids nothing. */
  readonly configurations: ReadonlyArray<WarnedConfiguration>
  /** Files that do not exist, and what is wrong with the configuration: all of it forbids running. */
  readonly problems: ReadonlyArray<string>
}

export interface WarnedConfiguration {
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  readonly warnings: ReadonlyArray<Diagnostic>
}

/** Opens every file that the names and globs match, each with the configuration nearest to it. */
export const openDocuments = async (patterns: ReadonlyArray<string>, choices: DocumentChoices): Promise<Documents> => {
  const { files, problems } = findFiles(patterns)
  const projects = new Map<string, Project>()
  const configs = new Set<string>()
  const documents: Array<Document> = []
  const withoutRequests: Array<string> = []
  const read = makeReader()
  for (const path of files) {
    const config = choices.config === undefined ? findConfig(dirname(path)) : resolve(choices.config)
    if (config !== undefined) configs.add(config)
    const key = config ?? dirname(path)
    const project = projects.get(key) ?? (await readProject(config, dirname(path), choices))
    projects.set(key, project)
    const text = readFileSync(path, "utf8")
    const file = relative(process.cwd(), path) || path
    if (isMarkdown(path) && fencesIn(text).length === 0) {
      withoutRequests.push(file)
      continue
    }
    const parsed = parse(isMarkdown(path) ? requestsIn(text) : text)
    const sources = await readSources(pathToFileURL(path).href, parsed, read, readText)
    documents.push({
      file,
      text,
      project,
      analysis: analyze(parsed, project.workspace, { sources }),
    })
  }
  const unused = files.length > 0 && documents.length === 0 ? ["there is no ```rpc fence in these Markdown files"] : []
  const opened = [...projects.values()]
  return {
    documents,
    withoutRequests,
    configurations: [...configs].flatMap(warningsIn),
    problems: [...problems, ...unused, ...new Set(opened.flatMap((project) => project.problems.map(showProblem)))],
  }
}

const warningsIn = (path: string): ReadonlyArray<WarnedConfiguration> => {
  if (!existsSync(path)) return []
  const text = readFileSync(path, "utf8")
  const warnings = keysInConfig(text).map(({ code, message, start, end }): Diagnostic => ({
    code,
    severity: "warning",
    message,
    start,
    end,
  }))
  return warnings.length === 0 ? [] : [{ file: relative(process.cwd(), path) || path, text, warnings }]
}

/** The files that names, folders and globs stand for, each once, and a problem for each that stands for none. */
export const findFiles = (
  patterns: ReadonlyArray<string>,
): { readonly files: ReadonlyArray<string>; readonly problems: ReadonlyArray<string> } => {
  const found = patterns.map((pattern) => ({ pattern, files: expand(pattern) }))
  const files = [...new Set(found.flatMap(({ files }) => files))]
  return {
    files: files.filter((file) => unreadable(file).length === 0),
    problems: [
      ...found.filter(({ files }) => files.length === 0).map(({ pattern }) => nothingMatches(pattern)),
      ...files.flatMap(unreadable),
    ],
  }
}

const nothingMatches = (pattern: string): string =>
  pattern === "-" ? "requests are read from files, not from stdin: name one" : `no file matches "${pattern}"`

const unreadable = (path: string): ReadonlyArray<string> => {
  try {
    accessSync(path, constants.R_OK)
    return []
  } catch {
    return [`${relative(process.cwd(), path) || path} cannot be read: its permissions forbid it`]
  }
}

/** Reads imported files, each once however many import it. */
const makeReader = (): ((uri: string) => Promise<ParseResult | undefined>) => {
  const known = new Map<string, Promise<ParseResult | undefined>>()
  const open = async (uri: string): Promise<ParseResult | undefined> => {
    const text = await readText(uri)
    return text === undefined ? undefined : parse(text)
  }
  return (uri) => {
    const reading = known.get(uri) ?? open(uri)
    known.set(uri, reading)
    return reading
  }
}

/** What leads to a file that cannot be read says so. */
const readText = (uri: string): Promise<string | undefined> =>
  readFile(fileURLToPath(uri), "utf8").catch(() => undefined)

/** Nothing below a folder of dependencies is the user's, and a link may lead anywhere. */
const globOptions = { absolute: true, ignore: ["**/node_modules/**"], followSymbolicLinks: false } as const

const expand = (pattern: string): ReadonlyArray<string> => {
  const path = resolve(pattern)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() === true) return [path]
  const found =
    stats?.isDirectory() === true
      ? globSync("**/*.rpc", { ...globOptions, cwd: path })
      : globSync(pattern.replaceAll("\\", "/"), globOptions)
  return found.toSorted()
}
