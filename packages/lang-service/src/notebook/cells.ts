/**
 * A file as the cells of a notebook: the prelude and every call are code, every title is Markdown.
 *
 * Invariant: the joined sources of the cells are the file, for any content.
 */
import { atOnce, type Steps } from "@dotrpc/analysis"
import { parse, type ParseResult, type SectionNode } from "@dotrpc/lang"

import { withEscapes } from "./titleMarks.ts"

/**
 * What a cell was read from, kept as `source` in its metadata. An editor changes line ends, so that a cell nobody touched
 * is written back from this.
 */
export interface CellSource {
  /** Behind the cell before: empty lines, or the `###` of a section without a title. */
  readonly before: string
  readonly text: string
  /** White space up to the next cell. */
  readonly after: string
  /** It was the text before the first section. */
  readonly prelude?: boolean | undefined
}

/** A part of a file that is shown as one cell. */
export interface FileCell {
  readonly kind: CellKind
  /** What the cell shows. */
  readonly value: string
  readonly source: CellSource
}

/** A title is Markdown, with the comment lines right below it; everything else is code. */
export type CellKind = "title" | "code"

/** The cells that a file is shown as. */
export const cellsOf = (text: string): ReadonlyArray<FileCell> => atOnce(readingCells(parse(text)))

/** As {@link cellsOf}, of a text that is parsed, in steps of one section each. */
export function* readingCells({ tree }: ParseResult): Steps<ReadonlyArray<FileCell>> {
  const { sections } = tree
  const { text } = tree.tokens
  const prelude = text.slice(0, sections[0]?.start ?? text.length)
  const isBlank = prelude.trim() === ""
  const cells: Array<FileCell> = []
  for (const [index, section] of sections.entries()) {
    yield
    cells.push(...sectionCells(text, section, index === 0 && isBlank ? prelude : ""))
  }
  if (isBlank && cells.length > 0) return cells
  return [codeCell("", prelude, { prelude: true }), ...cells]
}

/** What a cell shows of its source; comments below a mark without a title are a paragraph. Links, images and HTML of a title are shown as text. */
export const shownText = (kind: CellKind, source: string): string => {
  if (kind === "code") return source
  const [header = "", ...comments] = linesOf(source)
  const words = header.replace(/^#+/, "").trim()
  const title = `### ${withEscapes(words)}`.trimEnd()
  if (comments.length === 0) return title
  const text = comments.map(commentWords)
  return (words === "" ? text : [title, "", ...text]).join("\n")
}

/** What the metadata of a cell say that it was read from; nothing for a cell that was added. */
export const cellSourceIn = (metadata: unknown): CellSource | undefined => {
  const source = isObject(metadata) ? metadata["source"] : undefined
  return isCellSource(source) ? source : undefined
}

/** Lines without their ends; a line ends with CRLF, LF or CR, as in the language. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r\n|\r|\n/)

/** The escape that keeps a comment from being a directive is none of its words. */
const commentWords = (line: string): string => withEscapes(line.replace(/^# ?/, "").replace(/^(\s*)\\@/, "$1@"))

const sectionCells = (text: string, section: SectionNode, before: string): ReadonlyArray<FileCell> => {
  const raw = text.slice(section.start, section.end)
  const header = section.header.end - section.start
  const title = header + (comments.exec(raw.slice(header))?.[0].length ?? 0)
  const line = title + (restOfLine.exec(raw.slice(title))?.[0].length ?? 0)
  const body = raw.slice(line)
  if (section.title.text === "" && title === header && body.trim() !== "")
    return [codeCell(before + raw.slice(0, line), body)]
  const hasCode = body.trim() !== ""
  const source = { before, text: raw.slice(0, title), after: raw.slice(title, hasCode ? line : raw.length) }
  const cell: FileCell = { kind: "title", value: shownText("title", source.text), source }
  return hasCode ? [cell, codeCell("", body)] : [cell]
}

const codeCell = (before: string, raw: string, role: Pick<CellSource, "prelude"> = {}): FileCell => {
  const blank = raw.trim() === "" ? raw.length : (emptyLines.exec(raw)?.[0].length ?? 0)
  const text = raw.slice(blank).trimEnd()
  const source = { before: before + raw.slice(0, blank), text, after: raw.slice(blank + text.length), ...role }
  return { kind: "code", value: shownText("code", text), source }
}

/** Comment lines right below a title that are not directives. */
const comments = /^[ \t]*(?:(?:\r\n|\r|\n)#(?:[ \t](?![ \t]*@)[^\r\n]*)?(?=[\r\n]|$))+/

const restOfLine = /^[^\S\r\n]*(?:\r\n|\r|\n)/

const emptyLines = /^\uFEFF?(?:[ \t]*(?:\r\n|\r|\n))*/

const isCellSource = (value: unknown): value is CellSource =>
  isObject(value) &&
  typeof value["before"] === "string" &&
  typeof value["text"] === "string" &&
  typeof value["after"] === "string"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
