/** Rows in columns, as a terminal shows them: no lines, and no blanks behind the last column. */
import { Visible } from "@dotrpc/spec"
import type { Table } from "@dotrpc/spec"
import CliTable from "cli-table3"
import type { Colors } from "./colors.ts"

const indent = "    "
const gap = 2

/** Cells may hold escapes of a terminal: they take no room. */
export const textTable = (
  columns: ReadonlyArray<Table.Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  colors: Colors,
): string => {
  const none = ""
  const table = new CliTable({
    head: columns.map(({ name }) => colors.dim(Visible.line(name))),
    colAligns: columns.map(({ align }) => align ?? "left"),
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
    chars: {
      top: none,
      "top-mid": none,
      "top-left": none,
      "top-right": none,
      bottom: none,
      "bottom-mid": none,
      "bottom-left": none,
      "bottom-right": none,
      left: indent,
      "left-mid": none,
      mid: none,
      "mid-mid": none,
      right: none,
      "right-mid": none,
      middle: none,
    },
  })
  for (const row of rows) table.push([...row])
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}

/**
 * The rows with as much left out of the middle of hashes and keys as makes them fit `width`, and no more. Words and
 * numbers stay whole; rows that do not fit even so stay as they are.
 */
export const fitted = (
  columns: ReadonlyArray<Table.Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number,
): ReadonlyArray<ReadonlyArray<string>> => {
  const widths = columns.map(({ name }, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), name.length),
  )
  const canGiveWay = columns.map(
    ({ align }, column) => align !== "right" && rows.some((row) => isLongWord(row[column])),
  )
  const widthAt = (longest: number) =>
    indent.length +
    gap * (columns.length - 1) +
    widths.reduce((sum, own, column) => sum + (canGiveWay[column] === true ? Math.min(own, longest) : own), 0)
  if (widthAt(shortest) > width) return rows
  let longest = Math.max(0, ...widths)
  while (longest > shortest && widthAt(longest) > width) longest--
  return rows.map((row) =>
    row.map((cell, column) => (canGiveWay[column] === true && cell.length > longest ? shortened(cell, longest) : cell)),
  )
}

/** Of a hash that is shortened further nobody could tell it from another. */
const shortest = 7

const isLongWord = (cell = ""): boolean => cell.length > 12 && !/\s/.test(cell)

const shortened = (cell: string, length: number): string => {
  const head = Math.ceil((length - 1) / 2)
  return `${cell.slice(0, head)}…${cell.slice(cell.length - (length - 1 - head))}`
}
