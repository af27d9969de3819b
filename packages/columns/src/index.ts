/** Results as typed columns: the bytes of Parquet, CSV and NDJSON files that lose no digit. */
export type { ColumnEncoder, ColumnOptions, Compression } from "./ColumnEncoder.ts"
export { type ColumnFormat, columnFormats, formatOf } from "./format.ts"
export { ColumnMisfit } from "./internal/columnMisfit.ts"
export { columnEncoder } from "./encoderOf.ts"
export { columnsOf } from "./columnsOf.ts"
export { inferColumns } from "./inferColumns.ts"
export { partName } from "./partName.ts"
