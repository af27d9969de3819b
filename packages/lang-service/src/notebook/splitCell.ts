/** A cell into which further sections were written, as the cells that its file would be read as. */
import { parse } from "@dotrpc/lang"

import { cellsOf, type FileCell } from "./cells.ts"

/** What a cell and the new one after it contain. */
export interface SplitCell {
  /** What the cell keeps. */
  readonly value: string
  /** The cells behind it, which are new and so have no source. */
  readonly added: ReadonlyArray<Pick<FileCell, "kind" | "value">>
}

/** By the text of a code cell; `undefined` when that is one section or none. */
export const splitCell = (text: string): SplitCell | undefined => {
  const cut = parse(text).tree.sections.find(({ start }) => text.slice(0, start).trim() !== "")?.start
  if (cut === undefined) return undefined
  const added = cellsOf(text.slice(cut)).map(({ kind, value }) => ({ kind, value }))
  return { value: text.slice(0, cut).trimEnd(), added }
}
