import { type Json, type Method, Table } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { block, hash, holder, log, receipt, transaction, transferTopic } from "./samples/values.ts"

/** A table as lines: the summary, the columns, and each row with bars between the cells. */
const lines = (table: Table.Table): ReadonlyArray<string> => [
  Table.summarize(table),
  ...(table.columns.length === 0 ? [] : [table.columns.map((column) => column.name).join(" | ")]),
  ...table.rows.map((row) => row.join(" | ")),
]

const check = (title: string, method: Method, result: unknown, ...expected: ReadonlyArray<string>) =>
  it(`shows ${title}`, () => {
    const table = method.render(result as Json.Json, 100)
    expect(lines(table)).toEqual(expected)
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
  })

const headline = (title: string, changed: object, expected: string) =>
  it(`sums up ${title}`, () =>
    expect(Table.summarize(Evm.GetTransactionReceipt.render({ ...receipt, ...changed }, 0))).toBe(expected))

const word = (digits: string): string => `0x${digits.padStart(64, "0")}`

describe("logs", () => {
  check(
    "a known event by its name, another by its topic, and an anonymous one as such",
    Evm.GetLogs,
    [
      log,
      { ...log, logIndex: "0x3", topics: [hash("0c")], data: "0x" },
      { ...log, logIndex: "0x4", topics: [], data: "0x1234" },
      { ...log, topics: [transferTopic.toUpperCase().replace("0X", "0x")], removed: true },
      { ...log, blockNumber: null, logIndex: null },
    ],
    "5 logs",
    "block | log | address | event | indexed | data",
    "17 | 2 | 0x5fbdb2…180aa3 | Transfer | 0xf39fd6…b92266 | 1,000,000",
    "17 | 3 | 0x5fbdb2…180aa3 | 0x0c0c0c…0c0c0c |  | 0x",
    "17 | 4 | 0x5fbdb2…180aa3 | anonymous |  | 0x1234",
    "17 | 2 | 0x5fbdb2…180aa3 | Transfer (removed) |  | 1,000,000",
    "pending |  | 0x5fbdb2…180aa3 | Transfer | 0xf39fd6…b92266 | 1,000,000",
  )
  check("no logs", Evm.GetLogs, [], "0 logs", "block | log | address | event | indexed | data")
})

describe("blocks", () => {
  check(
    "times in UTC, and which block is pending",
    Evm.GetBlockRange,
    [
      { ...block, transactions: [transaction, transaction] },
      { ...block, number: null, hash: null, transactions: [], gasUsed: "0x0" },
      { ...block, timestamp: "0xffffffffffffffff" },
    ],
    "3 blocks",
    "number | time | transactions | gas used | hash",
    "17 | 2023-11-14T22:13:20Z | 2 | 51,234 | 0xbbbbbb…bbbbbb",
    "pending | 2023-11-14T22:13:20Z | 0 | 0 | ",
    "17 | 18446744073709551615 | 1 | 51,234 | 0xbbbbbb…bbbbbb",
  )
  check(
    "one block is one",
    Evm.GetBlockRange,
    [block],
    "1 block",
    "number | time | transactions | gas used | hash",
    "17 | 2023-11-14T22:13:20Z | 1 | 51,234 | 0xbbbbbb…bbbbbb",
  )
})

describe("a receipt", () => {
  check(
    "a success",
    Evm.GetTransactionReceipt,
    receipt,
    "status success · block 17 · gas used 51,234 · 2 logs",
    "field | value",
    "outcome | status success",
    `transaction | ${hash("aa")}`,
    "index | 0",
    "block | 17",
    `block hash | ${hash("bb")}`,
    `from | ${holder}`,
    "to | 0x5fbdb2315678afecb367f032d93f642f64180aa3",
    "gas used | 51,234",
    "gas used so far in block | 51,234",
    "gas price in wei | 1,000,000,000",
    "type | 2",
    "logs | 2",
  )
  headline("a failure", { status: "0x0", logs: [log] }, "status failure · block 17 · gas used 51,234 · 1 log")
  headline(
    "one from before Byzantium",
    { status: undefined, root: hash("0a") },
    "state root 0x0a0a0a…0a0a0a · block 17 · gas used 51,234 · 2 logs",
  )
  check("one that does not exist", Evm.GetTransactionReceipt, null, "no receipt: unknown or pending transaction")
  it("of a created contract shows its address", () => {
    const table = Evm.GetTransactionReceipt.render({ ...receipt, to: null, contractAddress: holder }, 100)
    expect(lines(table)).toContain(`created contract | ${holder}`)
    expect(lines(table).some((line) => line.startsWith("to |"))).toBe(false)
  })
})

describe("a storage value", () => {
  const value = (title: string, digits: string, ...expected: ReadonlyArray<string>) =>
    check(
      title,
      Evm.GetStorageAt,
      word(digits),
      expected[0] ?? "",
      "as | value",
      `hex | ${word(digits)}`,
      ...expected.slice(1),
    )
  value("zero", "0", "0x0 · 0", "decimal | 0")
  value("an amount", "f4240", "0xf4240 · 1,000,000", "decimal | 1,000,000")
  value(
    "what looks like an address",
    holder.slice(2),
    `0x000000…b92266 · address ${holder}`,
    "decimal | 1,390,849,295,786,071,768,276,380,950,238,675,083,608,645,509,734",
    `address | ${holder}`,
  )
  value(
    "what fills the word",
    "ab".repeat(32),
    "0xabababababababab…abababababababab",
    `decimal | ${Table.groupDigits(BigInt(word("ab".repeat(32))))}`,
  )
})

it("shows no more rows than asked, and still counts all", () => {
  const table = Evm.GetLogs.render([log, log, log], 2)
  expect([table.rows.length, table.total]).toEqual([2, 3])
})
