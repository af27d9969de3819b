/**
 * The texts of documents and notebooks, read once for each of their versions: of an edit only what differs is read again.
 *
 * Invariant: reading one never keeps the extension host busy for long. A text that would is refused: it is edited and saved
 * as any other, and nothing else is said of it than why.
 */
import { type EditorText, editorText, refusedWords, replaceText } from "@dotrpc/session"

/** A document, or anything else whose text has versions. */
export interface Versioned {
  readonly version: number
  readonly getText: () => string
}

export class EditorTexts {
  readonly #known = new WeakMap<Versioned, { readonly version: number; readonly text: EditorText }>()

  of(document: Versioned): EditorText {
    const { version } = document
    const known = this.#known.get(document)
    if (known?.version === version) return known.text
    const text = known === undefined ? editorText(document.getText()) : replaceText(known.text, document.getText())
    this.#known.set(document, { version, text })
    return text
  }
}

/** Reads a text that a command needs to understand. Throws words for the user when it is refused. */
export const acceptedText = (text: string): EditorText => accepted(editorText(text))

/** Throws words for the user when the text is refused. */
export const accepted = (text: EditorText): EditorText => {
  if (text.refused !== undefined) throw new Error(refusedWords(text.refused))
  return text
}
