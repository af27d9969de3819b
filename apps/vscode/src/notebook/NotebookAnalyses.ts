/**
 * What each notebook means as one file, computed once for each of its states, those of its project and of its imports, in
 * slices between which the editor can do something else.
 */
import { type Analysis, analyzing, type Sources } from "@dotrpc/analysis"
import type { Assembled } from "@dotrpc/lang-service"
import { type EditorText, editorText, parsingSections, replaceText } from "@dotrpc/session"
import type * as vscode from "vscode"

import { accepted } from "../language/EditorTexts.ts"
import type { ImportedFiles } from "../language/ImportedFiles.ts"
import { SlicedWork } from "../language/SlicedWork.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { assembleNotebook } from "./Serializer.ts"

export interface NotebookAnalysis {
  readonly analysis: Analysis
  readonly assembled: Assembled
}

interface NotebookText {
  readonly assembled: Assembled
  readonly text: EditorText
}

interface State extends NotebookText {
  readonly project: Project
  readonly sources: Sources
}

export class NotebookAnalyses {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #texts = new WeakMap<vscode.NotebookDocument, CellVersions & NotebookText>()
  readonly #work = new SlicedWork<vscode.NotebookDocument, State, NotebookAnalysis>({
    isSame: (left, right) =>
      left.text === right.text && left.project === right.project && left.sources === right.sources,
    work: function* ({ assembled, project, sources, text: { parsed } }, before) {
      yield* parsingSections(parsed)
      const analysis = yield* analyzing(parsed, project.workspace, { before: before?.outcome.analysis, sources })
      return { analysis, assembled }
    },
  })

  constructor(projects: Projects, files: ImportedFiles) {
    this.#projects = projects
    this.#files = files
  }

  /** Why the notebook is not analysed: the first half of a sentence for the user. */
  refused(notebook: vscode.NotebookDocument): string | undefined {
    return this.#textOf(notebook).text.refused
  }

  /** Answers at once, from what is known of the project and of imported files; `undefined` while it is being analysed. */
  current(notebook: vscode.NotebookDocument): NotebookAnalysis | undefined {
    if (this.refused(notebook) !== undefined) return undefined
    return this.#work.current(notebook, this.#stateOf(notebook))
  }

  /** As soon as it is analysed. Rejects with words for the user when its text is refused. */
  async latest(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    return this.#work.latest(notebook, () => this.#stateOf(notebook))
  }

  /** Answers once the project and every imported file are read. */
  async loaded(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    await this.#projects.loaded(notebook.uri)
    const { text } = this.#textOf(notebook)
    await this.#files.loadFor(notebook, text.parsed)
    return this.latest(notebook)
  }

  #stateOf(notebook: vscode.NotebookDocument): State {
    const { assembled, text } = this.#textOf(notebook)
    const sources = this.#files.currentOf(notebook, accepted(text).parsed)
    return { assembled, text, project: this.#projects.current(notebook.uri), sources }
  }

  #textOf(notebook: vscode.NotebookDocument): NotebookText {
    const before = this.#texts.get(notebook)
    const versions = versionsOf(notebook)
    if (before !== undefined && isSameCells(before, versions)) return before
    const assembled = assembleNotebook(notebook)
    const text = before === undefined ? editorText(assembled.text) : replaceText(before.text, assembled.text)
    const read = { ...versions, assembled, text }
    this.#texts.set(notebook, read)
    return read
  }
}

/** Putting the cells together takes long enough not to be done for each of them. */
interface CellVersions {
  readonly cells: ReadonlyArray<vscode.NotebookCell>
  readonly versions: ReadonlyArray<number>
}

const versionsOf = (notebook: vscode.NotebookDocument): CellVersions => {
  const cells = notebook.getCells()
  return { cells, versions: cells.map(({ document }) => document.version) }
}

const isSameCells = (left: CellVersions, right: CellVersions): boolean =>
  left.cells.length === right.cells.length &&
  left.cells.every((cell, index) => cell === right.cells[index] && left.versions[index] === right.versions[index])
