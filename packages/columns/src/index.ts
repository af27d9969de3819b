/** Results as typed columns: the bytes of Parquet, CSV and NDJSON files that lose no digit. */
export {
  type ColumnEncoder,
  type ColumnFormat,
  columnFormats,
  type ColumnOptions,
  type Compression,
  formatOf,
} from "./ColumnEncoder.ts"
export { ColumnMisfit } from "./internal/columnMisfit.ts"
export { columnEncoder } from "./encoderOf.ts"
export { columnsOf } from "./columnsOf.ts"
export { inferColumns } from "./inferColumns.ts"
export { partName } from "./partName.ts"
