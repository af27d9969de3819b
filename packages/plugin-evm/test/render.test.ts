import { type Json, type Method, type RenderContext, Table } from "@dotrpc/spec"
import * as AbiParameters from "ox/AbiParameters"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { block, hash, holder, log, receipt, token, transaction, transferTopic, word } from "./samples/values.ts"

/** A table as lines: the summary, the columns, and each row with bars between the cells. */
const lines = (table: Table.Table): ReadonlyArray<string> => [
  Table.summarize(table),
  ...(table.columns.length === 0 ? [] : [table.columns.map((column) => column.name).join(" | ")]),
  ...table.rows.map((row) => row.join(" | ")),
]

const berlin: RenderContext = { timeZone: "Europe/Berlin" }

const check = (title: string, method: Method, result: unknown, ...expected: ReadonlyArray<string>) =>
  checkIn(berlin, title, method, result, ...expected)

const checkIn = (
  context: RenderContext,
  title: string,
  method: Method,
  result: unknown,
  ...expected: ReadonlyArray<string>
) =>
  it(`shows ${title}`, () => {
    const table = method.render(result as Json.Json, 100, context)
    expect(lines(table)).toEqual(expected)
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
  })

const headline = (title: string, changed: object, expected: string) =>
  it(`sums up ${title}`, () =>
    expect(Table.summarize(Evm.GetTransactionReceipt.render({ ...receipt, ...changed }, 0))).toBe(expected))

const transferData = word("f4240")
const mixed = [
  { ...log, data: transferData },
  { ...log, logIndex: "0x3", topics: [hash("0c")], data: "0x" },
  { ...log, logIndex: "0x4", topics: [], data: "0x1234" },
  { ...log, topics: [transferTopic.toUpperCase().replace("0X", "0x")], removed: true },
  { ...log, blockNumber: null, logIndex: null, data: transferData },
] as const

const explorer = { explorer: "https://scan.example" }

describe("logs", () => {
  check(
    "common events by name and argument, another by its topic, and an anonymous one as such",
    Evm.GetLogs,
    mixed,
    "5 logs",
    "block | log | address | event | from | to | value | indexed | data",
    "17 | 2 | 0x5fbdb2…180aa3 | Transfer | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 | 1,000,000 |  | ",
    "17 | 3 | 0x5fbdb2…180aa3 | 0x0c0c0c…0c0c0c |  |  |  |  | 0x",
    "17 | 4 | 0x5fbdb2…180aa3 | anonymous |  |  |  |  | 0x1234",
    "17 | 2 | 0x5fbdb2…180aa3 | Transfer (removed) |  |  |  |  | 1,000,000",
    "pending |  | 0x5fbdb2…180aa3 | Transfer | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 | 1,000,000 |  | ",
  )
  it("says which of them their declaration does not fit", () =>
    expect(Evm.GetLogs.render([...mixed], 100).notes).toEqual([
      "1 log does not fit the declaration of Transfer (removed) that its topic names: topics and data are shown as received",
      "2 of 5 logs are of events that nobody declares: topics and data are shown as received",
    ]))
  it("have the columns of the whole result, whichever part is drawn", () => {
    const abi = Evm.abi("Named(string value)", "Moved(address by, uint256 value)")
    const named = {
      ...log,
      topics: [Evm.event("Named(string)")],
      data: `0x${word("20").slice(2)}${word("0").slice(2)}`,
    }
    const moved = { ...log, topics: [Evm.event("Moved(address,uint256)")], data: `${word("a1")}${word("5").slice(2)}` }
    const all: ReadonlyArray<Json.JsonObject> = [{ ...log, data: transferData }, ...mixed.slice(1, 2), moved, named]
    const columnsOf = (part: ReadonlyArray<Json.JsonObject>) =>
      lines(Evm.GetLogs.render(part, 9, { abi, all, whole: true }))[1]
    const expected =
      "block | log | address | event | from | to | value | by | value_argument | indexed | data | transaction"
    expect([all, ...all.map((one) => [one])].map(columnsOf)).toEqual(Array(5).fill(expected))
  })
  check("no logs", Evm.GetLogs, [], "0 logs", "block | log | address | event")

  const wide = Evm.abi("Wide(uint256 a, bool b, string c, bytes d, uint8[] e, (uint256 x, string y) f, address g)")
  it("have a column for each argument where they are whole, however many there are", () => {
    const wideLog = { ...log, topics: [Evm.event("Wide(uint256,bool,string,bytes,uint8[],(uint256,string),address)")] }
    const data = AbiParameters.encode(types, [1n, true, "text", "0x01", [1], { x: 7n, y: "z" }, holder])
    const logs = [
      { ...log, data: transferData },
      { ...wideLog, data },
    ]
    const namesOf = (part: ReadonlyArray<object>) =>
      Evm.GetLogs.render(part as Json.Json, 9, { abi: wide, whole: true }).columns.map(({ name }) => name)
    const [first = [], second = []] = logs.map((one) => namesOf([one]))
    expect(first).toEqual(["block", "log", "address", "event", "from", "to", "value", "transaction"])
    expect(second).toEqual(["block", "log", "address", "event", "a", "b", "c", "d", "e", "f", "g", "transaction"])
    expect(new Set(namesOf(logs))).toEqual(new Set([...first, ...second]))
  })
  const types = AbiParameters.from("uint256, bool, string, bytes, uint8[], (uint256 x, string y), address")
  checkIn(
    { abi: wide },
    "more arguments than columns in one cell",
    Evm.GetLogs,
    [
      {
        ...log,
        topics: [Evm.event("Wide(uint256,bool,string,bytes,uint8[],(uint256,string),address)")],
        data: AbiParameters.encode(types, [1n, true, "text", "0x01", [1, 2, 3, 4, 5], { x: 7n, y: "z" }, holder]),
      },
    ],
    "1 log",
    "block | log | address | event | arguments",
    '17 | 2 | 0x5fbdb2…180aa3 | Wide | a: 1, b: true, c: "text", d: 0x01, e: [1, 2, 3, … 2 more], f: {x: 7, y: "z"}, g: 0xf39fd6…b92266',
  )
  checkIn(
    { abi: Evm.abi("Transfer(address indexed log, address indexed to, uint256 amount)") },
    "the project's own names before the common ones",
    Evm.GetLogs,
    [{ ...log, data: transferData }],
    "1 log",
    "block | log | address | event | log_argument | to | amount",
    "17 | 2 | 0x5fbdb2…180aa3 | Transfer | 0xf39fd6…b92266 | 0x5fbdb2…180aa3 | 1,000,000",
  )
  it("link to the network's explorer", () =>
    expect(Evm.GetLogs.render([{ ...log, data: transferData }], 1, { network: explorer }).links).toEqual([
      [
        "https://scan.example/block/17",
        `https://scan.example/tx/${hash("aa")}`,
        `https://scan.example/address/${token}`,
        undefined,
        `https://scan.example/address/${holder}`,
        `https://scan.example/address/${token}`,
        undefined,
      ],
    ]))
})

