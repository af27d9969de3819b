/** Well-formed values of each kind. */
import type { Evm } from "../../src/index.ts"

export const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
export const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** 32 bytes that all have the given two digits. */
export const hash = (digits: string): Evm.Hash => `0x${digits.repeat(32)}`

/** 32 bytes with these digits at the right. */
export const word = (digits: string): Evm.Hex => `0x${digits.padStart(64, "0")}`

export const bloom: Evm.Hex = `0x${"00".repeat(256)}`

export const log: Evm.Log = {
  removed: false,
  logIndex: "0x2",
  transactionIndex: "0x0",
  transactionHash: hash("aa"),
  blockHash: hash("bb"),
  blockNumber: "0x11",
  address: token,
  data: "0x00000000000000000000000000000000000000000000000000000000000f4240",
  topics: [transferTopic, word(holder.slice(2)), word(token.slice(2))],
}

export const transaction: Evm.Transaction = {
  hash: hash("aa"),
  from: holder,
  to: token,
  nonce: "0x0",
  value: "0xde0b6b3a7640000",
  gas: "0x5208",
  input: "0x",
  blockHash: hash("bb"),
  blockNumber: "0x11",
  transactionIndex: "0x0",
}

export const block: Evm.Block = {
  number: "0x11",
  hash: hash("bb"),
  parentHash: hash("bc"),
  timestamp: "0x6553f100",
  transactions: [hash("aa")],
  miner: holder,
  gasLimit: "0x1c9c380",
  gasUsed: "0xc822",
  size: "0x2e1",
  extraData: "0x",
  logsBloom: bloom,
  nonce: "0x0000000000000000",
  mixHash: hash("00"),
  difficulty: "0x0",
  totalDifficulty: "0x0",
  stateRoot: hash("01"),
  transactionsRoot: hash("02"),
  receiptsRoot: hash("03"),
  sha3Uncles: hash("04"),
  uncles: [],
}

export const receipt: Evm.Receipt = {
  transactionHash: hash("aa"),
  transactionIndex: "0x0",
  blockHash: hash("bb"),
  blockNumber: "0x11",
  from: holder,
  to: token,
  contractAddress: null,
  status: "0x1",
  gasUsed: "0xc822",
  cumulativeGasUsed: "0xc822",
  effectiveGasPrice: "0x3b9aca00",
  type: "0x2",
  logs: [log, { ...log, logIndex: "0x3" }],
  logsBloom: bloom,
}
