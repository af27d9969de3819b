/** The open documents as the client has them: cells of notebooks among them, each with what its whole text means. */
import { type Analysis, comparedSheets, importPath, type NamedResults } from "@dotrpc/analysis"
import type { AnalysedText } from "@dotrpc/lang-service"
import { type FileHost, folderOf, plainUri, type Project, type Session } from "@dotrpc/session"
import { pausing } from "@dotrpc/spec"
import { makeOpenTexts, type OpenText, type OpenTexts } from "./openTexts.ts"

/** A document, or a cell of a notebook: then what is analysed is the text of all its cells. */
export interface OpenDocument extends Pick<OpenText, "part" | "above" | "locate"> {
  readonly uri: string
  readonly document: AnalysedText
  readonly project: Project
  /** Whether the client still has the text that this is made of. */
  readonly isCurrent: () => boolean
  /**
   * The document with the other files of its project: reads all of them, so it is for questions that need them. `undefined`
   * when it became stale before it had read them.
   */
  readonly inProject: (isStale: () => boolean) => Promise<AnalysedText | undefined>
}

export interface Documents extends Pick<OpenTexts, "open" | "change" | "close" | "notebooks" | "uris" | "importing"> {
  /** The document as it is now; `undefined` when the client has not opened it, or when it is refused. */
  readonly get: (uri: string) => Promise<OpenDocument | undefined>
  /** Why a document that is open is not analysed, in words for the user. */
  readonly refused: (uri: string) => string | undefined
  /** Removes the secrets of a document's project from a text. */
  readonly scrubberFor: (uri: string) => Promise<(text: string) => string>
}

/** Outcomes of the last runs of a document's requests; `undefined` where nothing is run. */
export type ResultsOf = (uri: string) => NamedResults | undefined

/** The ids of the price sheets that hovers over a document compare. */
export type ComparedOf = (uri: string) => ReadonlyArray<string>

/** What requests of a document are likely to cost. */
export type LikelyOf = (analysis: Analysis) => NonNullable<AnalysedText["likelyOf"]>

interface Beside {
  readonly resultsOf: ResultsOf
  readonly comparedOf: ComparedOf
  readonly likelyOf: LikelyOf | undefined
}

export const makeDocuments = (
  session: Session,
  isFed: boolean,
  { listFiles, listFolder }: Pick<FileHost, "listFiles" | "listFolder">,
  { comparedOf, likelyOf, resultsOf }: Beside,
): Documents => {
  const texts = makeOpenTexts(session, isFed)

  const inProject = async (
    uri: string,
    document: AnalysedText,
    project: Project,
    isStale: () => boolean,
  ): Promise<AnalysedText | undefined> => {
    const listed = (await listFiles?.(folderOf(project.configFile?.uri ?? uri))) ?? []
    const others = [...new Set([...texts.files(), ...listed])].filter((other) => plainUri(other) !== plainUri(uri))
    const analyses: Array<Analysis> = []
    const pause = pausing()
    for (const other of others) {
      if (isStale()) return undefined
      const analysis = await session.analysisOf(other, project)
      if (analysis !== undefined) analyses.push(analysis)
      await pause()
    }
    const paths = others.filter((other) => isBeside(other, uri)).map((other) => importPath(other, uri))
    const folderUri = uri.includes("/") && URL.canParse(".", uri) ? new URL(".", uri).href : undefined
    const beside = folderUri === undefined ? undefined : await listFolder?.(folderUri)
    const rowFiles = (beside ?? []).filter(isRowsFile).slice(0, mostRowFiles)
    return { ...document, others: analyses, known: { ...document.known, files: paths.toSorted(), rowFiles } }
  }

  return {
    ...texts,
    refused: (uri) => texts.at(uri)?.text.refused,
    scrubberFor: async (uri) => (await session.project(texts.at(uri)?.file ?? uri)).scrub,
    get: async (uri) => {
      for (;;) {
        const open = texts.at(uri)
        if (open === undefined || open.text.refused !== undefined) return undefined
        const { file, view } = open
        const found = await session.loaded(file, view)
        const now = texts.at(uri)
        // A key may have been pressed in the meantime.
        if (found === undefined || now === undefined || now.text !== found.text) continue
        const { above, locate, part } = now
        const { analysis, project, text } = found
        const results = resultsOf(file)
        const document: AnalysedText = {
          analysis,
          lines: text.lines,
          known: project.known,
          results,
          compared: comparedSheets(comparedOf(file)).sheets,
          likelyOf: likelyOf?.(analysis),
        }
        const isCurrent = () => texts.at(uri)?.text === found.text
        const whole = (isStale: () => boolean) => inProject(file, document, project, isStale)
        return { uri, part, above, locate, project, document, isCurrent, inProject: whole }
      }
    },
  }
}

/** Files of one file system can import each other. */
const isBeside = (uri: string, other: string): boolean =>
  uri.includes("/") && other.includes("/") && uri.slice(0, uri.indexOf("/")) === other.slice(0, other.indexOf("/"))

/** What `# @each` reads. A folder may have JSON files for anything else. */
const isRowsFile = (name: string): boolean => /\.(?:csv|tsv|ndjson|jsonl)$/i.test(name)

/** Nobody looks through more. */
const mostRowFiles = 200
