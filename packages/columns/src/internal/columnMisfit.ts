/** Whether a value fits the type of its column. */
import { type ColumnType, type ColumnValue, Table, type TypedColumn } from "@dotrpc/spec"

/** A value that its column cannot hold. The message names both. */
export class ColumnMisfit extends Error {
  override readonly name = "ColumnMisfit"
  readonly column: TypedColumn

  constructor(column: TypedColumn, value: ColumnValue | undefined) {
    super(
      `column "${column.name}" takes ${wordsOf[column.type]}; got ${typeof value === "string" ? "text" : Table.shorten(String(value), 40, 20)}`,
    )
    this.column = column
  }
}

/** The row, when each of its values fits; throws a {@link ColumnMisfit} otherwise. */
export const fitting = (
  columns: ReadonlyArray<TypedColumn>,
  row: ReadonlyArray<ColumnValue>,
): ReadonlyArray<ColumnValue> => {
  for (const [index, column] of columns.entries()) {
    const value = row[index]
    if (value !== null && !fits[column.type](value)) throw new ColumnMisfit(column, value)
  }
  return row
}

const between =
  (least: bigint, most: bigint) =>
  (value: ColumnValue | undefined): boolean =>
    typeof value === "bigint" && value >= least && value <= most

const isText = (value: ColumnValue | undefined): boolean => typeof value === "string"

const longestDecimal = 10n ** 38n - 1n

const fits: Readonly<Record<ColumnType, (value: ColumnValue | undefined) => boolean>> = {
  boolean: (value) => typeof value === "boolean",
  int64: between(-(2n ** 63n), 2n ** 63n - 1n),
  uint64: between(0n, 2n ** 64n - 1n),
  integer: (value) => typeof value === "bigint",
  decimal: between(-longestDecimal, longestDecimal),
  text: isText,
  json: isText,
  timestamp: between(0n, BigInt(Date.UTC(10_000, 0)) - 1n),
}

const wordsOf: Readonly<Record<ColumnType, string>> = {
  boolean: "true and false",
  int64: "whole numbers of 64 bits",
  uint64: "whole numbers of 64 bits, 0 or more",
  integer: "whole numbers",
  decimal: "whole numbers of at most 38 digits",
  text: "text",
  json: "JSON text",
  timestamp: "times from 1970 to 9999",
}
