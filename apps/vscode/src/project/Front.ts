/** The file that is open in front, as text or as a notebook, and its analysis at the cursor. */
import type { Analysis } from "@dotrpc/analysis"
import * as vscode from "vscode"

import type { Analyses } from "./Analyses.ts"
import { isRpc } from "./ranges.ts"
import type { NotebookAnalyses } from "./NotebookAnalyses.ts"
import { notebookType } from "./notebookType.ts"

/** A place in a file that was analysed. */
export interface AnalysedPlace {
  readonly analysis: Pick<Analysis, "tree" | "workspace">
  /** In UTF-16, from the beginning of the file. */
  readonly offset: number
}

/** The file in front, as text or notebook; `undefined` if it is not a file of requests. */
export const frontFile = (): vscode.Uri | undefined => {
  const { activeNotebookEditor, activeTextEditor } = vscode.window
  if (activeTextEditor !== undefined && isRpc(activeTextEditor.document)) return activeTextEditor.document.uri
  return activeNotebookEditor?.notebook.notebookType === notebookType ? activeNotebookEditor.notebook.uri : undefined
}

export class Front {
  readonly #analyses: Analyses
  readonly #notebooks: NotebookAnalyses

  constructor(analyses: Analyses, notebooks: NotebookAnalyses) {
    this.#analyses = analyses
    this.#notebooks = notebooks
  }

  /** The place of the cursor, or of the chosen cell; a promise while the file is analysed, `undefined` if it is refused. */
  place(): AnalysedPlace | Promise<AnalysedPlace | undefined> | undefined {
    const { activeNotebookEditor, activeTextEditor } = vscode.window
    if (activeTextEditor !== undefined && isRpc(activeTextEditor.document)) {
      const { document, selection } = activeTextEditor
      const placeIn = ({ analysis }: { readonly analysis: Analysis }): AnalysedPlace => ({
        analysis,
        offset: document.offsetAt(selection.active),
      })
      if (this.#analyses.refused(document) !== undefined) return undefined
      const known = this.#analyses.current(document)
      return known === undefined ? this.#analyses.loaded(document).then(placeIn, () => undefined) : placeIn(known)
    }
    if (activeNotebookEditor?.notebook.notebookType !== notebookType) return undefined
    const { notebook, selection } = activeNotebookEditor
    if (this.#notebooks.refused(notebook) !== undefined) return undefined
    const placeIn = ({ analysis, assembled }: Awaited<ReturnType<NotebookAnalyses["loaded"]>>): AnalysedPlace => ({
      analysis,
      offset: assembled.spans[selection.start]?.start ?? 0,
    })
    const known = this.#notebooks.current(notebook)
    return known === undefined ? this.#notebooks.loaded(notebook).then(placeIn, () => undefined) : placeIn(known)
  }
}
