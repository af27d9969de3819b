/**
 * What each document means, computed once for each of its versions and for each state of its project and its imports, in
 * slices between which the editor can do something else.
 */
import { type Analysis, analyzing, type Sources } from "@dotrpc/analysis"
import { type LineIndex, lineIndex } from "@dotrpc/lang/locate"
import type * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { ImportedFiles } from "./ImportedFiles.ts"
import { SlicedWork } from "./SlicedWork.ts"
import { isTooLong, tooLongAdvice } from "./textLimit.ts"

export interface DocumentAnalysis {
  readonly analysis: Analysis
  readonly lines: LineIndex
  readonly project: Project
  /** Of the document. */
  readonly version: number
}

interface State {
  readonly document: vscode.TextDocument
  readonly version: number
  readonly project: Project
  readonly sources: Sources
}

export class Analyses {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #work: SlicedWork<vscode.TextDocument, State, DocumentAnalysis>

  constructor(projects: Projects, files: ImportedFiles) {
    this.#projects = projects
    this.#files = files
    this.#work = new SlicedWork({
      isSame: (left, right) =>
        left.version === right.version && left.project === right.project && left.sources === right.sources,
      work: function* ({ document, project, sources, version }, before) {
        const earlier = before?.state.project === project ? before.outcome.analysis : undefined
        const lines = lineIndex(document.getText())
        const analysis = yield* analyzing(files.parsed(document), project.workspace, { before: earlier, sources })
        return { analysis, lines, project, version }
      },
    })
  }

  /**
   * Answers at once, from what is known of the project and of imported files: the last analysis, of an earlier version
   * while a new one is under way. `undefined` before there is one, and for a text that is too long.
   */
  current(document: vscode.TextDocument): DocumentAnalysis | undefined {
    if (isTooLong(document.getText())) return undefined
    return this.#work.current(document, this.#stateOf(document))?.outcome
  }

  /** The analysis of the document as it is by then. Rejects with words for the user when its text is too long. */
  async loaded(document: vscode.TextDocument): Promise<DocumentAnalysis> {
    return this.#work.latest(document, () => this.#stateOf(document))
  }

  #stateOf(document: vscode.TextDocument): State {
    if (isTooLong(document.getText())) throw new Error(tooLongAdvice)
    const { version } = document
    return { document, version, project: this.#projects.current(document.uri), sources: this.#files.current(document) }
  }
}
