/** Made-up columns and rows that fit them, and how a Parquet file is read. */
import type { ColumnType, ColumnValue, TypedColumn } from "@dotrpc/spec"
import fc from "fast-check"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"

const valueOf: Readonly<Record<ColumnType, fc.Arbitrary<ColumnValue>>> = {
  boolean: fc.boolean(),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  integer: fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
  decimal: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  text: fc.string({ unit: "grapheme" }),
  json: fc.json(),
  timestamp: fc.bigInt({ min: 0n, max: 253_402_300_799_999n }),
}

const types = Object.keys(valueOf) as ReadonlyArray<ColumnType>

/** Files of up to 40 rows. */
export const files: fc.Arbitrary<{
  readonly columns: ReadonlyArray<TypedColumn>
  readonly rows: ReadonlyArray<ReadonlyArray<ColumnValue>>
}> = fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 6 }).chain((chosen) =>
  fc.record({
    columns: fc.constant(chosen.map((type, index) => ({ name: `${type}_${index}`, type }))),
    rows: fc.array(fc.tuple(...chosen.map((type) => fc.option(valueOf[type]))), { maxLength: 40 }),
  }),
)

/** The rows of a Parquet file, as they were written. */
export const rowsOf = async (
  file: Uint8Array,
  columns: ReadonlyArray<TypedColumn>,
): Promise<ReadonlyArray<ReadonlyArray<ColumnValue>>> => {
  const buffer = new Uint8Array(file).buffer
  const metadata = parquetMetadata(buffer)
  // It reads decimals as numbers of JavaScript, which loses digits: without their type they are bytes.
  for (const element of metadata.schema) if (element.converted_type === "DECIMAL") delete element.converted_type
  const objects = await parquetReadObjects({ file: buffer, metadata, compressors, utf8: false })
  return objects.map((row) => columns.map((column) => writtenOf(column, row[column.name])))
}

const decimalOf = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(
    bytes.length * 8,
    bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  )

const writtenOf = ({ type }: TypedColumn, value: unknown): ColumnValue => {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return decimalOf(value)
  if (value instanceof Date) return BigInt(value.getTime())
  if (typeof value === "boolean" || typeof value === "bigint") return value
  return type === "integer" ? BigInt(String(value)) : String(value)
}
