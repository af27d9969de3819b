/**
 * The open documents. Each is analysed when the first question about its text comes, and not again until the text or its
 * project changes.
 */
import { type Analysis, analyze, type NamedResults } from "@dotrpc/analysis"
import { type LineIndex, lineIndex, parse } from "@dotrpc/lang"
import type { Document } from "@dotrpc/lang-service"
import type { TextDocumentContentChangeEvent } from "vscode-languageserver"
import type { Project, Projects } from "./projects.ts"
import { applyChanges } from "./text.ts"

export interface OpenDocument {
  readonly uri: string
  readonly document: Document
  readonly project: Project
}

export interface Documents {
  readonly open: (uri: string, text: string) => void
  readonly change: (uri: string, changes: ReadonlyArray<TextDocumentContentChangeEvent>) => void
  readonly close: (uri: string) => void
  readonly uris: () => ReadonlyArray<string>
  /** The document as it is now, or `undefined` when the client has not opened it. */
  readonly get: (uri: string) => Promise<OpenDocument | undefined>
  /** Removes the secrets of a document's project from a text. */
  readonly scrubberFor: (uri: string) => Promise<(text: string) => string>
}

/** Outcomes of the last runs of a document's requests; `undefined` where nothing is run. */
export type ResultsOf = (uri: string) => NamedResults | undefined

export const makeDocuments = (projects: Projects, resultsOf: ResultsOf): Documents => {
  const texts = new Map<string, LineIndex>()
  const analysed = new Map<
    string,
    { readonly lines: LineIndex; readonly project: Project; readonly analysis: Analysis }
  >()
  return {
    open: (uri, text) => {
      texts.set(uri, lineIndex(text))
    },
    change: (uri, changes) => {
      const lines = texts.get(uri)
      if (lines !== undefined) texts.set(uri, applyChanges(lines, changes))
    },
    close: (uri) => {
      texts.delete(uri)
      analysed.delete(uri)
    },
    uris: () => [...texts.keys()],
    scrubberFor: async (uri) => (await projects.of(uri)).scrub,
    get: async (uri) => {
      if (!texts.has(uri)) return undefined
      const project = await projects.of(uri)
      const lines = texts.get(uri)
      if (lines === undefined) return undefined
      const known = analysed.get(uri)
      const before = known?.project === project ? known : undefined
      const analysis =
        before?.lines === lines ? before.analysis : analyze(parse(lines.text), project.workspace, before?.analysis)
      analysed.set(uri, { lines, project, analysis })
      const results = resultsOf(uri)
      return {
        uri,
        project,
        document: { analysis, lines, known: project.known, ...(results === undefined ? {} : { results }) },
      }
    },
  }
}
