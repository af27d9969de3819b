/** NDJSON: an object for each row. Whole numbers of more than 64 bits are strings, because readers of JSON round them. */
import { type ColumnValue, Json, type TypedColumn, Visible } from "@dotrpc/spec"
import type { ColumnEncoder } from "../ColumnEncoder.ts"
import { fitting } from "./columnMisfit.ts"
import { showTime } from "./showTime.ts"

export const ndjsonEncoder = (columns: ReadonlyArray<TypedColumn>): ColumnEncoder => {
  const encoder = new TextEncoder()
  const names = columns.map(({ name }) => Json.stringify(name))
  const memberOf = (value: ColumnValue, index: number): string => `${names[index]}:${textOf(columns[index], value)}`
  return {
    write: (rows) => {
      const lines: Array<string> = []
      for (const row of rows) lines.push(Visible.json(`{${fitting(columns, row).map(memberOf).join(",")}}\n`))
      return encoder.encode(lines.join(""))
    },
    end: () => new Uint8Array(),
  }
}

const textOf = (column: TypedColumn | undefined, value: ColumnValue): string => {
  if (value === null) return "null"
  switch (column?.type) {
    case "boolean":
    case "int64":
    case "uint64":
    // Already JSON.
    case "json":
      return String(value)
    case "timestamp":
      return Json.stringify(showTime(value))
    default:
      return Json.stringify(String(value))
  }
}
