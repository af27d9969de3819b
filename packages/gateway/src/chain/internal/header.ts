/** The header of a block: its fixed members, what its hash covers, and how large the block is. */
import type { Block, Hex } from "../ChainJson.ts"
import { keccak } from "./hex.ts"
import { rlpEncode, type RlpItem, rlpQuantity } from "./rlp.ts"

/** The members of a block that its hash covers. */
export type Header = Pick<
  Block,
  | "parentHash"
  | "sha3Uncles"
  | "miner"
  | "stateRoot"
  | "transactionsRoot"
  | "receiptsRoot"
  | "logsBloom"
  | "difficulty"
  | "number"
  | "gasLimit"
  | "gasUsed"
  | "timestamp"
  | "extraData"
  | "mixHash"
  | "nonce"
  | "baseFeePerGas"
>

/** Seconds from one block to the next. */
export const BLOCK_TIME = 12

/** The hash of an empty list of uncles. */
export const NO_UNCLES: Hex = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347"

/** The nonce of a block without proof of work. */
export const NO_NONCE: Hex = "0x0000000000000000"

/** The base fee of the block after one that used that much gas (EIP-1559), in wei. */
export const nextBaseFee = (baseFee: bigint, gasUsed: number, gasLimit: number): bigint => {
  const target = BigInt(Math.floor(gasLimit / 2))
  const used = BigInt(gasUsed)
  if (target === 0n || used === target) return baseFee
  const change = (baseFee * (used > target ? used - target : target - used)) / target / 8n
  if (used < target) return baseFee - change
  return baseFee + (change > 1n ? change : 1n)
}

/** The hash of a block: keccak of its header. */
export const headerHash = (header: Header): Hex => keccak(rlpEncode(headerFields(header)))

/**
 * Bytes of a block without uncles.
 *
 * @param transactions as they are hashed: in the block, typed ones stand as byte strings and legacy ones as lists.
 */
export const blockSize = (header: Header, transactions: ReadonlyArray<Uint8Array>): number => {
  const bodyLength = transactions.reduce(
    (sum, encoded) => sum + (isList(encoded) ? encoded.length : lengthWithHead(encoded.length)),
    0,
  )
  const headerLength = rlpEncode(headerFields(header)).length
  return lengthWithHead(headerLength + lengthWithHead(bodyLength) + lengthWithHead(0))
}

const isList = (encoded: Uint8Array): boolean => (encoded[0] ?? 0) >= 0xc0

/** The length of a list, or of a string of more than one byte, with that much content. */
const lengthWithHead = (content: number): number =>
  content <= 55 ? 1 + content : 1 + Math.ceil(content.toString(16).length / 2) + content

const headerFields = (header: Header): ReadonlyArray<RlpItem> => [
  header.parentHash,
  header.sha3Uncles,
  header.miner,
  header.stateRoot,
  header.transactionsRoot,
  header.receiptsRoot,
  header.logsBloom,
  rlpQuantity(header.difficulty),
  rlpQuantity(header.number),
  rlpQuantity(header.gasLimit),
  rlpQuantity(header.gasUsed),
  rlpQuantity(header.timestamp),
  header.extraData,
  header.mixHash,
  header.nonce,
  ...(header.baseFeePerGas === undefined ? [] : [rlpQuantity(header.baseFeePerGas)]),
]
