import { Json, type Method, showPath } from "@dotrpc/spec"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { block, bloom, hash, log, receipt, transaction } from "./samples/values.ts"

const recorded = (node: string): Json.JsonObject => {
  const value = Json.parse(readFileSync(new URL(`samples/${node}.json`, import.meta.url), "utf8"))
  if (!Json.isObject(value)) throw new TypeError(`${node}.json is not an object`)
  return value
}

const issueOf = (method: Method, result: Json.Json): string | undefined => {
  const issue = method.resultIssue(result)
  return issue === undefined ? undefined : `${showPath(issue.path).replace("params", "result")}: ${issue.message}`
}

const suite = (method: Method) => ({
  accepts: (title: string, result: unknown) =>
    it(`accepts ${title}`, () => expect(issueOf(method, result as Json.Json)).toBeUndefined()),
  refuses: (title: string, result: unknown, expected: string) =>
    it(`refuses ${title}`, () => expect(issueOf(method, result as Json.Json)).toBe(expected)),
})

const without = <T extends object>(value: T, ...names: ReadonlyArray<keyof T>): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as keyof T)))

describe("a storage value", () => {
  const { accepts, refuses } = suite(Evm.GetStorageAt)
  accepts("of 32 bytes", hash("00"))
  refuses(
    "that is not padded",
    "0x0",
    'result: expected a storage value of 32 bytes (0x and 64 hex digits), found 1 digit in "0x0"',
  )
})

describe("the receipts of a block", () => {
  const { accepts, refuses } = suite(Evm.GetBlockReceipts)
  const failed = { ...receipt, status: "0x0" }
  const other = { ...failed, transactionHash: hash("77") }
  const contradiction = `result: expected one receipt for each transaction, found two different ones for ${receipt.transactionHash}`
  accepts("of two transactions", [receipt, other])
  accepts("one of them twice", [receipt, other, receipt])
  refuses("that contradict each other", [receipt, failed], contradiction)
  refuses("that contradict each other in the end", [receipt, other, failed], contradiction)
  refuses(
    "that contradict each other in capitals",
    [{ ...failed, transactionHash: `0x${receipt.transactionHash.slice(2).toUpperCase()}` }, receipt],
    contradiction,
  )
})

describe("logs", () => {
  const { accepts, refuses } = suite(Evm.GetLogs)
  accepts("none", [])
  accepts("a mined log", [log])
  accepts("a pending log", [
    { ...log, logIndex: null, transactionIndex: null, transactionHash: null, blockHash: null, blockNumber: null },
  ])
  accepts("an anonymous event", [{ ...log, topics: [] }])
  accepts("no data", [{ ...log, data: "0x" }])
  accepts("members the service does not document", [{ ...log, blockTimestamp: "0x6553f100", l1BatchNumber: null }])
  accepts("quantities with leading zeros", [{ ...log, blockNumber: "0x0011" }])
  for (const name of ["removed", "logIndex", "transactionIndex"] as const) {
    accepts(`a log without ${name}`, [without(log, name)])
    accepts(`a log in which ${name} is null`, [{ ...log, [name]: null }])
  }
  for (const name of ["address", "blockHash", "blockNumber", "data", "topics", "transactionHash"] as const)
    refuses(`a log without ${name}`, [without(log, name)], `result[0].${name}: "${name}" is missing`)
  it("refuses a digit that is not one, wherever it stands", () => {
    for (const [name, digits] of [
      ["data", "00".repeat(37)],
      ["address", "00".repeat(20)],
      ["logIndex", "012345"],
    ] as const) {
      for (let index = 0; index < digits.length; index++) {
        for (const wrong of ["g", "/", "\u0130", "\uff11"]) {
          const value = `0x${digits.slice(0, index)}${wrong}${digits.slice(index + 1)}`
          expect(issueOf(Evm.GetLogs, [{ ...log, [name]: value }])).toContain(`at character ${index + 3} of`)
        }
      }
    }
  })
  refuses(
    "five topics",
    [{ ...log, topics: Array(5).fill(hash("01")) }],
    "result[0].topics: expected at most 4 topics, found 5",
  )
  refuses(
    "data of half a byte",
    [{ ...log, data: "0x123" }],
    'result[0].data: expected data in hex (0x and two digits for each byte), found an odd number of digits in "0x123"',
  )
  refuses(
    "a decimal block number",
    [{ ...log, blockNumber: 17 }],
    'result[0].blockNumber: expected a quantity in hex such as "0x1b4" or null, found 17',
  )
  accepts("a block number of 256 bits", [{ ...log, blockNumber: `0x${"f".repeat(64)}` }])
  refuses(
    "a block number of more than 256 bits",
    [{ ...log, blockNumber: `0x1${"0".repeat(64)}` }],
    'result[0].blockNumber: expected a quantity in hex such as "0x1b4", found 65 digits, more than 256 bits have, in "0x1000000000…00000000"',
  )
})

