import { describe, expect, it } from "vitest"
import { type Block, type ChainStore, Gateway, generateChain, type Log, memoryChain } from "../src/index.ts"
import { emptyChain } from "./emptyChain.ts"
import { call } from "./gatewayRequests.ts"

const everything = [{ fromBlock: "0x0", toBlock: "latest" }]
const error = (code: number, message: string) => ({ error: { code, message } })

/** A chain whose block `number` holds `counts[number]` logs, all alike. */
const chainOf = (counts: ReadonlyArray<number>): ChainStore => {
  const blocks = emptyChain()
  return memoryChain(
    counts.map((count, number) => {
      const block: Block = { ...blockAt(blocks, 0), number: `0x${number.toString(16)}` }
      return {
        block,
        receipts: [{ ...emptyReceipt(block), logs: Array.from({ length: count }, () => emptyLog(block)) }],
      }
    }),
  )
}

const blockAt = (chain: ChainStore, number: number): Block => {
  const block = chain.blockByNumber(number)
  if (block === undefined) throw new Error(`no block ${number}`)
  return block
}

const emptyLog = (block: Block): Log => ({
  removed: false,
  logIndex: "0x0",
  transactionIndex: "0x0",
  transactionHash: block.hash,
  blockHash: block.hash,
  blockNumber: block.number,
  address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  data: "0x",
  topics: [],
})

const emptyReceipt = (block: Block) => ({
  blockHash: block.hash,
  blockNumber: block.number,
  contractAddress: null,
  cumulativeGasUsed: "0x0" as const,
  effectiveGasPrice: "0x0" as const,
  from: block.miner,
  gasUsed: "0x0" as const,
  logsBloom: block.logsBloom,
  to: null,
  transactionHash: block.hash,
  transactionIndex: "0x0" as const,
  type: "0x0" as const,
  status: "0x1" as const,
})

describe("10,000 results", () => {
  it("are answered", async () => {
    const { result } = await call(Gateway.make({ chain: chainOf([4_000, 6_000]) }), "eth_getLogs", everything)
    expect(result).toHaveLength(10_000)
  })
  it("and one more are not", async () => {
    const reply = await call(Gateway.make({ chain: chainOf([4_000, 6_001]) }), "eth_getLogs", everything)
    expect(reply).toEqual(error(-32005, "query returned more than 10000 results"))
  })
})

describe("hints", () => {
  const hinted = (counts: ReadonlyArray<number>) =>
    call(Gateway.make({ chain: chainOf(counts), hints: true }), "eth_getLogs", everything)
  it("offer the longest range that fits", async () => {
    expect(await hinted([4_000, 6_000, 0, 1, 9])).toEqual({
      error: {
        code: -32005,
        message: "query returned more than 10000 results. Try with this block range [0x0, 0x2].",
        data: { from: "0x0", limit: 10_000, to: "0x2" },
      },
    })
  })
  it("offer nothing when the first block alone holds too many", async () => {
    expect(await hinted([10_001])).toEqual(error(-32005, "query returned more than 10000 results"))
  })
})

describe("10 seconds", () => {
  const slow = (millis: number) =>
    call(Gateway.make({ chain: emptyChain(), queryMillis: ({ blocks }) => blocks * millis }), "eth_getLogs", everything)
  it("are enough for a query that takes exactly as long", async () => {
    expect(await slow(2_500)).toEqual({ result: [] })
  })
  it("are all a query gets", async () => {
    expect(await slow(2_501)).toEqual(error(-32005, "query timeout exceeded"))
  })
})

describe("5,000 addresses and topics", () => {
  const gateway = Gateway.make({ chain: emptyChain() })
  const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
  const topic = `0x${"1".repeat(64)}`
  const query = (addresses: number, topics: number) =>
    call(gateway, "eth_getLogs", [
      {
        address: Array.from({ length: addresses }, () => address),
        topics: [Array.from({ length: topics }, () => topic), topic],
      },
    ])
  it("are accepted", async () => {
    expect(await query(2_000, 2_999)).toEqual({ result: [] })
  })
  it("and one more are not", async () => {
    expect(await query(2_000, 3_000)).toEqual(
      error(-32602, "This query contains 5001 filters. The current limit is 5000."),
    )
  })
})

it("a range of exactly 1,000 blocks is answered", async () => {
  const chain = generateChain({ blocks: 1_000, logs: 0 })
  const { result } = await call(Gateway.make({ chain }), "eth_getBlockRange", ["0x0", "latest", false])
  expect(result).toHaveLength(1_000)
})

it("the size of the sample is checked before anything is generated", () => {
  expect(() => Gateway.make({ sample: { blocks: 0 } })).toThrow(RangeError)
  expect(() => Gateway.make({ sample: { seed: 0.5 } })).toThrow(RangeError)
})
