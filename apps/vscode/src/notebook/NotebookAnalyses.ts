/**
 * What each notebook means as one file, computed once for each of its states, those of its project and of its imports, in
 * slices between which the editor can do something else.
 */
import { type Analysis, analyzing, type Sources } from "@dotrpc/analysis"
import { parse, type ParseResult } from "@dotrpc/lang"
import type { Assembled } from "@dotrpc/lang-service"
import type * as vscode from "vscode"

import type { ImportedFiles } from "../language/ImportedFiles.ts"
import { SlicedWork } from "../language/SlicedWork.ts"
import { isTooLong, tooLongAdvice } from "../language/textLimit.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { assembleNotebook } from "./Serializer.ts"

export interface NotebookAnalysis {
  readonly analysis: Analysis
  readonly assembled: Assembled
}

interface ParsedText {
  readonly assembled: Assembled
  readonly parsed: ParseResult
}

interface State extends ParsedText {
  readonly project: Project
  readonly sources: Sources
}

export class NotebookAnalyses {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #texts = new WeakMap<vscode.NotebookDocument, CellVersions & { readonly text: ParsedText | "too long" }>()
  readonly #work = new SlicedWork<vscode.NotebookDocument, State, NotebookAnalysis>({
    isSame: (left, right) =>
      left.parsed === right.parsed && left.project === right.project && left.sources === right.sources,
    work: function* ({ assembled, parsed, project, sources }, before) {
      const analysis = yield* analyzing(parsed, project.workspace, { before: before?.outcome.analysis, sources })
      return { analysis, assembled }
    },
  })

  constructor(projects: Projects, files: ImportedFiles) {
    this.#projects = projects
    this.#files = files
  }

  /** Answers at once, from what is known of the project and of imported files; `undefined` while it is being analysed. */
  current(notebook: vscode.NotebookDocument): NotebookAnalysis | "too long" | undefined {
    const text = this.#textOf(notebook)
    if (text === "too long") return text
    const known = this.#work.current(notebook, this.#stateOf(notebook))
    return known?.state.parsed === text.parsed ? known.outcome : undefined
  }

  /** As soon as it is analysed. Rejects with words for the user when its text is too long. */
  async latest(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    return this.#work.latest(notebook, () => this.#stateOf(notebook))
  }

  /** Answers once the project and every imported file are read. */
  async loaded(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    await this.#projects.loaded(notebook.uri)
    const text = this.#textOf(notebook)
    if (text !== "too long") await this.#files.loadFor(notebook, text.parsed)
    return this.latest(notebook)
  }

  #stateOf(notebook: vscode.NotebookDocument): State {
    const text = this.#textOf(notebook)
    if (text === "too long") throw new Error(tooLongAdvice)
    const sources = this.#files.currentOf(notebook, text.parsed)
    return { ...text, project: this.#projects.current(notebook.uri), sources }
  }

  #textOf(notebook: vscode.NotebookDocument): ParsedText | "too long" {
    const before = this.#texts.get(notebook)
    const versions = versionsOf(notebook)
    if (before !== undefined && isSameCells(before, versions)) return before.text
    const text = parsedOf(assembleNotebook(notebook), before?.text)
    this.#texts.set(notebook, { ...versions, text })
    return text
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

const parsedOf = (assembled: Assembled, before: ParsedText | "too long" | undefined): ParsedText | "too long" => {
  if (isTooLong(assembled.text)) return "too long"
  if (before === undefined || before === "too long" || before.assembled.text !== assembled.text)
    return { assembled, parsed: parse(assembled.text) }
  return { assembled, parsed: before.parsed }
}
