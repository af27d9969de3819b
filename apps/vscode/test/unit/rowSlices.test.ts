/** A long result is drawn in slices: none is long, and together they are all of it. */
import type { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { resultPayload, rowsMessage } from "../../src/notebook/payload.ts"
import type { PayloadTable, RowsMessage, RowSlice } from "../../src/results/ResultPayload.ts"
import { joinSlices } from "../../src/results/joinSlices.ts"
import { RowLoader } from "../../src/renderer/RowLoader.ts"
import { columnOf } from "@dotrpc/report"
import { report } from "./reports.ts"

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`

const log = (index: number, topics: ReadonlyArray<string>): Json.Json => ({
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  topics,
  data: word(index),
  blockNumber: `0x${(index >> 3).toString(16)}`,
  transactionHash: word(index),
  transactionIndex: "0x0",
  blockHash: word(index >> 3),
  logIndex: `0x${index.toString(16)}`,
  removed: false,
})

/** A report of these logs, and how many rows were drawn each time. */
const reportOf = (logs: ReadonlyArray<Json.Json>) => {
  const sample = report()
  const { method } = sample.request
  if (method === undefined) throw new Error("The sample has no method.")
  const drawn: Array<number> = []
  const render = (limit: number, part: Json.Json = logs) => {
    const table = method.render(part, limit)
    drawn.push(table.rows.length)
    return table
  }
  return { drawn, report: { ...sample, result: logs, render } }
}

/** What an output holds once it has asked for every row, and what it was sent. */
const load = (source: ReturnType<typeof reportOf>["report"]) => {
  const { table } = resultPayload(source, 7)
  if (table === undefined) throw new Error("There is no table.")
  const asked: Array<number> = []
  const sent: Array<RowsMessage> = []
  let complete: PayloadTable | undefined
  const loader = new RowLoader(7, table, {
    ask: ({ from }) => void asked.push(from),
    take: () => undefined,
    complete: (loaded) => {
      complete = loaded
    },
    gone: () => undefined,
  })
  for (let from = asked.shift(); from !== undefined; from = asked.shift()) {
    const message = rowsMessage(source, 7, from)
    sent.push(message)
    loader.receive(message)
  }
  return { first: table, sent, complete }
}

describe("10,000 logs", () => {
  const logs = Array.from({ length: 10_000 }, (_, index) => log(index, [transfer, word(index), word(index * 7)]))
  const { drawn, report: source } = reportOf(logs)
  const { complete, first, sent } = load(source)

  test("are drawn in twenty slices, the first of which is shown at once", () => {
    expect(first.rows.length).toBe(500)
    expect(first.summary).toBe("10,000 logs")
    expect(sent.map(({ from }) => from)).toEqual(Array.from({ length: 19 }, (_, index) => (index + 1) * 500))
    // Readings that draw nothing count the rows.
    expect(drawn.filter((rows) => rows > 0)).toEqual(Array.from({ length: 20 }, () => 500))
  })

  test("are all there in the end, with what is behind each", () => {
    const whole = source.render(Number.POSITIVE_INFINITY)
    expect(complete?.rows).toEqual(whole.rows)
    expect(complete?.columns.map(({ name }) => name)).toEqual(whole.columns.map(({ name }) => name))
    expect(complete?.items?.map((item) => JSON.parse(item).logIndex)).toEqual(
      logs.map((_, index) => `0x${index.toString(16)}`),
    )
  })
})

describe("a column that comes late", () => {
  const known = (index: number) => log(index, [transfer, word(1), word(2)])
  const unknown = (index: number) => log(index, [word(99), word(3)])
  const check = (logs: ReadonlyArray<Json.Json>) => {
    const { report: source } = reportOf(logs)
    const { complete } = load(source)
    const whole = source.render(Number.POSITIVE_INFINITY)
    expect(complete?.columns.map(({ name }) => name)).toEqual(whole.columns.map(({ name }) => name))
    expect(complete?.columns.map(({ numeric }) => numeric)).toEqual(whole.columns.map(({ align }) => align === "right"))
    expect(complete?.rows).toEqual(whole.rows)
  }
  const many = (make: (index: number) => Json.Json) => Array.from({ length: 500 }, (_, index) => make(index))

  test("stands behind the others where it would without slices", () => check([...many(known), unknown(500)]))
  test("stands between them where it would without slices", () => check([...many(unknown), known(500)]))

  test("is where it is in the whole, wherever a table is cut", () => {
    const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(kinds, fc.array(fc.nat(11), { maxLength: 3 }), (isKnown, cuts) => {
        const logs = isKnown.map((kind, index) => (kind ? known : unknown)(index))
        const { render } = reportOf(logs).report
        const sliceOf = (from: number, to: number | undefined): RowSlice => {
          const { columns, rows } = render(Number.POSITIVE_INFINITY, logs.slice(from, to))
          return { columns: columns.map(columnOf), rows }
        }
        const places = [0, ...cuts.toSorted((left, right) => left - right)]
        const slices = places
          .map((from, index) => sliceOf(from, places[index + 1]))
          .filter(({ rows }) => rows.length > 0)
        expect(slices.reduce(joinSlices)).toEqual(sliceOf(0, undefined))
      }),
    )
  })
})

test("a table that fits is complete at once, and asks for nothing", () => {
  const { complete, first, sent } = load(reportOf([log(0, [transfer, word(1), word(2)])]).report)
  expect([complete, sent]).toEqual([first, []])
})

test("a result that is gone has no more rows", () => {
  expect(rowsMessage(undefined, 7, 500)).toEqual({ kind: "rows", id: 7, from: 500, columns: [], rows: [] })
})

test("rows of another result, or asked for before, are left alone", () => {
  const { report: source } = reportOf(
    Array.from({ length: 1_200 }, (_, index) => log(index, [transfer, word(1), word(2)])),
  )
  const { table } = resultPayload(source, 7)
  if (table === undefined) throw new Error("There is no table.")
  const counts: Array<number> = []
  let gone = 0
  const loader = new RowLoader(7, table, {
    ask: () => undefined,
    take: ({ rows }) => void counts.push(rows.length),
    complete: () => undefined,
    gone: () => void gone++,
  })
  loader.receive(rowsMessage(source, 8, 500))
  loader.receive(rowsMessage(source, 7, 500))
  loader.receive(rowsMessage(source, 7, 500))
  loader.receive(rowsMessage(undefined, 7, 1_000))
  expect([counts, gone]).toEqual([[1_000], 1])
})

test("cells with labelled addresses come with what is shown instead, and stay whole themselves", () => {
  const logs = [log(1, [transfer, word(1), word(2)])]
  const { report: source } = reportOf(logs)
  const { network } = source.request
  if (network === undefined) throw new Error("The sample has no network.")
  const labels = { "0x5fbdb2315678afecb367f032d93f642f64180aa3": "Token", "0x2": "Two" }
  const render = (limit: number, part: Json.Json = logs) =>
    source.request.method?.render(part, limit, { whole: true }) ?? { total: 0, columns: [], rows: [] }
  const labelled = { ...source, render, request: { ...source.request, network: { ...network, labels } } }
  const { table } = resultPayload(labelled, 7)
  expect(table?.rows[0]?.slice(0, 3)).toEqual(["0", "1", "0x5fbdb2315678afecb367f032d93f642f64180aa3"])
  expect(table?.labels).toEqual({
    "0x5fbdb2315678afecb367f032d93f642f64180aa3": "Token (0x5fbdb2…180aa3)",
    "0x0000000000000000000000000000000000000002": "Two (0x000000…000002)",
  })
})
