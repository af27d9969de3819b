/** Which rows are shown, and in which order. Pure. */
import { shownCell } from "@dotrpc/report"

export type Direction = "ascending" | "descending"

export interface Sorting {
  readonly column: number
  readonly direction: Direction
}

export interface Rows {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** JSON text behind each row, which a filter also looks into. */
  readonly items?: ReadonlyArray<string> | undefined
  /** Cells that are shown in other words. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** Indexes of the rows that contain the words, in their cells or as they are shown, in the order asked for; rows that compare equal keep theirs. */
export const rowOrder = (table: Rows, filter: string, sorting: Sorting | undefined): ReadonlyArray<number> => {
  const { items, labels, rows } = table
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const order: Array<number> = []
  rows.forEach((row, index) => {
    const shown = words.length === 0 || labels === undefined ? [] : row.map((cell) => shownCell(table, cell))
    const text = words.length === 0 ? "" : [...row, ...shown, items?.[index] ?? ""].join("\n").toLowerCase()
    if (words.every((word) => text.includes(word))) order.push(index)
  })
  if (sorting === undefined) return order
  const keys = rows.map((row) => sortKey(row[sorting.column] ?? ""))
  const sign = sorting.direction === "ascending" ? 1 : -1
  return order.toSorted((left, right) => {
    const [a, b] = [keys[left], keys[right]]
    return a === undefined || b === undefined ? 0 : sign * compareKeys(a, b)
  })
}

type SortKey = { readonly whole: bigint; readonly rest: number } | string

/** Numbers are compared by value with every digit, however they are grouped; anything else as text. */
const sortKey = (cell: string): SortKey => {
  const number = /^(-?)(0x[0-9a-f]+|\d[\d,]*)(\.\d+)?(?:\s|$)/i.exec(cell)
  if (number === null) return cell.toLowerCase()
  const [, minus = "", whole = "", rest = ""] = number
  const sign = minus === "" ? 1 : -1
  return { whole: BigInt(sign) * BigInt(whole.replaceAll(",", "")), rest: sign * Number(`0${rest}`) }
}

/** Numbers stand before text. */
const compareKeys = (left: SortKey, right: SortKey): number => {
  if (typeof left === "string") return typeof right === "string" ? compare(left, right) : 1
  if (typeof right === "string") return -1
  return compare(left.whole, right.whole) || compare(left.rest, right.rest)
}

const compare = <Key extends string | number | bigint>(left: Key, right: Key): number =>
  left < right ? -1 : left > right ? 1 : 0
