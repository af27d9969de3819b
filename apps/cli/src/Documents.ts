/** The files named on the command line, `.rpc` or Markdown with fences of it, read and analysed. */
import { type Analysis, analyze, keysInConfig, readSources } from "@dotrpc/analysis"
import { type Diagnostic, parse, type ParseResult } from "@dotrpc/lang"
import { fencesIn, isMarkdown, requestsIn } from "./markdown/Fences.ts"
import { findConfig, type Project, type ProjectChoices, readProject, showProblem } from "@dotrpc/project/node"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { openSources } from "./SourceFiles.ts"

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
  const { sources: files, problems } = openSources(patterns)
  const projects = new Map<string, Project>()
  const configs = new Set<string>()
  const documents: Array<Document> = []
  const withoutRequests: Array<string> = []
  const read = makeReader()
  for (const { file, path, text } of files) {
    const config = choices.config === undefined ? findConfig(dirname(path)) : resolve(choices.config)
    if (config !== undefined) configs.add(config)
    const key = config ?? dirname(path)
    const project = projects.get(key) ?? (await readProject(config, dirname(path), choices))
    projects.set(key, project)
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
  const text = readConfig(path)
  if (text === undefined) return []
  const warnings = keysInConfig(text).map(({ code, message, start, end }): Diagnostic => ({
    code,
    severity: "warning",
    message,
    start,
    end,
  }))
  return warnings.length === 0 ? [] : [{ file: relative(process.cwd(), path) || path, text, warnings }]
}

/** Whoever opens the project says that it cannot be read. */
const readConfig = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
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
