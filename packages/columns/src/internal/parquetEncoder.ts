/**
 * Parquet, by hyparquet-writer: row groups of a limited size in bytes, so that a file of any length takes the same memory.
 *
 * The metadata `dotrpc.columns` keeps the types that Parquet has no name for, as JSON: `{"value":"integer"}`.
 */
import { type ColumnType, type ColumnValue, Json, type TypedColumn } from "@dotrpc/spec"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import type { ColumnEncoder, ColumnOptions } from "../ColumnEncoder.ts"
import { fitting } from "./columnMisfit.ts"

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number]

export const parquetEncoder = (
  columns: ReadonlyArray<TypedColumn>,
  { compression, rowGroupBytes = usualRowGroup }: ColumnOptions,
): ColumnEncoder => {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: "root", num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: "OPTIONAL" as const, ...elements[type] })),
    ],
    createdBy: "dotrpc",
    kvMetadata: [
      {
        key: "dotrpc.columns",
        value: Json.stringify(Object.fromEntries(columns.map(({ name, type }) => [name, type]))),
      },
    ],
    ...(compression === undefined
      ? {}
      : { codec: compression.codec, compressors: { [compression.codec]: compression.compress } }),
  })
  let group = emptyGroup(columns)
  const flush = (): void => {
    if (group.rows > 0)
      void writer.write({
        columnData: columns.map(({ name }, index) => ({ name, data: group.values[index] ?? [] })),
        rowGroupSize: group.rows,
      })
    group = emptyGroup(columns)
  }
  const take = (): Uint8Array => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }
  return {
    write: (rows) => {
      for (const row of rows) {
        for (const [index, value] of fitting(columns, row).entries()) {
          const stored = storedOf(columns[index]?.type, value)
          group.values[index]?.push(stored)
          group.bytes += typeof stored === "string" ? stored.length + perValue : perValue
        }
        group.rows++
        if (group.bytes >= rowGroupBytes || group.rows >= mostRows) flush()
      }
      return take()
    },
    end: () => {
      flush()
      void writer.finish()
      return take()
    },
  }
}

interface Group {
  rows: number
  /** About, in memory. */
  bytes: number
  /** Those of each column. */
  readonly values: ReadonlyArray<Array<ColumnValue>>
}

const emptyGroup = (columns: ReadonlyArray<TypedColumn>): Group => ({
  rows: 0,
  bytes: 0,
  values: columns.map(() => []),
})

const storedOf = (type: ColumnType | undefined, value: ColumnValue): ColumnValue =>
  value !== null && type === "integer" ? String(value) : value

const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const

/** A decimal of more than 38 digits is left out on purpose: DuckDB reads it as a double. */
const elements: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  boolean: { type: "BOOLEAN" },
  int64: { type: "INT64" },
  uint64: { type: "INT64", converted_type: "UINT_64" },
  integer: text,
  decimal: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, converted_type: "DECIMAL", precision: 38, scale: 0 },
  text,
  json: text,
  timestamp: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
}

const usualRowGroup = 8 * 1_024 * 1_024

/** What a value takes beside its characters. */
const perValue = 16

/** As DuckDB makes them: it reads the groups of a file in parallel. */
const mostRows = 122_880
