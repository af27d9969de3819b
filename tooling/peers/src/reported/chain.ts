/** Values as most nodes send them, for rows that say how one differs. */
import type { Json } from "@dotrpc/spec"

export const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`
export const account = (value: number): string => `0x${value.toString(16).padStart(40, "0")}`
const bloom = `0x${"00".repeat(256)}`

export const evmLog = (own: Json.JsonObject = {}): Json.JsonObject => ({
  address: account(0xaa),
  topics: [word(1)],
  data: "0x",
  blockNumber: "0x10",
  transactionHash: word(0x51),
  transactionIndex: "0x0",
  blockHash: word(0xb10),
  logIndex: "0x0",
  removed: false,
  ...own,
})

export const evmReceipt = (own: Json.JsonObject = {}): Json.JsonObject => ({
  transactionHash: word(0x51),
  transactionIndex: "0x0",
  blockHash: word(0xb10),
  blockNumber: "0x10",
  from: account(1),
  to: account(2),
  contractAddress: null,
  status: "0x1",
  gasUsed: "0x5208",
  cumulativeGasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca00",
  type: "0x2",
  logs: [],
  logsBloom: bloom,
  ...own,
})

export const evmBlock = (own: Json.JsonObject = {}): Json.JsonObject => ({
  number: "0x10",
  hash: word(0xb10),
  parentHash: word(0xb0f),
  timestamp: "0x65000000",
  transactions: [],
  miner: account(9),
  gasLimit: "0x1c9c380",
  gasUsed: "0x0",
  size: "0x220",
  extraData: "0x",
  logsBloom: bloom,
  nonce: "0x0000000000000000",
  mixHash: word(7),
  difficulty: "0x0",
  stateRoot: word(3),
  transactionsRoot: word(4),
  receiptsRoot: word(5),
  sha3Uncles: word(6),
  uncles: [],
  baseFeePerGas: "0x7",
  ...own,
})

export const evmTransaction = (own: Json.JsonObject = {}): Json.JsonObject => ({
  hash: word(0x51),
  from: account(1),
  to: account(2),
  nonce: "0x1",
  value: "0x0",
  gas: "0x5208",
  gasPrice: "0x3b9aca00",
  input: "0x",
  blockHash: word(0xb10),
  blockNumber: "0x10",
  transactionIndex: "0x0",
  type: "0x0",
  chainId: "0x1",
  ...own,
})
