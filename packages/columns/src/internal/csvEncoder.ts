/** CSV: a head and a line for each row. Nothing and an empty text look the same there. */
import type { ColumnValue, TypedColumn } from "@dotrpc/spec"
import type { ColumnEncoder } from "../ColumnEncoder.ts"
import { delimited } from "../delimited.ts"
import { fitting } from "./columnMisfit.ts"
import { showTime } from "./showTime.ts"

export const csvEncoder = (columns: ReadonlyArray<TypedColumn>): ColumnEncoder => {
  const encoder = new TextEncoder()
  let head = delimited(",", [columns.map(({ name }) => name)])
  const flush = (lines: string): Uint8Array => {
    const text = head + lines
    head = ""
    return encoder.encode(text)
  }
  return {
    write: (rows) => {
      const lines: Array<string> = []
      for (const row of rows)
        lines.push(delimited(",", [fitting(columns, row).map((value, index) => cellOf(columns[index], value))]))
      return flush(lines.join(""))
    },
    end: () => flush(""),
  }
}

const cellOf = (column: TypedColumn | undefined, value: ColumnValue): string =>
  value === null ? "" : column?.type === "timestamp" ? showTime(value) : String(value)
