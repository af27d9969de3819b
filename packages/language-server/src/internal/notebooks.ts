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
import type { EditorText, Session } from "@dotrpc/session"

export interface OpenNotebook {
  readonly uri: string
  readonly text: EditorText
  /** The cells that hold code, in their order. */
  readonly cells: ReadonlyArray<OpenCell>
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

export const makeNotebooks = (session: Session): Notebooks => {
  const notebooks = new Map<string, State>()
  const at = (uri: string): OpenNotebook | undefined => notebooks.get(uri)?.joined
  const update = (uri: string): void => {
    const state = notebooks.get(uri)
    if (state !== undefined) state.joined = join(session, uri, state)
  }
  return {
    open: ({ cellTextDocuments, notebookDocument }) => {
      const texts = new Map(cellTextDocuments.map(({ text, uri }) => [uri, text]))
      const { cells, uri } = notebookDocument
      notebooks.set(uri, { cells: [...cells], texts, joined: undefined })
      update(uri)
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
      update(notebookDocument.uri)
    },
    close: (uri) => {
      notebooks.delete(uri)
      session.close(uri, "notebook")
    },
    at,
    of: (cell) => {
      const found = [...notebooks].find(([, { cells }]) => cells.some(({ document }) => document === cell))
      return found === undefined ? undefined : at(found[0])
    },
    all: () => [...notebooks.keys()].flatMap((uri) => at(uri) ?? []),
  }
}

/** A notebook as the client tells of it, and what was made of that. */
interface State {
  readonly cells: Array<NotebookCell>
  readonly texts: Map<string, string>
  /** As it is now. */
  joined: OpenNotebook | undefined
}

const join = (session: Session, uri: string, { cells, texts }: State): OpenNotebook => {
  const { spans, text: whole } = assemble(
    cells.map(({ document, kind, metadata }) => {
      const source = cellSourceIn(metadata)
      const isTitle = kind === NotebookCellKind.Markup
      const cell = { kind: isTitle ? ("title" as const) : ("code" as const), value: texts.get(document) ?? "" }
      return source === undefined ? cell : { ...cell, source }
    }),
  )
  const text = session.change(uri, whole, "notebook")
  const { lines } = text
  let free = 0
  const code = cells.flatMap(({ document, kind }, index): ReadonlyArray<OpenCell> => {
    const span = spans[index]
    if (span === undefined || kind === NotebookCellKind.Markup) return []
    const above = textPart(lines, { start: free, end: span.start })
    // Cells end their lines, so nothing that a cell touches is above the next one.
    free = lines.starts[positionAt(lines, span.end).line + 1] ?? span.end
    return [{ uri: document, part: textPart(lines, span), above }]
  })
  return { uri, text, cells: code }
}

const changed = (text: string, change: TextDocumentContentChangeEvent): string => {
  if (!("range" in change)) return change.text
  const lines = lineIndex(text)
  const start = offsetAt(lines, change.range.start)
  return text.slice(0, start) + change.text + text.slice(Math.max(start, offsetAt(lines, change.range.end)))
}
