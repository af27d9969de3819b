/** What each document means, computed once for each of its versions and for each state of its project. */
import { type Analysis, analyze } from "@dotrpc/analysis"
import { type LineIndex, lineIndex, parse } from "@dotrpc/lang"
import type * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"

export interface DocumentAnalysis {
  readonly analysis: Analysis
  readonly lines: LineIndex
  readonly project: Project
}

export class Analyses {
  readonly #projects: Projects
  readonly #cache = new WeakMap<vscode.TextDocument, DocumentAnalysis & { readonly version: number }>()

  constructor(projects: Projects) {
    this.#projects = projects
  }

  /** Answers at once, from what is known of the project. */
  of(document: vscode.TextDocument): DocumentAnalysis {
    const project = this.#projects.current(document.uri)
    const cached = this.#cache.get(document)
    if (cached?.version === document.version && cached.project === project) return cached
    const text = document.getText()
    const before = cached?.project === project ? cached.analysis : undefined
    const analysis = analyze(parse(text), project.workspace, { before })
    const fresh = { analysis, lines: lineIndex(text), project, version: document.version }
    this.#cache.set(document, fresh)
    return fresh
  }
}
