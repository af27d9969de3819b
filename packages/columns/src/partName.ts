/** The name of a part of a larger whole, by its blocks: parts lie in a folder in the order of their names. */
import type { ColumnFormat } from "./format.ts"

/**
 * The name of the file with the rows of these blocks, both ends included.
 *
 * @example
 * ```ts
 * partName(18_000_000, 18_009_999, "parquet") // "blocks-000018000000-000018009999.parquet"
 * ```
 */
export const partName = (from: number, to: number, format: ColumnFormat): string =>
  `blocks-${padded(from)}-${padded(to)}.${format}`

const padded = (block: number): string => String(block).padStart(12, "0")
