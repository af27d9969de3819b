/** What each notebook means as one file, computed once for each of its states, those of its project and of its imports. */
import { type Analysis, analyze, type Sources } from "@dotrpc/analysis"
import { parse, type ParseResult } from "@dotrpc/lang"
import type * as vscode from "vscode"

import type { ImportedFiles } from "../language/ImportedFiles.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Assembled } from "@dotrpc/lang-service"
import { assembleNotebook } from "./Serializer.ts"

export interface NotebookAnalysis {
  readonly analysis: Analysis
  readonly assembled: Assembled
}

export class NotebookAnalyses {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #cache = new WeakMap<vscode.NotebookDocument, Known>()

  constructor(projects: Projects, files: ImportedFiles) {
    this.#projects = projects
    this.#files = files
  }

  /** Answers at once, from what is known of the project and of imported files. */
  of(notebook: vscode.NotebookDocument): NotebookAnalysis {
    const before = this.#cache.get(notebook)
    const text = this.#textOf(notebook, before)
    const sources = this.#files.currentOf(notebook, text.parsed)
    return this.#analyze(notebook, text, sources, before)
  }

  /** Answers once the project and every imported file are read. */
  async loaded(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    await this.#projects.loaded(notebook.uri)
    const text = this.#textOf(notebook, this.#cache.get(notebook))
    const sources = await this.#files.loaded(notebook.uri, text.parsed)
    return this.#analyze(notebook, text, sources, this.#cache.get(notebook))
  }

  #textOf(notebook: vscode.NotebookDocument, before: Known | undefined): ParsedText {
    const assembled = assembleNotebook(notebook)
    return before?.assembled.text === assembled.text
      ? { assembled, parsed: before.parsed }
      : { assembled, parsed: parse(assembled.text) }
  }

  #analyze(
    notebook: vscode.NotebookDocument,
    { assembled, parsed }: ParsedText,
    sources: Sources,
    before: Known | undefined,
  ): NotebookAnalysis {
    const project = this.#projects.current(notebook.uri)
    const isSame = before?.parsed === parsed && before.project === project && before.sources === sources
    const analysis = isSame
      ? before.analysis
      : analyze(parsed, project.workspace, { before: before?.analysis, sources })
    const known = { analysis, assembled, parsed, project, sources }
    this.#cache.set(notebook, known)
    return known
  }
}

interface ParsedText {
  readonly assembled: Assembled
  readonly parsed: ParseResult
}

interface Known extends NotebookAnalysis, ParsedText {
  readonly project: Project
  readonly sources: Sources
}
