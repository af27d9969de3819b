/**
 * What the client has open: documents, and notebooks, whose cells are parts of one text.
 *
 * Invariant: a file that is open as a document and as a notebook counts as the document has it.
 */
import { leadsToFiles } from "@dotrpc/analysis"
import { type TextPart, textPart, type TextRange } from "@dotrpc/lang-service"
import type { TextDocumentContentChangeEvent } from "vscode-languageserver"
import { type EditorText, plainUri, type Session, type View } from "@dotrpc/session"
import { makeNotebooks, type Notebooks, type OpenNotebook } from "./notebooks.ts"

/** A text to analyse, and the part of it that one document of the client is. */
export interface OpenText {
  /** The URI that imports are relative to. */
  readonly file: string
  readonly view: View
  readonly text: EditorText
  /** All of the text, or one cell. */
  readonly part: TextPart
  /** What stands between the cell before and this one. */
  readonly above: TextPart
  /** Where the client has a range; `undefined` when it is in no cell. */
  readonly locate: (found: FileRange) => PlacedRange | undefined
}

/** A range of the text, or of another file when there is a URI. */
export interface FileRange {
  readonly uri?: string | undefined
  readonly range: TextRange
}

/** A range of a document that the client has. */
export interface PlacedRange {
  readonly uri: string
  readonly range: TextRange
}

export interface OpenTexts {
  readonly open: (uri: string, text: string) => void
  readonly change: (uri: string, changes: ReadonlyArray<TextDocumentContentChangeEvent>) => void
  readonly close: (uri: string) => void
  readonly notebooks: Notebooks
  /** By the URI of a document or a cell. */
  readonly at: (uri: string) => OpenText | undefined
  readonly files: () => ReadonlyArray<string>
  /** The documents, and the cells of each notebook. */
  readonly uris: () => ReadonlyArray<ReadonlyArray<string>>
  /** Those that import something or decode by it, and so may say something else when another file changes. */
  readonly importing: () => ReadonlyArray<ReadonlyArray<string>>
}

/** The texts of a session. One that is fed is notified of documents from somebody else, and of notebooks from here. */
export const makeOpenTexts = (session: Session, isFed: boolean): OpenTexts => {
  const notebooks = makeNotebooks(session, isFed)
  const documents = () => session.open().filter(({ view }) => view === "text")

  const notebookAt = (file: string): OpenNotebook | undefined => {
    const plain = plainUri(file)
    return notebooks.all().find(({ uri }) => plainUri(uri) === plain)
  }
  const isDocument = (file: string): boolean => {
    if (session.textAt(file) !== undefined) return true
    const plain = plainUri(file)
    return documents().some(({ uri }) => plainUri(uri) === plain)
  }
  const locate = (uri: string, range: TextRange): PlacedRange | undefined => {
    const notebook = isDocument(uri) ? undefined : notebookAt(uri)
    return notebook === undefined ? { uri, range } : inCells(notebook, range)
  }
  const cellAt = (uri: string): OpenText | undefined => {
    const notebook = notebooks.of(uri)
    const cell = notebook?.cellOf.get(uri)
    if (notebook === undefined || cell === undefined) return undefined
    const { text, uri: file } = notebook
    return {
      ...cell,
      file,
      view: "notebook",
      text,
      locate: (found) => (found.uri === undefined ? inCells(notebook, found.range) : locate(found.uri, found.range)),
    }
  }
  const wholeAt = (uri: string): OpenText | undefined => {
    const text = session.textAt(uri)
    if (text === undefined) return undefined
    return {
      file: uri,
      view: "text",
      text,
      part: textPart(text.lines, { start: 0, end: text.lines.text.length }),
      above: textPart(text.lines, { start: 0, end: 0 }),
      locate: (found) => (found.uri === undefined ? { ...found, uri } : locate(found.uri, found.range)),
    }
  }
  const all = () => [
    ...documents().map(({ text, uri }) => ({ text, uris: [uri] })),
    ...notebooks.all().map(({ cells, text }) => ({ text, uris: cells.map(({ uri }) => uri) })),
  ]
  return {
    open: (uri, text) => {
      // A fed session may not have the report yet, and knows better once it has.
      if (!isFed || session.textAt(uri) === undefined) session.change(uri, text)
    },
    change: (uri, changes) => {
      if (!isFed && session.textAt(uri) !== undefined) session.change(uri, changes)
    },
    close: (uri) => session.close(uri),
    notebooks,
    at: (uri) => cellAt(uri) ?? wholeAt(uri),
    files: () => [...documents().map(({ uri }) => uri), ...notebooks.all().map(({ uri }) => uri)],
    uris: () => all().map(({ uris }) => uris),
    importing: () =>
      all()
        .filter(({ text }) => text.refused === undefined && leadsToFiles(text.parsed.tree))
        .map(({ uris }) => uris),
  }
}

/** A name may have thousands of places in thousands of cells, so the cell is not looked for one after the other. */
const inCells = ({ cells }: OpenNotebook, range: TextRange): PlacedRange | undefined => {
  let low = 0
  let high = cells.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cells[middle]?.part.range.start.line ?? Infinity) <= range.start.line) low = middle + 1
    else high = middle
  }
  const cell = cells[low - 1]
  const found = cell?.part.toPart(range)
  return cell === undefined || found === undefined ? undefined : { uri: cell.uri, range: found }
}
