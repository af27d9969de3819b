/**
 * The cells of a notebook as the text of a file.
 *
 * Invariant: cells that were read and not changed return the file they were read from, and a cell that was changed
 * changes its own section only.
 */
import { parse } from "@dotrpc/lang"

import { type CellKind, type CellSource, linesOf, shownText } from "./cells.ts"
import { withoutEscapes } from "./titleMarks.ts"

/** A cell as the editor has it. */
export interface NotebookCellText {
  readonly kind: CellKind
  /** As the editor has it now. */
  readonly value: string
  /** Absent for a cell that was added. */
  readonly source?: CellSource | undefined
}

/** A file made of cells, and where each stands in it. */
export interface Assembled {
  readonly text: string
  /** For each cell, where its text stands in the whole. */
  readonly spans: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

/** The file that cells make. */
export const assemble = (cells: ReadonlyArray<NotebookCellText>): Assembled => {
  const lineEnd = lineEndOf(cells)
  const spans: Array<Assembled["spans"][number]> = []
  // Put together at the end: looking at a text that grows would copy it for each cell.
  const pieces: Array<string> = []
  let length = 0
  const add = (piece: string): void => {
    if (piece === "") return
    pieces.push(piece)
    length += piece.length
  }
  cells.forEach((cell, index) => {
    const { source } = cell
    const own = ownText(cell, lineEnd)
    const before = source?.before ?? ""
    const whole = before === "" ? own : before + own
    if (length > 0 && !endsLine(pieces.at(-1) ?? "")) add(lineEnd)
    if (length > 0 && needsEmptyLine(cells, index, whole)) add(emptyLine(pieces.join(""), lineEnd))
    if (needsMark(cells, index, whole)) add(`###${lineEnd}`)
    add(before)
    spans.push({ start: length, end: length + own.length })
    add(own)
    add(source?.after ?? lineEnd)
  })
  return { text: pieces.join(""), spans }
}

const endsLine = (text: string): boolean => text.endsWith("\n") || text.endsWith("\r")

const ownText = ({ kind, value, source }: NotebookCellText, lineEnd: string): string => {
  if (source !== undefined && isSame(value, shownText(kind, source.text))) return source.text
  return (kind === "title" ? titleText(value) : value).replace(/\r\n|\r|\n/g, lineEnd)
}

const isSame = (value: string, shown: string): boolean => value === shown || plain(value) === plain(shown)

/** Editors hold one kind of line end, and no byte order mark at the beginning. */
const plain = (text: string): string => text.replace(/^\uFEFF+/, "").replace(/\r\n|\r/g, "\n")

/** Markdown as a title and the comment lines below it; a paragraph has a mark without a title above it. */
const titleText = (value: string): string => {
  const lines = linesOf(value.trim()).map(withoutEscapes)
  if (!(lines[0] ?? "#").startsWith("#") && lines[0] !== "") return ["###", ...lines.map(comment)].join("\n")
  const title = `### ${(lines[0] ?? "").replace(/^#+/, "").trim()}`.trimEnd()
  const rest = lines.slice(1)
  const first = rest.findIndex((line) => line.trim() !== "")
  if (first < 0) return title
  return [title, ...rest.slice(first).map(comment)].join("\n")
}

/** A comment that begins with `@` would be a directive. */
const comment = (line: string): string => (line.trim() === "" ? "#" : `# ${line.replace(/^(\s*)@/, "$1\\@")}`)

/** Whether an empty line parts what was added from what stands before it, and the next section from what was added. */
const needsEmptyLine = (cells: ReadonlyArray<NotebookCellText>, index: number, text: string): boolean =>
  cells[index]?.source === undefined
    ? cells[index]?.kind === "title"
    : index > 0 && cells[index - 1]?.source === undefined && beginsSection(text)

/** Whether code would become part of what stands before it, unless a `###` parts them. */
const needsMark = (cells: ReadonlyArray<NotebookCellText>, index: number, text: string): boolean => {
  const { kind, source } = cells[index] ?? { kind: "title" }
  if (kind === "title" || beginsSection(text)) return false
  if (index > 0) return cells[index - 1]?.kind === "code"
  // What was written into an empty file was not read from it.
  if (source !== undefined && (source.prelude !== true || source.text !== "")) return source.prelude !== true
  const { call, checks } = parse(text).tree.prelude
  return call !== undefined || checks.length > 0
}

/** The mark of a section stands at the beginning of a line. */
const beginsSection = (text: string): boolean => /^\uFEFF?(?:[^\S\r\n]*[\r\n])*###/.test(text)

const emptyLine = (text: string, lineEnd: string): string =>
  /(?:\n|\r(?!\n))[ \t]*(?:\r\n|\r|\n)$/.test(text) ? "" : lineEnd

/** The first of the file; new cells follow it. */
const lineEndOf = (cells: ReadonlyArray<NotebookCellText>): string => {
  for (const { source } of cells) {
    const found = source === undefined ? null : /\r\n|\r|\n/.exec(source.before + source.text + source.after)
    if (found !== null) return found[0]
  }
  return "\n"
}
