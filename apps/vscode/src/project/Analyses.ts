/**
 * What each document means: the session's analysis of it, which the language server uses as well, so that lenses,
 * results and problems never disagree.
 */
import type { Analysis } from "@dotrpc/analysis"
import type { LineIndex } from "@dotrpc/lang/locate"
import type { AnalysedText, Session } from "@dotrpc/session"

import type { Project } from "./Project.ts"
import { accepted, type EditorTexts, type Versioned } from "./EditorTexts.ts"

/** What is asked of a document. */
export type AnalysedDocument = Versioned

export interface DocumentAnalysis {
  readonly analysis: Analysis
  readonly lines: LineIndex
  readonly project: Project
  /** Of the document. */
  readonly version: number
}

export class Analyses {
  readonly #session: Pick<Session, "current" | "loaded">
  readonly #texts: EditorTexts

  constructor(session: Pick<Session, "current" | "loaded">, texts: EditorTexts) {
    this.#session = session
    this.#texts = texts
  }

  /**
   * Answers at once, from what is known of the project and of imported files; `undefined` while the document is being
   * analysed, and for a text that is refused.
   */
  current(document: AnalysedDocument): DocumentAnalysis | undefined {
    if (this.refused(document) !== undefined) return undefined
    const found = this.#session.current(document.uri.toString())
    return found === undefined ? undefined : ofVersion(document, found)
  }

  /** Why the document is not analysed: the first half of a sentence for the user. */
  refused(document: AnalysedDocument): string | undefined {
    return this.#texts.of(document).refused
  }

  /**
   * The analysis of the document as it is by then, with its project and its imports read. Rejects with words for the user
   * when its text is refused.
   */
  async loaded(document: AnalysedDocument): Promise<DocumentAnalysis> {
    for (;;) {
      accepted(this.#texts.of(document))
      if (document.isClosed === true) throw new Error("The file was closed: open it again.")
      const found = await this.#session.loaded(document.uri.toString())
      if (found !== undefined && found.text === this.#texts.of(document)) return ofVersion(document, found)
    }
  }
}

const ofVersion = ({ version }: AnalysedDocument, { analysis, project, text }: AnalysedText): DocumentAnalysis => ({
  analysis,
  lines: text.lines,
  project,
  version,
})
