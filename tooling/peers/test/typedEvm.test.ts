/**
 * The typed calls of the EVM plugin beside those of viem and ethers, on two nodes. What the clients turned into numbers
 * is turned back by each client's own rules, written out here field by field; everything else has to be the same as it is.
 */
import { Evm } from "@dotrpc/plugin-evm"
import { getAddress, JsonRpcProvider } from "ethers"
import { createPublicClient, http, numberToHex } from "viem"
import { anvil } from "viem/chains"
import { afterAll, describe, expect, inject, it } from "vitest"
import { typedCalls } from "../src/TypedCalls.ts"
import { questions } from "./questions.ts"

type Fields = Readonly<Record<string, (value: Evm.Hex) => unknown>>

/** A copy with some members read as numbers; those that are `null` or absent stay so. */
const read = (value: object, fields: Fields): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const convert = fields[name]
      return [name, convert === undefined || member === null ? member : convert(member)]
    }),
  )

const big = Evm.quantity
const int = (value: Evm.Hex) => Number(big(value))

const viemLog = (log: Evm.Log): object =>
  read(log, { blockNumber: big, blockTimestamp: big, logIndex: int, transactionIndex: int })

const kinds = new Map(Object.entries({ "0x0": "legacy", "0x1": "eip2930", "0x2": "eip1559", "0x3": "eip4844" }))

const viemReceipt = (receipt: Evm.Receipt): object => ({
  ...read(receipt, {
    blobGasPrice: big,
    blobGasUsed: big,
    blockNumber: big,
    cumulativeGasUsed: big,
    effectiveGasPrice: big,
    gasUsed: big,
    status: (status) => (status === "0x1" ? "success" : "reverted"),
    transactionIndex: int,
    type: (type) => kinds.get(type),
  }),
  logs: receipt.logs.map(viemLog),
})

/** Of the members that the plugin leaves as received, viem reads the signature, and gives a parity where a node has none. */
const viemTransaction = ({ v, ...transaction }: Evm.Transaction & { readonly v?: Evm.Hex }): object => ({
  ...(v === undefined ? {} : { v: big(v), yParity: int(v) }),
  ...read(transaction, {
    blockNumber: big,
    blockTimestamp: big,
    chainId: int,
    gas: big,
    gasPrice: big,
    maxFeePerGas: big,
    maxPriorityFeePerGas: big,
    nonce: int,
    transactionIndex: int,
    type: (type) => kinds.get(type),
    value: big,
    yParity: int,
  }),
  typeHex: transaction.type,
})

const viemBlock = (block: Evm.Block): object => ({
  ...read(block, {
    baseFeePerGas: big,
    blobGasUsed: big,
    difficulty: big,
    excessBlobGas: big,
    gasLimit: big,
    gasUsed: big,
    number: big,
    size: big,
    timestamp: big,
    totalDifficulty: big,
  }),
  transactions: block.transactions.map((entry) => (typeof entry === "string" ? entry : viemTransaction(entry))),
})

/** What ethers keeps of a log. */
const ethersLog = (log: Evm.Log): object => ({
  _type: "log",
  address: getAddress(log.address),
  blockHash: log.blockHash,
  blockNumber: int(log.blockNumber ?? "0x0"),
  data: log.data,
  index: int(log.logIndex ?? "0x0"),
  removed: log.removed,
  topics: log.topics,
  transactionHash: log.transactionHash,
  transactionIndex: int(log.transactionIndex ?? "0x0"),
})

/** Every digit, as text; `null` for what a node leaves out. */
const exact = (value: Evm.Hex | null | undefined): string | null =>
  value === undefined || value === null ? null : String(big(value))

const checksummed = (address: string | null | undefined): string | null =>
  address === null || address === undefined ? null : getAddress(address)

/** What ethers keeps of a receipt. */
const ethersReceipt = (receipt: Evm.Receipt): object => ({
  _type: "TransactionReceipt",
  blobGasPrice: exact(receipt.blobGasPrice),
  blobGasUsed: exact(receipt.blobGasUsed),
  blockHash: receipt.blockHash,
  blockNumber: int(receipt.blockNumber),
  contractAddress: checksummed(receipt.contractAddress),
  cumulativeGasUsed: exact(receipt.cumulativeGasUsed),
  from: checksummed(receipt.from),
  gasPrice: exact(receipt.effectiveGasPrice),
  gasUsed: exact(receipt.gasUsed),
  hash: receipt.transactionHash,
  index: int(receipt.transactionIndex ?? "0x0"),
  // A receipt's own logs have not been asked whether they were removed.
  logs: receipt.logs.map((log) => ({ ...ethersLog(log), removed: undefined })),
  logsBloom: receipt.logsBloom,
  status: int(receipt.status ?? "0x0"),
  to: checksummed(receipt.to),
})

