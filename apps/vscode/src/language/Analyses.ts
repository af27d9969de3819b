/**
 * What each document means, computed once for each of its versions and for each state of its project and its imports, in
 * slices between which the editor can do something else.
 */
import { type Analysis, analyzing, type Sources } from "@dotrpc/analysis"
import type { LineIndex } from "@dotrpc/lang/locate"
import { type EditorText, parsingSections } from "@dotrpc/session"
import type * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { accepted, type EditorTexts } from "./EditorTexts.ts"
import type { ImportedFiles } from "./ImportedFiles.ts"
import { SlicedWork } from "./SlicedWork.ts"

/** What is asked of a document. */
export type AnalysedDocument = Pick<vscode.TextDocument, "uri" | "version" | "getText">

export interface DocumentAnalysis {
  readonly analysis: Analysis
  readonly lines: LineIndex
  readonly project: Project
  /** Of the document. */
  readonly version: number
}

interface State {
  readonly text: EditorText
  readonly version: number
  readonly project: Project
  readonly sources: Sources
}

export class Analyses {
  readonly #projects: Pick<Projects, "current">
  readonly #files: Pick<ImportedFiles, "currentOf">
  readonly #texts: EditorTexts
  readonly #work: SlicedWork<AnalysedDocument, State, DocumentAnalysis>

  constructor(projects: Pick<Projects, "current">, files: Pick<ImportedFiles, "currentOf">, texts: EditorTexts) {
    this.#projects = projects
    this.#files = files
    this.#texts = texts
    this.#work = new SlicedWork({
      isSame: (left, right) =>
        left.version === right.version && left.project === right.project && left.sources === right.sources,
      work: function* ({ project, sources, text: { lines, parsed }, version }, before) {
        const earlier = before?.state.project === project ? before.outcome.analysis : undefined
        yield* parsingSections(parsed)
        const analysis = yield* analyzing(parsed, project.workspace, { before: earlier, sources })
        return { analysis, lines, project, version }
      },
    })
  }

  /**
   * Answers at once, from what is known of the project and of imported files; `undefined` while the document is being
   * analysed, and for a text that is refused.
   */
  current(document: AnalysedDocument): DocumentAnalysis | undefined {
    if (this.refused(document) !== undefined) return undefined
    return this.#work.current(document, this.#stateOf(document))
  }

  /** Why the document is not analysed: the first half of a sentence for the user. */
  refused(document: AnalysedDocument): string | undefined {
    return this.#texts.of(document).refused
  }

  /** The analysis of the document as it is by then. Rejects with words for the user when its text is refused. */
  async loaded(document: AnalysedDocument): Promise<DocumentAnalysis> {
    return this.#work.latest(document, () => this.#stateOf(document))
  }

  #stateOf(document: AnalysedDocument): State {
    const text = accepted(this.#texts.of(document))
    const project = this.#projects.current(document.uri)
    return { text, version: document.version, project, sources: this.#files.currentOf(document, text.parsed) }
  }
}
