/** One result of mixed logs, wherever it is looked at: table, copy, CSV, NDJSON, Parquet and charts have its values by the same names. */
import { analyze } from "@dotrpc/analysis"
import { Evm } from "@dotrpc/plugin-evm"
import type { RequestReport } from "@dotrpc/runner"
import { parse } from "@dotrpc/lang"
import { Json } from "@dotrpc/spec"
import { parquetReadObjects } from "hyparquet"
import { beforeAll, describe, expect, it } from "vitest"

import type { PayloadTable, RowSlice } from "../../src/results/ResultPayload.ts"
import { chartsOf } from "@dotrpc/report"
import { exactCell } from "../../src/renderer/exactCell.ts"
import { joinSlices } from "../../src/results/joinSlices.ts"
import { RowSlices } from "../../src/results/RowSlices.ts"
import { savedColumns } from "../../src/results/savedColumns.ts"
import { project } from "./reports.ts"

const word = (value: bigint | number) => value.toString(16).padStart(64, "0")
const account = (index: number) => `0x${(0xa0 + index).toString(16).padStart(40, "0")}`
const declared = ["event Priced(uint64 price, bool isLast)", "event Named(string value)"]

interface Kind {
  readonly topics: (index: number) => ReadonlyArray<string>
  readonly data: (index: number) => string
  /** The decoded arguments by the names of their columns. */
  readonly truth: (index: number) => Readonly<Record<string, string>>
}

/** Small and large amounts of one type, so that a type by value would be another one. */
const amount = (index: number): bigint => (index % 2 === 0 ? BigInt(index) : 2n ** 200n + BigInt(index))
const topic = (signature: string) => Evm.event(signature)
const pad = (text: string) => `0x${text.slice(2).padStart(64, "0")}`

const kinds: Readonly<Record<string, Kind>> = {
  transfer: {
    topics: (index) => [topic("Transfer(address,address,uint256)"), pad(account(index % 3)), pad(account(7))],
    data: (index) => `0x${word(amount(index))}`,
    truth: (index) => ({ from: account(index % 3), to: account(7), value: String(amount(index)) }),
  },
  approval: {
    topics: () => [topic("Approval(address,address,uint256)"), pad(account(1)), pad(account(2))],
    data: (index) => `0x${word(amount(index))}`,
    truth: (index) => ({ owner: account(1), spender: account(2), value: String(amount(index)) }),
  },
  priced: {
    topics: () => [topic("Priced(uint64,bool)")],
    data: (index) => `0x${word(index)}${word(1)}`,
    truth: (index) => ({ price: String(index), isLast: "true" }),
  },
  // Another type by a name that is taken.
  named: {
    topics: () => [topic("Named(string)")],
    data: () => `0x${word(32)}${word(2)}${"6869".padEnd(64, "0")}`,
    truth: () => ({ value_argument: "hi" }),
  },
  unknown: { topics: () => [`0x${word(99)}`], data: () => "0x01", truth: () => ({}) },
}

/** The first slices have transfers alone, as long results do. */
const kindOf = (index: number): Kind | undefined =>
  kinds[index < 600 ? "transfer" : (["approval", "priced", "named", "unknown"][index % 4] ?? "")]

const count = 1_000
const logs = Array.from({ length: count }, (_, index): Json.JsonObject => ({
  removed: false,
  blockNumber: `0x${(100 + index).toString(16)}`,
  blockHash: `0x${word(1)}`,
  transactionHash: `0x${word(index)}`,
  transactionIndex: "0x0",
  logIndex: "0x0",
  address: account(9),
  topics: kindOf(index)?.topics(index) ?? [],
  data: kindOf(index)?.data(index) ?? "0x",
}))
const truth = logs.map((_, index) => kindOf(index)?.truth(index) ?? {})
const names = ["from", "to", "value", "owner", "spender", "price", "isLast", "value_argument"]