describe.each(inject("nodes"))("on $name,", ({ ledger, url }) => {
  const { address, transactions } = ledger
  const typed = typedCalls({ id: "node", plugin: "evm", url })
  const viem = createPublicClient({ chain: anvil, transport: http(url) })
  const ethers = new JsonRpcProvider(url)
  afterAll(() => ethers.destroy())

  const toBlock = 6
  const everything = { address, fromBlock: "0x0", toBlock: numberToHex(toBlock) } as const
  const approvals = [Evm.event("Approved(address,address,uint256)")]

  it.each([
    { what: "all logs of a contract", filter: everything, count: 6 },
    { what: "those of one event", filter: { ...everything, topics: approvals }, count: 1 },
    { what: "those of another contract", filter: { ...everything, address: numberToHex(9, { size: 20 }) }, count: 0 },
  ])("Evm.getLogs gives $what as viem and ethers read them", async ({ count, filter }) => {
    const logs = await typed(Evm.getLogs(filter))
    expect(logs).toHaveLength(count)
    const raw = await viem.request({ method: "eth_getLogs", params: [filter] })
    expect(logs).toEqual(raw)
    if (!("topics" in filter)) {
      const theirs = await viem.getLogs({ address: filter.address, fromBlock: 0n, toBlock: BigInt(toBlock) })
      expect(logs.map(viemLog)).toEqual(theirs)
    }
    expect(logs.map(ethersLog)).toEqual((await ethers.getLogs(filter)).map((log) => log.toJSON()))
  })

  it.each(["total", "balance", "lastBalance", "allowance", "mark"])(
    "Evm.getStorageAt reads %s as viem and ethers do, and Evm.slot finds it",
    async (name) => {
      const [, params] = questions[name]?.(ledger) ?? []
      const position = Array.isArray(params) ? String(params[1]) : ""
      const ours = await typed(Evm.getStorageAt(address, `0x${position.slice(2)}`))
      expect(Evm.quantity(ours)).toBeGreaterThan(0n)
      expect(ours).toBe(await viem.getStorageAt({ address, slot: `0x${position.slice(2)}` }))
      expect(ours).toBe(await ethers.getStorage(address, position))
    },
  )

  it.each(["deploy", "lastDeposit", "refuse"] as const)(
    "Evm.getTransactionReceipt gives %s as viem and ethers read it",
    async (name) => {
      const hash = transactions[name]
      const receipt = await typed(Evm.getTransactionReceipt(hash))
      if (receipt === null) throw new Error(`${hash} has no receipt`)
      expect(viemReceipt(receipt)).toEqual(await viem.getTransactionReceipt({ hash }))
      const theirs = await ethers.getTransactionReceipt(hash)
      expect(ethersReceipt(receipt)).toEqual({ ...theirs?.toJSON(), logs: theirs?.logs.map((log) => log.toJSON()) })
    },
  )

  it("Evm.getTransactionReceipt gives null where ethers does", async () => {
    const hash = numberToHex(1, { size: 32 })
    expect(await typed(Evm.getTransactionReceipt(hash))).toBeNull()
    expect(await ethers.getTransactionReceipt(hash)).toBeNull()
  })

  it.each([false, true])("Evm.getBlockByNumber gives the blocks that viem reads, full: %s", async (full) => {
    const numbers = Array.from({ length: toBlock }, (_, index) => BigInt(index + 1))
    const found = await Promise.all(numbers.map((number) => typed(Evm.getBlockByNumber(numberToHex(number), full))))
    const blocks = found.filter((block) => block !== null)
    const theirs = await Promise.all(
      numbers.map((blockNumber) => viem.getBlock({ blockNumber, includeTransactions: full })),
    )
    expect(blocks.map(viemBlock)).toEqual(theirs)
    for (const [index, block] of blocks.entries()) {
      const { number, timestamp, ...other } = (await ethers.getBlock(index + 1))?.toJSON() ?? {}
      expect({ number, timestamp, gasUsed: other.gasUsed, baseFeePerGas: other.baseFeePerGas }).toEqual({
        number: int(block.number ?? "0x0"),
        timestamp: int(block.timestamp),
        gasUsed: exact(block.gasUsed),
        baseFeePerGas: exact(block.baseFeePerGas),
      })
    }
  })
})
