/**
 * The open notebooks. The cells of one make one text, which is read on from edit to edit as that of a document is.
 *
 * Invariant: the text is the file that the notebook would be saved as, so that names, imports and settings mean in a cell
 * what they mean when the file is run.
 */
import { assemble, cellSourceIn, type TextPart, textPart } from "@dotrpc/lang-service"
import { lineIndex, offsetAt, positionAt } from "@dotrpc/lang/locate"
import {
  type DidChangeNotebookDocumentParams,
  type DidOpenNotebookDocumentParams,
  type NotebookCell,
  NotebookCellKind,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver"
import type { Cell, EditorText, OpenFile, Session } from "@dotrpc/session"

export interface OpenNotebook {
  readonly uri: string
  readonly text: EditorText
  /** The cells that hold code, in their order. */
  readonly cells: ReadonlyArray<OpenCell>
  /** The same by their URIs. */
  readonly cellOf: ReadonlyMap<string, OpenCell>
}

export interface OpenCell {
  readonly uri: string
  /** Where it stands in the text. */
  readonly part: TextPart
  /** What stands between the cell before and this one: a title, or the mark of a section. */
  readonly above: TextPart
}

export interface Notebooks {
  readonly open: (params: DidOpenNotebookDocumentParams) => void
  readonly change: (params: DidChangeNotebookDocumentParams) => void
  readonly close: (uri: string) => void
  /** The same as long as nothing in the notebook has changed. */
  readonly at: (uri: string) => OpenNotebook | undefined
  /** The notebook of a cell. */
  readonly of: (cell: string) => OpenNotebook | undefined
  readonly all: () => ReadonlyArray<OpenNotebook>
}

/** The notebooks of a session, which one that is fed is notified of from somebody else. */
export const makeNotebooks = (session: Session, isFed: boolean): Notebooks => {
  const notebooks = new Map<string, State>()
  const all = () => session.open().filter(({ view }) => view === "notebook")
  const at = (uri: string): OpenNotebook | undefined => {
    const found = all().find((notebook) => notebook.uri === uri)
    return found === undefined ? undefined : inParts(found)
  }
  const tell = (uri: string): void => {
    const state = notebooks.get(uri)
    // A fed session may not have the report yet, and knows better once it has.
    if (state === undefined || (isFed && session.textAt(uri, "notebook") !== undefined)) return
    const { cells, text } = join(state)
    session.changeNotebook(uri, text, cells)
  }
  return {
    open: ({ cellTextDocuments, notebookDocument }) => {
      const texts = new Map(cellTextDocuments.map(({ text, uri }) => [uri, text]))
      const { cells, uri } = notebookDocument
      notebooks.set(uri, { cells: [...cells], texts })
      tell(uri)
    },
    change: ({ change, notebookDocument }) => {
      const state = notebooks.get(notebookDocument.uri)
      if (state === undefined || change.cells === undefined) return
      const { data = [], structure, textContent = [] } = change.cells
      if (structure !== undefined) {
        const { cells = [], deleteCount, start } = structure.array
        state.cells.splice(start, deleteCount, ...cells)
        for (const { text, uri } of structure.didOpen ?? []) state.texts.set(uri, text)
        for (const { uri } of structure.didClose ?? []) state.texts.delete(uri)
      }
      for (const cell of data) {
        const index = state.cells.findIndex(({ document }) => document === cell.document)
        if (index >= 0) state.cells[index] = cell
      }
      for (const { changes, document } of textContent) {
        state.texts.set(document.uri, changes.reduce(changed, state.texts.get(document.uri) ?? ""))
      }
      tell(notebookDocument.uri)
    },
    close: (uri) => {
      notebooks.delete(uri)
      session.close(uri, "notebook")
    },
    at,
    of: (cell) => {
      const found = all().find(({ cells }) => urisOf(cells).has(cell))
      return found === undefined ? undefined : inParts(found)
    },
    all: () => all().map(inParts),
  }
}

/** A notebook as the client tells of it. */
interface State {
  readonly cells: Array<NotebookCell>
  readonly texts: Map<string, string>
}

const join = ({ cells, texts }: State): { readonly text: string; readonly cells: ReadonlyArray<Cell> } => {
  const { spans, text } = assemble(
    cells.map(({ document, kind, metadata }) => {
      const source = cellSourceIn(metadata)
      const isTitle = kind === NotebookCellKind.Markup
      const cell = { kind: isTitle ? ("title" as const) : ("code" as const), value: texts.get(document) ?? "" }
      return source === undefined ? cell : { ...cell, source }
    }),
  )
  const placed = cells.flatMap(({ document, kind }, index): ReadonlyArray<Cell> => {
    const span = spans[index]
    return span === undefined ? [] : [{ ...span, uri: document, isCode: kind !== NotebookCellKind.Markup }]
  })
  return { text, cells: placed }
}

const known = new WeakMap<OpenFile["cells"], OpenNotebook>()

/** Asked for each cell of a notebook, which may have thousands. */
const urisOf = (cells: OpenFile["cells"]): ReadonlySet<string> => {
  const found = uris.get(cells) ?? new Set(cells.map(({ uri }) => uri))
  uris.set(cells, found)
  return found
}

const uris = new WeakMap<OpenFile["cells"], ReadonlySet<string>>()

/** The same as long as nothing in the notebook has changed. */
const inParts = ({ cells, text, uri }: OpenFile): OpenNotebook => {
  const before = known.get(cells)
  if (before?.text === text) return before
  const { lines } = text
  let free = 0
  const code = cells.flatMap((cell): ReadonlyArray<OpenCell> => {
    if (!cell.isCode) return []
    const above = textPart(lines, { start: free, end: cell.start })
    // Cells end their lines, so nothing that a cell touches is above the next one.
    free = lines.starts[positionAt(lines, cell.end).line + 1] ?? cell.end
    return [{ uri: cell.uri, part: textPart(lines, cell), above }]
  })
  const notebook = { uri, text, cells: code, cellOf: new Map(code.map((cell) => [cell.uri, cell])) }
  known.set(cells, notebook)
  return notebook
}

const changed = (text: string, change: TextDocumentContentChangeEvent): string => {
  if (!("range" in change)) return change.text
  const lines = lineIndex(text)
  const start = offsetAt(lines, change.range.start)
  return text.slice(0, start) + change.text + text.slice(Math.max(start, offsetAt(lines, change.range.end)))
}