const reportOf = (): RequestReport => {
  const text = `### Logs\n${declared.map((event) => `# @abi ${event}\n`).join("")}eth_getLogs [{}]\n`
  const [request] = analyze(parse(text), project.workspace).requests
  if (request?.method === undefined) throw new Error("The sample has no request.")
  const { abi, method } = request
  return {
    request,
    status: "ok",
    calls: 1,
    credits: 255,
    ms: 1,
    checks: [],
    result: logs,
    render: (limit, part = logs, options = {}) => method.render(part, limit, { abi, all: logs, ...options }),
  }
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

const bytesOf = (format: "csv" | "ndjson" | "parquet") =>
  new Uint8Array([...savedColumns(format, reportOf(), logs)].flatMap((piece) => [...piece]))
const textOf = (format: "csv" | "ndjson") => new TextDecoder().decode(bytesOf(format))

/** All rows, as a page that has loaded every slice has them. */
const tableOf = (): PayloadTable => {
  const slices = RowSlices.of(reportOf())
  if (slices === undefined) throw new Error("There are no rows.")
  const first = slices.first()
  let all: RowSlice = first
  while (all.rows.length < count) all = joinSlices(all, slices.from(all.rows.length))
  return { ...first, ...all }
}

const asRows = (columns: ReadonlyArray<string>, cells: ReadonlyArray<ReadonlyArray<unknown>>): Rows =>
  cells.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))

const withoutQuotes = (text: string) => (text.startsWith('"') ? String(JSON.parse(text)) : text)

const views: Readonly<Record<string, () => Promise<Rows> | Rows>> = {
  "the copied rows": () => {
    const { columns, items = [], rows } = tableOf()
    const cells = rows.map((row, index) => row.map((cell) => withoutQuotes(exactCell(cell, items[index]))))
    return asRows(
      columns.map(({ name }) => name),
      cells,
    )
  },
  CSV: () => {
    const [head = [], ...rows] = textOf("csv")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
    return asRows(head, rows)
  },
  NDJSON: () =>
    textOf("ndjson")
      .trimEnd()
      .split("\n")
      .map((line) => Json.parse(line) as Readonly<Record<string, unknown>>),
  Parquet: () => parquetReadObjects({ file: bytesOf("parquet").buffer }),
}

describe("1,000 mixed logs", () => {
  for (const [view, rowsOf] of Object.entries(views))
    it(`have every argument, and no other, in ${view}`, async () => {
      const rows = await rowsOf()
      expect(Object.keys(rows[0] ?? {}).filter((name) => names.includes(name))).toEqual(names)
      const found = rows.map((row) =>
        Object.fromEntries(
          names.flatMap((name) => {
            const value = row[name] ?? ""
            return value === "" ? [] : [[name, String(value)]]
          }),
        ),
      )
      expect(found).toEqual(truth)
    })

  it("have their columns in the table before any other slice is there", () => {
    const slices = RowSlices.of(reportOf())
    const heads = [slices?.first(), slices?.from(500), slices?.from(900)].map((slice) => slice?.columns)
    expect(new Set(heads.map((columns) => columns?.map(({ name }) => name).join())).size).toBe(1)
  })

  describe("are charted whole", () => {
    let charts: ReturnType<typeof chartsOf>
    beforeAll(() => {
      charts = chartsOf(tableOf())
    })
    const chartOf = (title: string) => charts.find((chart) => chart.title === title)
    it("with a point for each value", () => {
      const points = chartOf("value")?.points.filter(({ value }) => value !== undefined) ?? []
      expect(points.map(({ text = "" }) => text.replaceAll(",", ""))).toEqual(truth.flatMap(({ value }) => value ?? []))
    })
    it("and a count of each account", () =>
      expect(chartOf("top addresses in from")?.points.map(({ value }) => value)).toEqual([200, 200, 200]))
  })

  it("say how many were not decoded", () => {
    const pieces = savedColumns("csv", reportOf(), logs)
    let next = pieces.next()
    while (next.done !== true) next = pieces.next()
    expect(next.value).toBe("100 of 1,000 items were not decoded: the columns have what the server sent")
  })
})

describe("what a type of more than 53 bits has is digits in quotes, however small", () => {
  it("in NDJSON", () => expect(textOf("ndjson")).toContain('"value":"2"'))
  it("and a bigint in a program", () => {
    const [first] = logs
    const decoded = Evm.decodeLog(
      first as never,
      Evm.abi("Transfer(address indexed from, address indexed to, uint256 value)"),
    )
    expect(decoded?.args.value).toBe(0n)
  })
})
