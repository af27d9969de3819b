/**
 * What the open documents mean, and the files that they import. A document is analysed when the first question about its
 * text comes, and not again until the text, a file that it imports, or its project changes.
 *
 * Invariant: what the client has open counts, whatever the file on disk says.
 */
import {
  type Analysis,
  analyzing,
  type FileText,
  importPath,
  inSlices,
  type NamedResults,
  readSources,
  type Unreadable,
} from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import type { Document } from "@dotrpc/lang-service"
import { editorText, importable, parsingSections } from "../EditorText.ts"
import type { FileHost } from "../FileHost.ts"
import { pausing } from "./pausing.ts"
import { makeOpenTexts, type OpenText, type OpenTexts, plainAddress } from "./openTexts.ts"
import { folderOf, type Project, type Projects } from "./projects.ts"

/** A document, or a cell of a notebook: then what is analysed is the text of all its cells. */
export interface OpenDocument extends Pick<OpenText, "part" | "above" | "locate"> {
  readonly uri: string
  readonly document: Document
  readonly project: Project
  /** The document with the other files of its project: reads all of them, so it is for questions that need them. */
  readonly inProject: () => Promise<Document>
}

export interface Documents extends Pick<OpenTexts, "open" | "change" | "close" | "notebooks" | "uris" | "importing"> {
  /** The document as it is now; `undefined` when the client has not opened it, or when it is refused. */
  readonly get: (uri: string) => Promise<OpenDocument | undefined>
  /** Why a document that is open is not analysed, in words for the user. */
  readonly refused: (uri: string) => string | undefined
  /** Files on disk are others now. */
  readonly forgetFiles: () => void
  /** Removes the secrets of a document's project from a text. */
  readonly scrubberFor: (uri: string) => Promise<(text: string) => string>
}

/** Outcomes of the last runs of a document's requests; `undefined` where nothing is run. */
export type ResultsOf = (uri: string) => NamedResults | undefined

