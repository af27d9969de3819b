/** Results as files of columns. */
import type { RequestReport, RowReport } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { describe, expect, test } from "vitest"

import { savedColumns } from "../../src/results/savedColumns.ts"
import { report, rows } from "./reports.ts"

const bytesOf = (...given: Parameters<typeof savedColumns>): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...savedColumns(...given)].flatMap((piece) => [...piece]))
const fileOf = (source: RequestReport, result: Json.Json): ArrayBuffer => bytesOf("parquet", source, result).buffer
const textOf = (format: "csv" | "ndjson", source: RequestReport, result: Json.Json): string =>
  new TextDecoder().decode(bytesOf(format, source, result))

/** Of a method without columns of its own. */
const plain = (changes: Parameters<typeof report>[0]) => {
  const made = report(changes)
  const { columns: _, ...method } = made.request.method ?? {}
  return { ...made, request: { ...made.request, method: method as typeof made.request.method } }
}

const columnsOf = (file: ArrayBuffer): Json.Json =>
  Json.parse(parquetMetadata(file).key_value_metadata?.[0]?.value ?? "null")

test("Parquet has a column for each member, with every digit", async () => {
  const result = Json.parse('[{"lamports":18446744073709551615,"log":{"a":1.0}},{"note":"b"}]')
  const file = fileOf(plain({ ...rows([["1"], ["2"]]), result }), result)
  expect(columnsOf(file)).toEqual({ lamports: "integer", log: "json", note: "text" })
  expect(await parquetReadObjects({ file })).toEqual([
    { lamports: "18446744073709551615", log: '{"a":1.0}', note: null },
    { lamports: null, log: null, note: "b" },
  ])
})

test("Parquet has one row for a result that is not a list", async () => {
  const file = fileOf(plain({ result: 18446744073709551615n }), 18446744073709551615n)
  expect(await parquetReadObjects({ file })).toEqual([{ value: "18446744073709551615" }])
})

test("Parquet has a column for each argument of the events among the logs", async () => {
  const method = Evm.plugin.methods.find(({ name }) => name === "eth_getLogs")
  const word = (digits: string) => digits.padStart(64, "0")
  const log = {
    removed: false,
    blockNumber: "0x10",
    blockHash: `0x${word("1")}`,
    transactionHash: `0x${word("2")}`,
    transactionIndex: "0x0",
    logIndex: "0x0",
    address: `0x${"c0".repeat(20)}`,
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      `0x${word("a1")}`,
      `0x${word("b2")}`,
    ],
    data: `0x${"f".repeat(64)}`,
  }
  const source = report({ ...rows([["1"]]), result: [log] })
  const file = fileOf({ ...source, request: { ...source.request, method } }, [log])
  const [row] = await parquetReadObjects({ file })
  expect(row).toMatchObject({ block_number: 16n, value: String(2n ** 256n - 1n), removed: false })
})

test("Parquet has all of what a server sent instead of a result", async () => {
  const file = fileOf(report({ result: undefined }), { code: 3, data: "0x08c379a0" })
  expect(await parquetReadObjects({ file })).toEqual([{ code: 3n, data: "0x08c379a0" }])
})

test("Parquet is made in pieces, so that nothing waits for long", () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({ index, text: "x".repeat(200) }))
  const source = report({ ...rows(items.map(() => ["1"])), result: items })
  const longest = Math.max(...[...savedColumns("parquet", source, items)].map(({ length }) => length))
  expect(longest).toBeLessThan(600_000)
})

describe("rows with a call each are saved with their results", () => {
  const row = (index: number, more: Partial<RowReport>): RowReport => ({
    row: { index, value: { address: `0xa${index}`, least: 5n }, place: "" },
    status: "ok",
    credits: 0,
    ...more,
  })
  const each = report({
    rows: [row(0, { result: "0x0", decoded: 5n }), row(1, { result: null })],
    result: ["0x0", null],
  })
  test("CSV", () =>
    expect(textOf("csv", each, null)).toBe("address,least,status,result,decoded\r\n0xa0,5,ok,0x0,5\r\n0xa1,5,ok,,\r\n"))
  test("NDJSON", () =>
    expect(textOf("ndjson", each, null)).toBe(
      '{"address":"0xa0","least":5,"status":"ok","result":"0x0","decoded":"5"}\n{"address":"0xa1","least":5,"status":"ok","result":null,"decoded":null}\n',
    ))
})
