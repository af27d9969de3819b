/**
 * The texts of documents and notebooks, read once for each of their versions: of an edit only what differs is read again.
 *
 * Invariant: reading one never keeps the extension host busy for long. A text that would is refused: it is edited and saved
 * as any other, and nothing else is said of it than why.
 */
import { type EditorText, editorText, replaceText } from "@dotrpc/language-server"

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
  if (text.refused !== undefined) throw new Error(refusedAdvice(text.refused))
  return text
}

/** On the first line of the file. */
export const refusedTitle = (reason: string): string => `${reason}: no prices are shown here`

/** For a command that needs to know what is in the file. */
export const refusedAdvice = (reason: string): string =>
  `${reason}, which is more than the editor analyses: divide it, or use "dotrpc run" in a terminal.`