describe("blocks", () => {
  check(
    "times where the reader is, and which block is pending",
    Evm.GetBlockRange,
    [
      { ...block, transactions: [transaction, transaction], baseFeePerGas: "0x4a817c7d" },
      { ...block, number: null, hash: null, transactions: [], gasUsed: "0x0" },
      { ...block, timestamp: "0xffffffffffffffff" },
      { ...block, timestamp: "0x64b0e200" },
    ],
    "4 blocks",
    "number | hex | time | transactions | gas used | base fee | hash",
    "17 | 0x11 | 2023-11-14 23:13:20 +01:00 | 2 | 51,234 | 1.249999997 gwei | 0xbbbbbb…bbbbbb",
    "pending |  | 2023-11-14 23:13:20 +01:00 | 0 | 0 |  | ",
    "17 | 0x11 | 18446744073709551615 | 1 | 51,234 |  | 0xbbbbbb…bbbbbb",
    "17 | 0x11 | 2023-07-14 07:49:52 +02:00 | 1 | 51,234 |  | 0xbbbbbb…bbbbbb",
  )
  checkIn(
    { timeZone: "UTC" },
    "one block as one, and UTC as such",
    Evm.GetBlockRange,
    [block],
    "1 block",
    "number | hex | time | transactions | gas used | base fee | hash",
    "17 | 0x11 | 2023-11-14 22:13:20 +00:00 | 1 | 51,234 |  | 0xbbbbbb…bbbbbb",
  )
  it("link to the network's explorer", () =>
    expect(Evm.GetBlockRange.render([block], 1, { network: explorer }).links?.[0]?.at(-1)).toBe(
      "https://scan.example/block/17",
    ))
})

