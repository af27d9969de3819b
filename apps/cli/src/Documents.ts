/** The files named on the command line, `.rpc`, Markdown with fences of it, or golden `.io` files, read and analysed. */
import { type Analysis, analyze, keysInConfig, namedFiles } from "@dotrpc/analysis"
import { type Diagnostic, parse } from "@dotrpc/lang"
import { isGolden } from "./golden/isGolden.ts"
import { isMarkdown } from "./markdown/isMarkdown.ts"
import { diskHost, findConfig, type Project, readProject, type ReadChoices, showProblem } from "@dotrpc/project/node"
import { makeSession, wholeText } from "@dotrpc/session"
import type { Redacted } from "effect"
import { dirname } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type Host, pathOf, shownPath } from "./Host.ts"
import { openSources, type SourceFile } from "./SourceFiles.ts"

export interface AnalysedDocument {
  /** As shown: relative to the working directory. */
  readonly file: string
  /** Absent for a text that is not in a file. */
  readonly path: string | undefined
  readonly text: string
  readonly analysis: Analysis
  readonly project: Project
  /** Every file that its meaning depends on, its own included, by absolute paths. */
  readonly reads: ReadonlyArray<string>
}

export interface DocumentChoices extends ReadChoices {
  /** `--config`; otherwise the nearest one upward from each file. */
  readonly config?: string | undefined
  /** A text that is not in a file, instead of the files. */
  readonly source?: SourceFile | undefined
  /** A project that was read before and that every file belongs to, instead of the nearest ones. */
  readonly project?: Project | undefined
  /** What stands for each secret and for each variable of the environment in requests, instead of its value. */
  readonly named?: NamedPlaces | undefined
  /** Ends the reading between two files. */
  readonly signal?: AbortSignal | undefined
}

interface NamedPlaces {
  readonly secret: (name: string) => Redacted.Redacted<string>
  readonly env: (name: string) => string
}

export interface Documents {
  readonly documents: ReadonlyArray<AnalysedDocument>
  /** Markdown files without a fence to run, as shown. */
  readonly withoutRequests: ReadonlyArray<string>
  /** Configurations in which something is to be said that forbids nothing, unless warnings are errors. */
  readonly configurations: ReadonlyArray<WarnedConfiguration>
  /** Files that cannot be read, and what is wrong with a configuration. What they stand for is not among the documents. */
  readonly problems: ReadonlyArray<string>
}

export interface WarnedConfiguration {
  /** As shown: relative to the working directory. */
  readonly file: string
  readonly text: string
  readonly warnings: ReadonlyArray<Diagnostic>
}

/** Opens every file that the names and globs match, each with the configuration nearest to it. */
export const openDocuments = async (
  host: Host["Service"],
  patterns: ReadonlyArray<string>,
  choices: DocumentChoices,
): Promise<Documents> => {
  const { source } = choices
  const { sources: files, problems } =
    source === undefined
      ? await openSources(host, patterns, choices.signal)
      : { sources: [source], problems: [] as ReadonlyArray<string> }
  const unread: Array<string> = []
  const projects = new Map<string, Promise<Project>>()
  const projectAt = (path: string): Promise<Project> => {
    const config = choices.config === undefined ? findConfig(dirname(path), host) : pathOf(host, choices.config)
    const key = config ?? dirname(path)
    const project =
      projects.get(key) ?? Promise.resolve(choices.project ?? projectOf(config, dirname(path), host, choices))
    projects.set(key, project)
    return project
  }
  const session = makeSession(
    { loaded: (uri) => projectAt(fileURLToPath(uri)) },
    diskHost({ surroundings: host, now: Date.now }),
    wholeText,
  )
  const withoutRequests: Array<string> = []
  const opened: Array<SourceFile> = []
  for (const source of files) {
    // A signal may have come while the file before was read.
    await nextTurn()
    if (choices.signal?.aborted === true) break
    const { file, path, text } = source
    if ((await projectAt(path)).problems.length > 0) continue
    const markdown = isMarkdown(path) ? await import("./markdown/Fences.ts") : undefined
    if (markdown?.fencesIn(text).length === 0) withoutRequests.push(file)
    else {
      opened.push(source)
      if (!isGolden(path)) session.change(pathToFileURL(path).href, markdown?.requestsIn(text) ?? text)
    }
  }
  const documents: Array<AnalysedDocument> = []
  for (const { file, isStream, path, text } of opened) {
    await nextTurn()
    if (choices.signal?.aborted === true) break
    const project = await projectAt(path)
    if (isGolden(path)) {
      const golden = (await import("./golden/exchanges.ts")).goldenDocument(text, project.workspace)
      if ("message" in golden) unread.push(`${file}:${golden.line}:1 ${golden.message}`)
      else {
        const analysis = analyze(parse(golden.text), golden.workspace)
        documents.push({ file, path, text: golden.text, project, analysis, reads: [path, ...project.files] })
      }
      continue
    }
    const uri = pathToFileURL(path).href
    const found = await session.loaded(uri)
    if (found === undefined) continue
    const { analysis } = found
    const others = namedFiles(await session.sources(uri, found.text.parsed)).map((other) => fileURLToPath(other))
    const reads = [...(isStream ? [] : [path]), ...others, ...project.files]
    documents.push({ file, path: isStream ? undefined : path, text, project, analysis, reads })
  }
  const unused =
    files.length > 0 && withoutRequests.length === files.length
      ? ["there is no ```rpc fence in these Markdown files"]
      : []
  // A project that was read before may be that of several folders.
  const read = [...new Set(await Promise.all(projects.values()))]
  return {
    documents,
    withoutRequests,
    configurations: read.flatMap((project) => warningsIn(host, project, choices.isStrict === true)),
    problems: [
      ...problems,
      ...unread,
      ...unused,
      ...new Set(read.flatMap((project) => project.problems.map(showProblem))),
    ],
  }
}

const projectOf = async (
  config: string | undefined,
  folder: string,
  host: Host["Service"],
  { named, ...choices }: DocumentChoices,
): Promise<Project> => {
  const project = await readProject(config, folder, { ...choices, surroundings: host })
  if (named === undefined) return project
  const { workspace } = project
  const env = (name: string) => (workspace.isListed(name) ? named.env(name) : undefined)
  return { ...project, workspace: { ...workspace, secret: named.secret, env } }
}

/** What is to be said of the configuration of a project, in its places. */
export const warningsIn = (
  host: Host["Service"],
  { configFile, ...project }: Project,
  isStrict: boolean,
): ReadonlyArray<WarnedConfiguration> => {
  // What cannot be read is among the problems of the project, and empty.
  if (configFile === undefined) return []
  const { text, uri } = configFile
  const withheld = project.withheld.slice(0, 1).map(({ message, ...span }) => ({
    ...span,
    code: "A502" as const,
    message: `${message}. Until then, the methods of those plugins are not checked`,
  }))
  const foreignAbis = project.foreignAbis.slice(0, mostForeignAbis).map(({ message, ...span }) => ({
    ...span,
    code: "A308" as const,
    message: `${message}; it is left out`,
  }))
  const warnings = [...keysInConfig(text), ...withheld, ...foreignAbis].map(
    ({ code, message, start, end }): Diagnostic => ({
      code,
      severity: isStrict ? "error" : "warning",
      message,
      start,
      end,
    }),
  )
  return warnings.length === 0 ? [] : [{ file: shownPath(host, fileURLToPath(uri)), text, warnings }]
}

/** A pattern that leads to more files of something else is a mistake, and these show it. */
const mostForeignAbis = 20
