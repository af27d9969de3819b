/** What each notebook means as one file: the session's analysis of it, which the language server answers from as well. */
import type { Analysis } from "@dotrpc/analysis"
import type { Assembled } from "@dotrpc/lang-service"
import type { Session } from "@dotrpc/session"
import type * as vscode from "vscode"

import { accepted } from "./EditorTexts.ts"
import type { NotebookTexts } from "./NotebookTexts.ts"

export interface NotebookAnalysis {
  readonly analysis: Analysis
  readonly assembled: Assembled
}

export class NotebookAnalyses {
  readonly #session: Session
  readonly #texts: NotebookTexts

  constructor(session: Session, texts: NotebookTexts) {
    this.#session = session
    this.#texts = texts
  }

  /** Why the notebook is not analysed: the first half of a sentence for the user. */
  refused(notebook: vscode.NotebookDocument): string | undefined {
    return this.#texts.of(notebook).text.refused
  }

  /** Answers at once, from what is known of the project and of imported files; `undefined` while it is being analysed. */
  current(notebook: vscode.NotebookDocument): NotebookAnalysis | undefined {
    const { assembled, text } = this.#texts.of(notebook)
    if (text.refused !== undefined) return undefined
    const found = this.#session.current(notebook.uri.toString(), "notebook")
    return found === undefined ? undefined : { analysis: found.analysis, assembled }
  }

  /**
   * Answers once the project and every imported file are read, about the notebook as it is by then. Rejects with words for
   * the user when its text is refused.
   */
  async loaded(notebook: vscode.NotebookDocument): Promise<NotebookAnalysis> {
    for (;;) {
      accepted(this.#texts.of(notebook).text)
      if (notebook.isClosed) throw new Error("The notebook was closed: open it again.")
      const found = await this.#session.loaded(notebook.uri.toString(), "notebook")
      const { assembled, text } = this.#texts.of(notebook)
      if (found !== undefined && found.text === text) return { analysis: found.analysis, assembled }
    }
  }
}
