/**
 * The texts of the documents of the editor in the session, read once for each of their versions: of an edit only what differs
 * is read again.
 *
 * Invariant: reading one never keeps the extension host busy for long. A text that would is refused: it is edited and saved
 * as any other, and only the reason is shown.
 */
import { type EditorText, editorText, refusedWords, type Session } from "@dotrpc/session"
import type * as vscode from "vscode"

/** What is read of a document. */
export interface Versioned extends Pick<vscode.TextDocument, "uri" | "version" | "getText"> {
  readonly isClosed?: boolean | undefined
}

export class EditorTexts {
  readonly #session: Pick<Session, "change" | "close" | "textAt">
  readonly #versions = new WeakMap<Versioned, number>()

  constructor(session: Pick<Session, "change" | "close" | "textAt">) {
    this.#session = session
  }

  /** The text as it is now. The session has it afterwards, unless the document is closed. */
  of(document: Versioned): EditorText {
    if (document.isClosed === true) return editorText(document.getText())
    const uri = document.uri.toString()
    const known = this.#versions.get(document) === document.version ? this.#session.textAt(uri) : undefined
    if (known !== undefined) return known
    this.#versions.set(document, document.version)
    return this.#session.change(uri, document.getText())
  }

  close(document: Versioned): void {
    this.#versions.delete(document)
    this.#session.close(document.uri.toString())
  }
}

/** Reads a text that a command needs to understand. Throws words for the user when it is refused. */
export const acceptedText = (text: string): EditorText => accepted(editorText(text))

/** Throws words for the user when the text is refused. */
export const accepted = (text: EditorText): EditorText => {
  if (text.refused !== undefined) throw new Error(refusedWords(text.refused))
  return text
}
