import { type ColumnsContext, Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import * as Evm from "../src/Evm.ts"
import { logColumns } from "../src/rows/logColumns.ts"

const word = (text: string) => text.replace("0x", "").padStart(64, "0")
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const [from, to] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`]
const largest = 2n ** 256n - 1n

const log = {
  removed: false,
  blockNumber: "0x112a880",
  blockHash: `0x${"AB".repeat(32)}`,
  transactionHash: `0x${"cd".repeat(32)}`,
  transactionIndex: "0x1",
  logIndex: "0x2",
  address: `0x${"C0".repeat(20)}`,
  topics: [transfer, `0x${word(from)}`, `0x${word(to)}`],
  data: `0x${largest.toString(16)}`,
  blockTimestamp: "0x6553f100",
}

const valuesOf = (context: ColumnsContext, item: Json.Json) => {
  const { columns, row } = logColumns(context)
  const values = row(item)
  expect(values).toHaveLength(columns.length)
  return Object.fromEntries(columns.map(({ name, type }, index) => [`${name} ${type}`, values[index]]))
}

const raw = {
  "block_number int64": 18_000_000n,
  "block_hash text": `0x${"ab".repeat(32)}`,
  "transaction_hash text": log.transactionHash,
  "transaction_index int64": 1n,
  "log_index int64": 2n,
  "address text": `0x${"c0".repeat(20)}`,
  "topic0 text": transfer,
  "topic1 text": log.topics[1],
  "topic2 text": log.topics[2],
  "topic3 text": null,
  "data text": log.data,
}
const last = { "block_time timestamp": 1_700_000_000_000n, "removed boolean": false }
const decoded = {
  "from text": from,
  "to text": to,
  "value integer": largest,
  "event text": "Transfer(address,address,uint256)",
}

describe("logs as columns", () => {
  const check = (context: ColumnsContext, expected: object) => {
    expect(Object.entries(valuesOf(context, log))).toEqual(Object.entries(expected))
  }

  it("have their own members, the time of the block as a time", () => {
    check({ params: [{}] }, { ...raw, "event text": null, ...last })
  })

  it("have the arguments of the events that were named", () => {
    const abi = Evm.abi("event Transfer(address indexed from, address indexed to, uint256 value)")
    check({ params: [{}], abi }, { ...raw, ...decoded, ...last })
  })

  it("have the arguments of a common event that the filter asks for, of both of its kinds", () => {
    const { "event text": event, ...args } = decoded
    check(
      { params: [{ topics: [[transfer.toUpperCase().replace("0X", "0x")]] }] },
      { ...raw, ...args, "tokenId integer": null, "event text": event, ...last },
    )
  })

  it("take the declarations of a project only where the filter asks for them", () => {
    const projectAbi = Evm.abi(
      "event Transfer(address indexed src, address indexed dst, uint256 wad)",
      "event Other(uint256 a)",
    )
    const names = (params: Json.Json) =>
      logColumns({ params, projectAbi })
        .columns.map(({ name }) => name)
        .slice(11)
    expect(names([{}])).toEqual(["event", "block_time", "removed"])
    expect(names([{ topics: [transfer] }])).toEqual(["src", "dst", "wad", "event", "block_time", "removed"])
  })

  it("have the arguments of the events that are among the items, where these are known", () => {
    const names = (items: ReadonlyArray<Json.Json>) =>
      logColumns({ params: [{}], items })
        .columns.map(({ name }) => name)
        .slice(11, -3)
    expect(names([{ ...log, topics: ["0x12"] }])).toEqual([])
    expect(names([1, { ...log, topics: ["0x12"] }, log])).toEqual(["from", "to", "value"])
    const one = { ...log, topics: [...log.topics, `0x${word("7")}`], data: "0x" }
    expect(names([one])).toEqual(["from", "to", "tokenId"])
  })

  it("are raw where no event fits", () => {
    const abi = Evm.abi("event Transfer(address indexed from, uint256 indexed to, uint8 value)")
    const values = valuesOf({ params: [{}], abi }, log)
    expect(values).toMatchObject({ ...raw, "from text": null, "value int64": null, "event text": null })
  })
})

describe("columns of arguments", () => {
  const check = (declarations: ReadonlyArray<string>, expected: ReadonlyArray<string>) => {
    const { columns } = logColumns({ params: [{}], abi: Evm.abi(...declarations) })
    expect(columns.slice(11, -3).map(({ name, type }) => `${name} ${type}`)).toEqual(expected)
  }

  it("have the narrowest type that holds every value of the declared one", () => {
    check(
      [
        "event E(uint8 a, int64 b, uint64 c, uint72 d, int256 e, bool f, address g, bytes h, bytes4 i, string j, uint256[] k, (uint8 x, bool y) l)",
      ],
      [
        "a int64",
        "b int64",
        "c uint64",
        "d integer",
        "e integer",
        "f boolean",
        "g text",
        "h text",
        "i text",
        "j text",
      ].concat(["k json", "l json"]),
    )
  })

  it("are shared by events that have the same name and type for them", () => {
    check(
      ["event A(address who, uint256 value)", "event B(address who, uint8 value)"],
      ["who text", "value integer", "value_argument int64"],
    )
  })

  it("never take the name of another column, in any case", () => {
    check(
      ["event A(uint8 data, uint8 Address)", "event B(bool data)"],
      ["data_argument int64", "Address_argument int64", "B_data boolean"],
    )
  })

  it("hold the hash of what is indexed and longer than a topic", () => {
    check(["event A(string indexed a, uint256[] indexed b)"], ["a text", "b text"])
  })

  it("keep every digit inside lists", () => {
    const abi = Evm.abi("event E(uint256[] ids, (uint64 a, uint8 b) t)")
    const [topic] = [Evm.event("E(uint256[],(uint64,uint8))")]
    const words = [96n, 1n, 2n, 2n, largest, 1n].map((value) => word(value.toString(16))).join("")
    const values = valuesOf({ params: [{}], abi }, { ...log, topics: [topic], data: `0x${words}` })
    expect(values).toMatchObject({ "ids json": `["${largest}","1"]`, "t json": '{"a":"1","b":2}' })
  })
})

it("takes any JSON for a log", () => {
  const { columns, row } = logColumns({ params: "x", abi: Evm.abi("event E(uint8 a)") })
  for (const item of [
    "[]",
    "1",
    '{"topics":[1],"data":2,"blockNumber":"0x"}',
    '{"blockTimestamp":"0xffffffffffffffff"}',
  ])
    expect(row(Json.parse(item))).toEqual(columns.map(() => null))
})