export const makeDocuments = (projects: Projects, host: FileHost, resultsOf: ResultsOf): Documents => {
  const texts = makeOpenTexts()
  const files = new Map<string, Promise<ParseResult | Unreadable | undefined>>()
  /** What `# @abi` leads to. */
  const abis = new Map<string, Promise<FileText>>()
  const analysed = new Map<string, Analysed>()
  /** Of each project: files that import the same one are analysed with one analysis of it. */
  const shared = new WeakMap<Project, Map<string, Analysis>>()
  const running = new Map<string, Running>()
  /** Ends when all analyses that were begun so far have. */
  let queue: Promise<unknown> = Promise.resolve()
  /** Counts what may make an analysis another one. */
  let changes = 0

  const readFile = (uri: string): Promise<ParseResult | Unreadable | undefined> => {
    const known = files.get(uri)
    if (known !== undefined) return known
    const reading = host.readFile(uri).then((text) => (typeof text === "string" ? importable(editorText(text)) : text))
    files.set(uri, reading)
    reading.catch(() => files.delete(uri))
    return reading
  }
  const read = async (uri: string): Promise<ParseResult | Unreadable | undefined> => {
    const open = texts.textOf(uri)
    return open === undefined ? readFile(uri) : importable(open)
  }

  const readText = (uri: string): Promise<FileText> => {
    const known = abis.get(uri)
    if (known !== undefined) return known
    const reading = host.readFile(uri)
    abis.set(uri, reading)
    reading.catch(() => abis.delete(uri))
    return reading
  }

  const analyse = async (uri: string, parsed: ParseResult, project: Project): Promise<Analysis | undefined> => {
    const begun = changes
    const isStale = () => changes !== begun
    const work = async () => {
      if ((await inSlices(parsingSections(parsed), { isStale })) === undefined) return undefined
      const sources = await readSources(uri, parsed, read, readText)
      const known = analysed.get(uri)
      const before = known?.project === project ? known.analysis : undefined
      const lent = shared.get(project) ?? new Map<string, Analysis>()
      shared.set(project, lent)
      const analysis = await inSlices(analyzing(parsed, project.workspace, { before, shared: lent, sources }), {
        isStale,
      })
      if (analysis !== undefined) analysed.set(uri, { parsed, project, changes: begun, analysis })
      return analysis
    }
    // One at a time: slices of several would follow each other without a pause.
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  /** Anyone who asks for the same analysis while it goes on gets that one; `undefined` when it became stale. */
  const analysisOf = (uri: string, parsed: ParseResult, project: Project): Promise<Analysis | undefined> => {
    const isSame = (known: AnalysisOf) =>
      known.parsed === parsed && known.project === project && known.changes === changes
    const done = analysed.get(uri)
    if (done !== undefined && isSame(done)) return Promise.resolve(done.analysis)
    const known = running.get(uri)
    if (known !== undefined && isSame(known)) return known.result
    const result = analyse(uri, parsed, project)
    const entry = { parsed, project, changes, result }
    running.set(uri, entry)
    const end = () => void (running.get(uri) === entry && running.delete(uri))
    result.then(end, end)
    return result
  }
  const analysedFile = async (uri: string, project: Project): Promise<ReadonlyArray<Analysis>> => {
    for (;;) {
      const parsed = await read(uri)
      if (parsed === undefined || "problem" in parsed) return []
      const analysis = await analysisOf(uri, parsed, project)
      if (analysis !== undefined) return [analysis]
    }
  }
  const inProject = async (uri: string, document: Document, project: Project): Promise<Document> => {
    const listed = (await host.listFiles?.(folderOf(project.config?.uri ?? uri))) ?? []
    const others = [...new Set([...texts.files(), ...listed])].filter(
      (other) => plainAddress(other) !== plainAddress(uri),
    )
    const analyses: Array<Analysis> = []
    const pause = pausing()
    for (const other of others) {
      analyses.push(...(await analysedFile(other, project)))
      await pause()
    }
    const paths = others.filter((other) => isBeside(other, uri)).map((other) => importPath(other, uri))
    return { ...document, others: analyses, known: { ...document.known, files: paths.toSorted() } }
  }

  const noticing =
    <Given extends ReadonlyArray<unknown>>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      changes++
      act(...given)
    }
  return {
    ...texts,
    open: noticing(texts.open),
    change: noticing(texts.change),
    notebooks: {
      ...texts.notebooks,
      open: noticing(texts.notebooks.open),
      change: noticing(texts.notebooks.change),
      close: noticing(texts.notebooks.close),
    },
    close: noticing((uri) => {
      texts.close(uri)
      analysed.delete(uri)
    }),
    forgetFiles: noticing(() => {
      files.clear()
      abis.clear()
    }),
    refused: (uri) => texts.at(uri)?.text.refused,
    scrubberFor: async (uri) => (await projects.of(texts.at(uri)?.file ?? uri)).scrub,
    get: async (uri) => {
      for (;;) {
        const open = texts.at(uri)
        if (open === undefined || open.text.refused !== undefined) return undefined
        const { above, file, locate, part, text } = open
        const project = await projects.of(file)
        const analysis = await analysisOf(file, text.parsed, project)
        // A key may have been pressed in the meantime.
        if (analysis === undefined || texts.at(uri)?.text !== text) continue
        const results = resultsOf(file)
        const document: Document = {
          analysis,
          lines: text.lines,
          known: project.known,
          ...(results === undefined ? {} : { results }),
        }
        const whole = () => inProject(file, document, project)
        return { uri, part, above, locate, project, document, inProject: whole }
      }
    },
  }
}

/** What an analysis is of. */
interface AnalysisOf {
  readonly parsed: ParseResult
  readonly project: Project
  readonly changes: number
}

interface Analysed extends AnalysisOf {
  readonly analysis: Analysis
}

/** An analysis that goes on. */
interface Running extends AnalysisOf {
  readonly result: Promise<Analysis | undefined>
}

/** Files of one file system can import each other. */
const isBeside = (uri: string, other: string): boolean =>
  uri.includes("/") && other.includes("/") && uri.slice(0, uri.indexOf("/")) === other.slice(0, other.indexOf("/"))
