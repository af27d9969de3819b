import { Evm } from "@dotrpc/plugin-evm"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { nodeOver, Refusal } from "../src/replayNode.ts"
import { replayed, token, transferTopic } from "../src/replayed.ts"

const chain = replayed(2_000)
const ask = nodeOver(chain, 10_000)
const hex = (value: number) => `0x${value.toString(16)}`
const all = { fromBlock: "0x0", toBlock: hex(chain.last) }

const logs = (filter: object) =>
  Schema.decodeUnknownSync(Evm.GetLogs.result)(JSON.parse(ask("eth_getLogs", [{ ...all, ...filter }])))
const block = (number: string, full: boolean) =>
  Schema.decodeUnknownSync(Evm.GetBlockByNumber.result)(JSON.parse(ask("eth_getBlockByNumber", [number, full])))

describe("the replayed node", () => {
  it("has each log in a block and a transaction that it tells of", () => {
    const found = logs({})
    expect(found).toHaveLength(chain.logs)
    for (const log of found) {
      const its = block(log.blockNumber ?? "", true)
      expect(its?.hash).toBe(log.blockHash)
      expect(its?.transactions).toContainEqual(
        expect.objectContaining({ hash: log.transactionHash, transactionIndex: log.transactionIndex }),
      )
      expect([log.blockHash, log.transactionHash]).not.toContain(hex(0).padEnd(66, "0"))
    }
  })

  it("links each block to the one before, and finds it by its hash", () => {
    for (let number = 1; number <= chain.last; number++) {
      const its = block(hex(number), false)
      expect(its?.parentHash).toBe(block(hex(number - 1), false)?.hash)
      expect(JSON.parse(ask("eth_getBlockByHash", [its?.hash, false]))).toStrictEqual(its)
    }
  })

  it("goes on after the logs, and ends", () => {
    const [final, newest] = ["finalized", "latest"].map((tag) => Number(block(tag, false)?.number))
    expect(final).toBeGreaterThan(chain.last)
    expect(newest).toBeGreaterThan(final ?? Infinity)
    expect(block(hex((newest ?? 0) + 1), false)).toBeNull()
  })

  it("answers with logs of the contract and event that are asked for", () => {
    expect(logs({ address: token.toUpperCase().replace("X", "x"), topics: [transferTopic] })).toHaveLength(chain.logs)
    expect(logs({ address: [token], topics: [[transferTopic]] })).toHaveLength(chain.logs)
    expect(logs({ address: `0x${"cd".repeat(20)}` })).toHaveLength(0)
    expect(logs({ topics: [`0x${"cd".repeat(32)}`] })).toHaveLength(0)
  })

  it("has transfers of a token", () => {
    const event = Evm.abi("event Transfer(address indexed from, address indexed to, uint256 value)")
    for (const log of logs({})) expect(Evm.decodeLog(log, event)?.event).toBe("Transfer")
  })

  it("refuses what it does not know, and too many logs", () => {
    expect(() => ask("eth_call", [])).toThrow(Refusal)
    expect(() => ask("eth_getLogs", [{ ...all, topics: [null, transferTopic] }])).toThrow(Refusal)
    expect(() => nodeOver(chain, 100)("eth_getLogs", [all])).toThrow("query returned more than 100 results")
  })
})
