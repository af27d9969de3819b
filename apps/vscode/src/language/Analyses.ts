/** What each document means, computed once for each of its versions and for each state of its project and its imports. */
import { type Analysis, analyze, type Sources } from "@dotrpc/analysis"
import { type LineIndex, lineIndex } from "@dotrpc/lang/locate"
import type * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { ImportedFiles } from "./ImportedFiles.ts"

export interface DocumentAnalysis {
  readonly analysis: Analysis
  readonly lines: LineIndex
  readonly project: Project
}

export class Analyses {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #cache = new WeakMap<
    vscode.TextDocument,
    DocumentAnalysis & { readonly version: number; readonly sources: Sources }
  >()

  constructor(projects: Projects, files: ImportedFiles) {
    this.#projects = projects
    this.#files = files
  }

  /** Answers at once, from what is known of the project and of imported files. */
  of(document: vscode.TextDocument): DocumentAnalysis {
    const project = this.#projects.current(document.uri)
    const sources = this.#files.current(document)
    const cached = this.#cache.get(document)
    if (cached?.version === document.version && cached.project === project && cached.sources === sources) return cached
    const before = cached?.project === project ? cached.analysis : undefined
    const analysis = analyze(this.#files.parsed(document), project.workspace, { before, sources })
    const fresh = { analysis, lines: lineIndex(document.getText()), project, sources, version: document.version }
    this.#cache.set(document, fresh)
    return fresh
  }
}
