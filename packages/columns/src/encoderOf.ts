/** The encoder of each format. */
import type { TypedColumn } from "@dotrpc/spec"
import type { ColumnEncoder, ColumnOptions } from "./ColumnEncoder.ts"
import type { ColumnFormat } from "./format.ts"
import { csvEncoder } from "./internal/csvEncoder.ts"
import { ndjsonEncoder } from "./internal/ndjsonEncoder.ts"
import { parquetEncoder } from "./internal/parquetEncoder.ts"

/**
 * An encoder for rows of these columns. Their names must differ in more than their case.
 *
 * @example
 * ```ts
 * const encoder = columnEncoder("csv", [{ name: "value", type: "integer" }])
 * const text = new TextDecoder().decode(encoder.write([[2n ** 256n - 1n]])) // the head, and a line of 78 digits
 * ```
 */
export const columnEncoder = (
  format: ColumnFormat,
  columns: ReadonlyArray<TypedColumn>,
  options: ColumnOptions = {},
): ColumnEncoder => {
  switch (format) {
    case "csv":
      return csvEncoder(columns)
    case "ndjson":
      return ndjsonEncoder(columns)
    case "parquet":
      return parquetEncoder(columns, options)
  }
}