describe("blocks", () => {
  const { accepts, refuses } = suite(Evm.GetBlockRange)
  accepts("a block with hashes", [block])
  accepts("a block with full transactions", [{ ...block, transactions: [transaction] }])
  accepts("a transaction that creates a contract", [{ ...block, transactions: [{ ...transaction, to: null }] }])
  accepts("the pending block", [{ ...block, hash: null, logsBloom: null, nonce: null, number: null, miner: null }])
  accepts("a block without the total difficulty", [without(block, "totalDifficulty")])
  accepts("members the service does not document", [{ ...block, withdrawals: [], requestsHash: hash("05") }])
  const read = new Set(["gasLimit", "gasUsed", "hash", "number", "parentHash", "timestamp", "transactions"])
  for (const name of Object.keys(block)) {
    if (read.has(name))
      refuses(
        `a block without ${name}`,
        [without(block, name as keyof Evm.Block)],
        `result[0].${name}: "${name}" is missing`,
      )
    else {
      accepts(`a block without ${name}`, [without(block, name as keyof Evm.Block)])
      accepts(`a block in which ${name} is null`, [{ ...block, [name]: null }])
    }
  }
  refuses(
    "a bad hash among the transactions",
    [{ ...block, transactions: [hash("aa"), "0xaa"] }],
    'result[0].transactions[1]: expected a hash of 32 bytes (0x and 64 hex digits), found 2 digits in "0xaa"',
  )
  refuses(
    "a full transaction without its sender",
    [{ ...block, transactions: [without(transaction, "from")] }],
    'result[0].transactions[0].from: "from" is missing',
  )
  refuses(
    "a short bloom filter",
    [{ ...block, logsBloom: "0x00" }],
    'result[0].logsBloom: expected a bloom filter of 256 bytes (0x and 512 hex digits), found 2 digits in "0x00"',
  )
})

describe("a receipt", () => {
  const { accepts, refuses } = suite(Evm.GetTransactionReceipt)
  accepts("null, for a pending or unknown transaction", null)
  accepts("with a status", receipt)
  accepts("of a failure", { ...receipt, status: "0x0" })
  accepts("with a root, before Byzantium", { ...without(receipt, "status"), root: hash("0a") })
  accepts("with a root and a null status", { ...receipt, status: null, root: hash("0a") })
  accepts("of a created contract", { ...receipt, to: null, contractAddress: receipt.from })
  accepts("without type and gas price, from an old node", without(receipt, "type", "effectiveGasPrice"))
  accepts("with both status and root", { ...receipt, root: hash("0a") })
  accepts("with neither status nor root", without(receipt, "status"))
  refuses(
    "with a bad log",
    { ...receipt, logs: [{ ...log, address: bloom }] },
    'result.logs[0].address: expected an address of 20 bytes (0x and 40 hex digits), found 512 digits in "0x0000000000…00000000"',
  )
  for (const name of ["blockHash", "blockNumber", "from", "gasUsed", "logs", "transactionHash"] as const)
    refuses(`without ${name}`, without(receipt, name), `result.${name}: "${name}" is missing`)
  for (const name of [
    "contractAddress",
    "cumulativeGasUsed",
    "effectiveGasPrice",
    "logsBloom",
    "to",
    "transactionIndex",
  ]) {
    accepts(`without ${name}`, without(receipt, name as keyof Evm.Receipt))
    accepts(`in which ${name} is null`, { ...receipt, [name]: null })
  }
})

describe("what real nodes sent", () => {
  const anvil = recorded("anvil")
  const hardhat = recorded("hardhat")
  const cases: ReadonlyArray<[title: string, method: Method, result: Json.Json | undefined]> = [
    ["logs of anvil 1.7.1", Evm.GetLogs, anvil.logs],
    ["a receipt of anvil 1.7.1", Evm.GetTransactionReceipt, anvil.receipt],
    ["a storage value of anvil 1.7.1", Evm.GetStorageAt, anvil.storage],
    ["a block of anvil 1.7.1 with transactions", Evm.GetBlockRange, [anvil.full ?? null]],
    ["a block of anvil 1.7.1 with hashes", Evm.GetBlockRange, [anvil.hashes ?? null]],
    ["logs of hardhat 3", Evm.GetLogs, hardhat.logs],
    ["a receipt of hardhat 3", Evm.GetTransactionReceipt, hardhat.receipt],
    ["a block of hardhat 3 with transactions", Evm.GetBlockRange, [hardhat.full ?? null]],
    ["the pending block of hardhat 3", Evm.GetBlockRange, [hardhat.pending ?? null]],
  ]
  for (const [title, method, result] of cases) {
    it(`accepts ${title}`, () => {
      expect(result).toBeDefined()
      expect(issueOf(method, result ?? "absent")).toBeUndefined()
    })
  }
})
