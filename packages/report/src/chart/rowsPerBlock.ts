/** The numbers behind the small charts. Pure. */
import type { Rows } from "../Rows.ts"

export interface Bar {
  /** What the bar stands for: a block, a few blocks, a cell. */
  readonly label: string
  readonly value: number
}

export interface BlockBar extends Bar {
  /** The first and the last block that it stands for. */
  readonly from: number
  readonly to: number
}

const mostBars = 48

/**
 * How many rows each block has, or each group of neighbouring blocks; empty when there is no such column, or one block, or every
 * block has one row.
 */
export const rowsPerBlock = ({ columns, rows }: Pick<Rows, "columns" | "rows">): ReadonlyArray<BlockBar> => {
  const column = columns.findIndex(({ name, numeric }) => name === "block" && numeric)
  if (column < 0) return []
  const blocks = rows.flatMap((row) => {
    const text = (row[column] ?? "").replaceAll(",", "")
    return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? [Number(text)] : []
  })
  const [first, last] = [Math.min(...bounds(blocks)), Math.max(...bounds(blocks))]
  if (blocks.length < 2 || first === last) return []
  if (blocks.length === last - first + 1 && new Set(blocks).size === blocks.length) return []
  const width = Math.ceil((last - first + 1) / mostBars)
  const counts = Array.from({ length: Math.ceil((last - first + 1) / width) }, () => 0)
  for (const block of blocks) {
    const bar = Math.floor((block - first) / width)
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  return counts.map((value, index) => {
    const from = first + index * width
    const to = Math.min(last, from + width - 1)
    return { label: from === to ? `block ${from}` : `blocks ${from} to ${to}`, value, from, to }
  })
}

/** The chart in one sentence, for those who cannot see it. */
export const describeBars = (title: string, bars: ReadonlyArray<Bar>): string => {
  const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), bars[0] ?? { label: "none", value: 0 })
  const sum = bars.reduce((total, bar) => total + bar.value, 0)
  return `${title}: ${sum} in total, most in ${most.label} (${most.value})`
}

/** The smallest and the largest; spreading ten thousand arguments could overflow the stack. */
const bounds = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return values.length === 0 ? [] : [low, high]
}
