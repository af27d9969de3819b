import type { ColumnValue, TypedColumn } from "@dotrpc/spec"
import fc from "fast-check"
import { parquetMetadata } from "hyparquet"
import { describe, expect, it } from "vitest"
import { columnEncoder, type ColumnFormat, ColumnMisfit, type ColumnOptions, formatOf } from "../src/index.ts"
import { files, rowsOf } from "./rows.ts"

const largest = 2n ** 256n - 1n

const encoded = (
  format: ColumnFormat,
  columns: ReadonlyArray<TypedColumn>,
  rows: ReadonlyArray<ReadonlyArray<ColumnValue>>,
  options: ColumnOptions = {},
): Uint8Array => {
  const encoder = columnEncoder(format, columns, options)
  const pieces = [...rows.map((row) => encoder.write([row])), encoder.end()]
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}

const textOf = (...given: Parameters<typeof encoded>): string => new TextDecoder().decode(encoded(...given))

describe("Parquet", () => {
  it("returns every value that was written, whatever the size of its row groups", () =>
    fc.assert(
      fc.asyncProperty(files, fc.constantFrom(1, 200, undefined), async ({ columns, rows }, rowGroupBytes) => {
        const file = encoded("parquet", columns, rows, { rowGroupBytes })
        expect(await rowsOf(file, columns)).toEqual(rows)
      }),
    ))

  it("begins a row group when the values of the last one are long enough", () => {
    const columns = [{ name: "note", type: "text" }] as const
    const rows = Array.from({ length: 10 }, () => ["x".repeat(100)])
    const groups = (rowGroupBytes: number | undefined) =>
      parquetMetadata(encoded("parquet", columns, rows, { rowGroupBytes }).buffer as ArrayBuffer).row_groups.map(
        ({ num_rows }) => Number(num_rows),
      )
    expect(groups(250)).toEqual([3, 3, 3, 1])
    expect(groups(undefined)).toEqual([10])
  })

  it("names the types of its columns in its metadata", () => {
    const file = encoded("parquet", [{ name: "value", type: "integer" }], [])
    expect(parquetMetadata(file.buffer as ArrayBuffer).key_value_metadata).toEqual([
      { key: "dotrpc.columns", value: '{"value":"integer"}' },
    ])
  })
})

describe("a value that its column cannot hold is refused", () => {
  const cases: ReadonlyArray<readonly [TypedColumn["type"], ColumnValue]> = [
    ["int64", 2n ** 63n],
    ["uint64", -1n],
    ["uint64", 2n ** 64n],
    ["decimal", 10n ** 38n],
    ["timestamp", -1n],
    ["timestamp", 253_402_300_800_000n],
    ["text", 1n],
    ["integer", "1"],
    ["boolean", "true"],
  ]
  it.each(cases)("%s: %s", (type, value) => {
    for (const format of ["parquet", "csv", "ndjson"] as const)
      expect(() => encoded(format, [{ name: "amount", type }], [[value]])).toThrow(ColumnMisfit)
  })

  it("reports the column and what it holds", () => {
    const misfit = () => encoded("csv", [{ name: "amount", type: "decimal" }], [[largest]])
    expect(misfit).toThrow('column "amount" takes whole numbers of at most 38 digits; got ')
  })
})

describe("text formats", () => {
  const columns = [
    { name: "block_number", type: "int64" },
    { name: "value", type: "integer" },
    { name: "note", type: "text" },
    { name: "ids", type: "json" },
    { name: "block_time", type: "timestamp" },
  ] as const
  const rows = [
    [1n, largest, 'a "b", c', '["1"]', 1_700_000_000_000n],
    [2n, null, "=1+1", null, null],
  ]

  it("writes CSV with every digit, and no formula", () => {
    expect(textOf("csv", columns, rows).split("\r\n")).toEqual([
      "block_number,value,note,ids,block_time",
      `1,${largest},"a ""b"", c","[""1""]",2023-11-14T22:13:20.000Z`,
      "2,,'=1+1,,",
      "",
    ])
  })

  it("writes the head of a CSV without rows", () => {
    expect(textOf("csv", columns, [])).toBe("block_number,value,note,ids,block_time\r\n")
  })

  it("writes NDJSON with whole numbers of more than 64 bits as strings", () => {
    expect(textOf("ndjson", columns, rows).split("\n")).toEqual([
      `{"block_number":1,"value":"${largest}","note":"a \\"b\\", c","ids":["1"],"block_time":"2023-11-14T22:13:20.000Z"}`,
      '{"block_number":2,"value":null,"note":"=1+1","ids":null,"block_time":null}',
      "",
    ])
  })

  it("escapes what would steer a terminal", () => {
    const [line] = textOf("ndjson", [{ name: "note", type: "text" }], [["\u001B[2J"]]).split("\n")
    expect(line).toBe(String.raw`{"note":"\u001b[2J"}`)
  })
})

it("knows the format of a file by its extension", () => {
  expect(["a.parquet", "a.b.CSV", "x.ndjson", "a.json", "parquet"].map(formatOf)).toEqual([
    "parquet",
    "csv",
    "ndjson",
    undefined,
    undefined,
  ])
})
