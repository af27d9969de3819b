/**
 * What the open documents mean, and the files that they import. A document is analysed when the first question about its
 * text comes, and not again until the text, a file that it imports, or its project changes.
 *
 * Invariant: what the client has open counts, whatever the file on disk says.
 */
import { type Analysis, analyze, importPath, type NamedResults, readSources } from "@dotrpc/analysis"
import { parse, type ParseResult } from "@dotrpc/lang"
import type { Document } from "@dotrpc/lang-service"
import type { FileHost } from "../FileHost.ts"
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
  /** The document as it is now, or `undefined` when the client has not opened it. */
  readonly get: (uri: string) => Promise<OpenDocument | undefined>
  /** Files on disk are others now. */
  readonly forgetFiles: () => void
  /** Removes the secrets of a document's project from a text. */
  readonly scrubberFor: (uri: string) => Promise<(text: string) => string>
}

/** Outcomes of the last runs of a document's requests; `undefined` where nothing is run. */
export type ResultsOf = (uri: string) => NamedResults | undefined

export const makeDocuments = (projects: Projects, host: FileHost, resultsOf: ResultsOf): Documents => {
  const texts = makeOpenTexts()
  const files = new Map<string, Promise<ParseResult | undefined>>()
  /** What `# @abi` leads to. */
  const abis = new Map<string, Promise<string | undefined>>()
  const analysed = new Map<string, { readonly project: Project; readonly analysis: Analysis }>()

  const readFile = (uri: string): Promise<ParseResult | undefined> => {
    const known = files.get(uri)
    if (known !== undefined) return known
    const reading = host.readFile(uri).then((text) => (text === undefined ? undefined : parse(text)))
    files.set(uri, reading)
    reading.catch(() => files.delete(uri))
    return reading
  }
  const read = async (uri: string): Promise<ParseResult | undefined> => texts.textOf(uri)?.parsed ?? readFile(uri)

  const readText = (uri: string): Promise<string | undefined> => {
    const known = abis.get(uri)
    if (known !== undefined) return known
    const reading = host.readFile(uri)
    abis.set(uri, reading)
    reading.catch(() => abis.delete(uri))
    return reading
  }

  const analysisOf = async (uri: string, parsed: ParseResult, project: Project): Promise<Analysis> => {
    const sources = await readSources(uri, parsed, read, readText)
    const known = analysed.get(uri)
    const before = known?.project === project ? known.analysis : undefined
    const analysis = analyze(parsed, project.workspace, { before, sources })
    analysed.set(uri, { project, analysis })
    return analysis
  }
  const inProject = async (uri: string, document: Document, project: Project): Promise<Document> => {
    const listed = (await host.listFiles?.(folderOf(project.config?.uri ?? uri))) ?? []
    const others = [...new Set([...texts.files(), ...listed])].filter(
      (other) => plainAddress(other) !== plainAddress(uri),
    )
    const analyses = await Promise.all(
      others.map(async (other) => {
        const parsed = await read(other)
        return parsed === undefined ? [] : [await analysisOf(other, parsed, project)]
      }),
    )
    const paths = others.filter((other) => isBeside(other, uri)).map((other) => importPath(other, uri))
    return { ...document, others: analyses.flat(), known: { ...document.known, files: paths.toSorted() } }
  }

  return {
    ...texts,
    close: (uri) => {
      texts.close(uri)
      analysed.delete(uri)
    },
    forgetFiles: () => {
      files.clear()
      abis.clear()
    },
    scrubberFor: async (uri) => (await projects.of(texts.at(uri)?.file ?? uri)).scrub,
    get: async (uri) => {
      for (;;) {
        const open = texts.at(uri)
        if (open === undefined) return undefined
        const { above, file, locate, part, text } = open
        const project = await projects.of(file)
        const analysis = await analysisOf(file, text.parsed, project)
        // A key may have been pressed while files were read.
        if (texts.at(uri)?.text !== text) continue
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

/** Files of one file system can import each other. */
const isBeside = (uri: string, other: string): boolean =>
  uri.includes("/") && other.includes("/") && uri.slice(0, uri.indexOf("/")) === other.slice(0, other.indexOf("/"))
