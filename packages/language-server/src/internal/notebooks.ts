/**
 * The open notebooks. The cells of one make one text, which is read on from edit to edit as that of a document is.
 *
 * Invariant: the text is the file that the notebook would be saved as, so that names, imports and settings mean in a cell
 * what they mean when the file is run.
 */
import { assemble, cellSourceIn, type TextPart, textPart } from "@dotrpc/lang-service"
import { type LineIndex, lineIndex, offsetAt, positionAt } from "@dotrpc/lang/locate"
import {
  type DidChangeNotebookDocumentParams,
  type DidOpenNotebookDocumentParams,
  type NotebookCell,
  NotebookCellKind,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver"
import { type Cell, changedText, type EditorText, type OpenFile, type Session, tooManyCells } from "@dotrpc/session"

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
  const notebooks = new Map<string, ReadonlyArray<HeldCell>>()
  const all = () => session.open().filter(({ view }) => view === "notebook")
  const at = (uri: string): OpenNotebook | undefined => {
    const found = all().find((notebook) => notebook.uri === uri)
    return found === undefined ? undefined : inParts(found)
  }
  const notify = (uri: string): void => {
    const state = notebooks.get(uri)
    // A fed session may not have the report yet, and knows better once it has.
    if (state === undefined || (isFed && session.textAt(uri, "notebook") !== undefined)) return
    const { cells, text } = join(state)
    session.changeNotebook(uri, text, cells)
  }
  return {
    open: ({ cellTextDocuments, notebookDocument }) => {
      const { cells, uri } = notebookDocument
      notebooks.set(uri, withTexts(cells, cellTextDocuments))
      notify(uri)
    },
    change: ({ change, notebookDocument }) => {
      const state = notebooks.get(notebookDocument.uri)
      if (state === undefined || change.cells === undefined) return
      const { data = [], structure, textContent = [] } = change.cells
      if (structure !== undefined) {
        const { cells = [], deleteCount, start } = structure.array
        const moved = state.slice(start, start + deleteCount).map(({ cell, text }) => ({ uri: cell.document, text }))
        const held = withTexts(cells, [...moved, ...(structure.didOpen ?? [])])
        notebooks.set(notebookDocument.uri, [...state.slice(0, start), ...held, ...state.slice(start + deleteCount)])
      }
      const held = notebooks.get(notebookDocument.uri) ?? []
      const find = finding(held, data.length + textContent.length)
      for (const cell of data) {
        const found = find(cell.document)
        if (found !== undefined) found.cell = cell
      }
      for (const { changes, document } of textContent) {
        const found = find(document.uri)
        if (found !== undefined)
          found.text = changes.length > 1 ? changedText(found.text, changes) : changes.reduce(changed, found.text)
      }
      notify(notebookDocument.uri)
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

/** A cell as the client has it. */
interface HeldCell {
  cell: NotebookCell
  text: string
}

/** Cells with their texts. Thousands of them come in the order of their cells, and are not sorted by their URIs first. */
const withTexts = (
  cells: ReadonlyArray<NotebookCell>,
  documents: ReadonlyArray<{ readonly uri: string; readonly text: string }>,
): ReadonlyArray<HeldCell> => {
  let others: ReadonlyMap<string, string> | undefined
  const textOf = (uri: string): string => {
    others ??= new Map(documents.map((document) => [document.uri, document.text]))
    return others.get(uri) ?? ""
  }
  return cells.map((cell, index) => {
    const document = documents[index]
    return { cell, text: document?.uri === cell.document ? document.text : textOf(cell.document) }
  })
}

/** Finds cells by their URIs, so many of them. */
const finding = (cells: ReadonlyArray<HeldCell>, count: number): ((uri: string) => HeldCell | undefined) => {
  if (count <= fewCells) return (uri) => cells.find(({ cell }) => cell.document === uri)
  const byUri = new Map(cells.map((held) => [held.cell.document, held]))
  return (uri) => byUri.get(uri)
}

/** To look for so many one by one takes less time than a map of thousands. */
const fewCells = 4

const join = (held: ReadonlyArray<HeldCell>): { readonly text: string; readonly cells: ReadonlyArray<Cell> } => {
  // The cells of a notebook that is refused have no places.
  const read = tooManyCells(held.length) === undefined ? held : []
  const { spans, text } = assemble(
    read.map(({ cell: { kind, metadata }, text: value }) => ({
      kind: kind === NotebookCellKind.Markup ? "title" : "code",
      value,
      source: cellSourceIn(metadata),
    })),
  )
  const cells = held.map(({ cell }, index): Cell => {
    const { end, start } = spans[index] ?? { start: 0, end: 0 }
    return { uri: cell.document, isCode: cell.kind !== NotebookCellKind.Markup, start, end }
  })
  return { text, cells }
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
  const withCode = cells.filter(({ isCode }) => isCode)
  const code = withCode.map((cell, index) => openCell(text.lines, cell, withCode[index - 1]))
  const notebook = { uri, text, cells: code, cellOf: new Map(code.map((cell) => [cell.uri, cell])) }
  known.set(cells, notebook)
  return notebook
}

/** A cell after the one before it. Of thousands of cells a question is about a few, so places are looked for when they are asked for. */
const openCell = (lines: LineIndex, cell: Cell, before: Cell | undefined): OpenCell => {
  let part: TextPart | undefined
  let above: TextPart | undefined
  return {
    uri: cell.uri,
    get part() {
      return (part ??= textPart(lines, cell))
    },
    get above() {
      // Cells end their lines, so nothing that a cell touches is above the next one.
      const start = before === undefined ? 0 : (lines.starts[positionAt(lines, before.end).line + 1] ?? before.end)
      return (above ??= textPart(lines, { start, end: cell.start }))
    },
  }
}

const changed = (text: string, change: TextDocumentContentChangeEvent): string => {
  if (!("range" in change)) return change.text
  const lines = lineIndex(text)
  const start = offsetAt(lines, change.range.start)
  return text.slice(0, start) + change.text + text.slice(Math.max(start, offsetAt(lines, change.range.end)))
}
