import { type BlockRange, type Json, rangeOn } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"

const rangeOf = (method: { readonly range?: BlockRange | undefined }): BlockRange => {
  if (method.range === undefined) throw new Error("the method has no range")
  return method.range
}

const logs = rangeOf(Evm.GetLogs)
const blocks = rangeOf(Evm.GetBlockRange)

const [first, second, third] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}`)
const topics = ["a", "b"].map((digit) => `0x${digit.repeat(64)}`)

describe("the blocks of a call", () => {
  const check = (range: BlockRange, params: Json.Json, expected: unknown) =>
    it(JSON.stringify(params), () => expect(range.of(params)).toEqual(expected))
  check(logs, [{ fromBlock: "0x10", toBlock: "0x20" }], { from: 16, to: 32 })
  check(logs, [{}], { from: "latest", to: "latest" })
  check(logs, [{ fromBlock: null, toBlock: "finalized" }], { from: "latest", to: "finalized" })
  check(logs, [{ blockHash: `0x${"1".repeat(64)}` }], undefined)
  check(logs, [{ fromBlock: 16 }], undefined)
  check(blocks, ["0x10", "latest", true], { from: 16, to: "latest" })
})

describe("a network looks a block up by what it has", () => {
  const check = (methods: Readonly<Record<string, boolean>> | undefined, expected: string | undefined) =>
    it(JSON.stringify(methods ?? "of which nothing is known"), () => {
      const { lookUp } = rangeOn(Evm.GetLogs, { methods }) ?? {}
      expect(lookUp?.("finalized")?.method.name).toBe(expected)
    })
  check(undefined, "eth_getBlockByNumber")
  check({ eth_getBlockRange: true, eth_chainId: false }, "eth_getBlockByNumber")
  check({ eth_getBlockByNumber: false }, undefined)
})

describe("the same call over other blocks", () => {
  it("keeps everything else of a filter", () => {
    const filter = { address: first ?? "", fromBlock: "earliest", toBlock: "latest", topics: [null] }
    expect(logs.narrow([filter], 1, 255)).toEqual([{ ...filter, fromBlock: "0x1", toBlock: "0xff" }])
  })
  it("keeps whether transactions are wanted", () =>
    expect(blocks.narrow(["0x0", "0x9", true], 3, 4)).toEqual(["0x3", "0x4", true]))
})

describe("a filter is divided", () => {
  const check = (name: string, filter: Json.JsonObject, expected: ReadonlyArray<Json.Json> | undefined) =>
    it(name, () => {
      const division = logs.divide?.([filter])
      const parts = Array.from({ length: division?.alternatives ?? 0 }, (_, index) => division?.pick([index]))
      expect(division === undefined ? undefined : parts).toEqual(expected)
    })
  check(
    "by address, each of them once",
    { address: [first ?? "", second ?? "", (first ?? "").toUpperCase().replace("X", "x")] },
    [[{ address: [(first ?? "").toUpperCase().replace("X", "x")] }], [{ address: [second ?? ""] }]],
  )
  check("by the first position with several topics", { address: [first ?? ""], topics: [null, topics] }, [
    [{ address: [first ?? ""], topics: [null, [topics[0] ?? ""]] }],
    [{ address: [first ?? ""], topics: [null, [topics[1] ?? ""]] }],
  ])
  check("not by topics of which one may be any", { topics: [[...topics, null]] }, undefined)
  check("not by an empty list, which means any", { topics: [[]], address: [] }, undefined)
  check("not by one address and one topic", { address: third ?? "", topics: [topics[0] ?? ""] }, undefined)

  it("so that a log belongs to one part", () => {
    const division = logs.divide?.([{ address: [first ?? "", second ?? ""] }])
    expect(division?.indexOf({ address: second ?? "" })).toBe(1)
    expect(division?.indexOf({ address: third ?? "" })).toBeUndefined()
  })
})

describe("a block is looked up", () => {
  const check = (range: BlockRange, ref: number | string, params: Json.Json, result: Json.Json, expected: unknown) =>
    it(`${ref} as ${JSON.stringify(result)}`, () => {
      const way = range.lookUp?.(ref)
      expect(way?.method.name).toBe("eth_getBlockByNumber")
      expect(way?.params).toEqual(params)
      expect(way?.read(result)).toEqual(expected)
    })
  check(logs, 255, ["0xff", false], { number: "0xff", hash: "0x1" }, { number: 255, hash: "0x1" })
  check(blocks, "latest", ["latest", false], { number: "0x1", hash: "0x2" }, { number: 1, hash: "0x2" })
  check(logs, "latest", ["latest", false], { number: null, hash: null }, undefined)
  check(logs, 255, ["0xff", false], null, undefined)

  it("not for a tag whose block has no number", () => expect(logs.lookUp?.("pending")).toBeUndefined())
})

describe("the place of a log in its block", () => {
  const check = (log: Json.JsonObject, expected: number | undefined) =>
    it(JSON.stringify(log), () => expect(logs.order?.(log)).toBe(expected))
  check({ logIndex: "0xa" }, 10)
  check({ logIndex: 10 }, 10)
  check({ logIndex: null }, undefined)
  check({ logIndex: `0x${"f".repeat(64)}` }, undefined)
  check({}, undefined)
})

describe("a reorganization", () => {
  it("takes back logs behind tags that may change", () => {
    const tags = ["latest", "safe", "finalized", "earliest"]
    expect(tags.filter((tag) => logs.reorg?.mayChange(tag))).toEqual(["latest", "safe"])
    expect(logs.reorg?.removed({ data: "0x", removed: false })).toEqual({ data: "0x", removed: true })
  })
})