describe("a receipt", () => {
  check(
    "a success",
    Evm.GetTransactionReceipt,
    {
      ...receipt,
      logs: [
        { ...log, data: transferData },
        { ...log, logIndex: "0x3", topics: log.topics.slice(0, 2), data: "0x1234" },
      ],
    },
    "status success · block 17 · gas used 51,234 · 2 logs",
    "field | value",
    "outcome | status success",
    `transaction | ${hash("aa")}`,
    "index | 0",
    "block | 17 · 0x11",
    `block hash | ${hash("bb")}`,
    `from | ${holder}`,
    "to | 0x5fbdb2315678afecb367f032d93f642f64180aa3",
    "gas used | 51,234",
    "gas used so far in block | 51,234",
    "gas price | 1 gwei",
    "fee | 0.000051234 ether",
    "type | 2 · dynamic fee",
    "logs | 2",
    "log 2 | 0x5fbdb2…180aa3 · Transfer(from: 0xf39fd6…b92266, to: 0x5fbdb2…180aa3, value: 1,000,000)",
    "log 3 | 0x5fbdb2…180aa3 · 0xddf252…23b3ef, 0xf39fd6…b92266, 0x1234 · does not fit Transfer(address,address,uint256)",
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
  value(
    "a short text",
    `${"48656c6c6f".padEnd(62, "0")}0a`,
    '0x48656c…00000a · "Hello"',
    `decimal | ${Table.groupDigits(BigInt(`0x48656c6c6f${"0".repeat(52)}0a`))}`,
    'text | "Hello"',
  )
  value(
    "a moment of this century",
    "6553f100",
    "0x6553f100 · 1,700,000,000",
    "decimal | 1,700,000,000",
    "time | 2023-11-14 23:13:20 +01:00",
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

describe("labels of a project", () => {
  const label = (address: string) => ({ [token]: "Token", [holder]: "Holder" })[address]
  checkIn(
    { ...berlin, label },
    "labels beside the addresses of logs and of their arguments",
    Evm.GetLogs,
    [{ ...log, data: transferData }],
    "1 log",
    "block | log | address | event | from | to | value",
    "17 | 2 | Token (0x5fbdb2…180aa3) | Transfer | Holder (0xf39fd6…b92266) | Token (0x5fbdb2…180aa3) | 1,000,000",
  )
  it("are left out where values are whole", () => {
    const logs: unknown = [{ ...log, data: transferData }]
    const table = Evm.GetLogs.render(logs as Json.Json, 9, { label, whole: true })
    expect(JSON.stringify(table)).not.toContain("Holder")
  })
})

describe("tips of a fee history", () => {
  const fees: unknown = {
    oldestBlock: "0x10",
    baseFeePerGas: ["0x3b9aca00", "0x3b9aca00"],
    gasUsedRatio: [0.5],
    reward: [["0x1", "0x2"]],
  }
  const check = (what: string, params: Json.Json | undefined, expected: ReadonlyArray<string>) =>
    it(`are named ${what}`, () => {
      const sent = params === undefined ? undefined : { params, meanings: [] }
      const { columns } = Evm.GetFeeHistory.render(fees as Json.Json, 9, { sent })
      expect(columns.slice(-2).map(({ name }) => name)).toEqual(expected)
    })
  check("after the percentiles that were asked for", ["0x1", "latest", [10, 99.5]], ["tip p10", "tip p99.5"])
  check("by their place where that is not known", undefined, ["tip 1", "tip 2"])
  check("by their place where other params were sent", { a: [1] }, ["tip 1", "tip 2"])
})

describe("the transaction and the time of a log", () => {
  const transactionHash = hash("0a")
  const timed = { ...log, data: transferData, transactionHash, blockTimestamp: "0x6553f102" }
  const check = (what: string, logs: unknown, context: RenderContext, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { columns, rows } = Evm.GetLogs.render(logs as Json.Json, 9, { ...berlin, ...context })
      const from = columns.findIndex(({ name }) => name === "value") + 1
      expect([columns.slice(from).map(({ name }) => name), ...rows.map((row) => row.slice(from))]).toEqual([
        expected.filter((_, index) => index % 2 === 0),
        ...(expected.length === 0 ? [[]] : [expected.filter((_, index) => index % 2 === 1)]),
      ])
    })
  check("are columns of a table that is looked at closely", [timed], { whole: true }, [
    "time",
    "2023-11-14 23:13:22 +01:00",
    "transaction",
    transactionHash,
  ])
  check("have no room below a call", [timed], {}, [])
  check(
    "leave out the time of a node that does not send it",
    [{ ...timed, blockTimestamp: undefined }],
    { whole: true },
    ["transaction", transactionHash],
  )
  for (const blockTimestamp of ["soon", -7, null, "0x", `0x${"f".repeat(80)}`])
    check(
      `leave out a time that is ${JSON.stringify(blockTimestamp)}`,
      [{ ...timed, blockTimestamp }],
      { whole: true },
      ["transaction", transactionHash],
    )
  it("lead to the explorer", () => {
    const network = { explorer: "https://scan.example" }
    const logs: unknown = [timed]
    const { links } = Evm.GetLogs.render(logs as Json.Json, 9, { network, whole: true })
    expect(links?.[0]?.at(-1)).toBe(`https://scan.example/tx/${transactionHash}`)
  })
})
