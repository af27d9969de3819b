/**
 * What the EVM methods read: blocks, receipts, logs and storage history of one chain.
 *
 * A store answers with the service's JSON values and knows nothing about requests: tags, limits and error texts belong to
 * the methods. Block numbers are safe integers. Every string lookup ignores the case of hex digits.
 */
import type { Block, Hex, Log, PendingBlock, Receipt } from "./ChainJson.ts"
import type { LogFilter } from "./LogFilter.ts"

/** One EVM chain, read only. */
export interface ChainStore {
  /** The chain id of its transactions, for `eth_chainId`. */
  readonly chainId: number
  /** Number of the first stored block: what the tag `earliest` stands for. */
  readonly earliest: number
  /** Number of the newest block: what the tag `latest` stands for. */
  readonly head: number
  /** `head - 32`, but never before `earliest`. */
  readonly safe: number
  /** `head - 64`, but never before `earliest`. */
  readonly finalized: number
  /** The block being built on the head. Its transactions have no receipts and have not changed any storage. */
  readonly pendingBlock: PendingBlock

  /** The block with that number, `undefined` when it is not stored. */
  readonly blockByNumber: (number: number) => Block | undefined

  /** The block with that hash, `undefined` when there is none. */
  readonly blockByHash: (hash: string) => Block | undefined

  /** The receipt of a transaction, `undefined` when the transaction is unknown or pending. */
  readonly receiptByHash: (transactionHash: string) => Receipt | undefined

  /**
   * The logs of the blocks `fromBlock` to `toBlock`, both included, that pass the filter: ascending by block, then by
   * log index. Numbers outside the stored range are allowed and hold no logs. The logs are found as they are asked for,
   * so a caller with a limit stops reading when it has seen enough.
   */
  readonly logs: (fromBlock: number, toBlock: number, filter?: LogFilter) => Iterable<Log>

  /**
   * The 32 bytes at a storage position after a block, zero when nothing was ever written there.
   *
   * @param slot the position as a number from 0 to 2^256 - 1.
   */
  readonly storageAt: (address: string, slot: bigint, blockNumber: number) => Hex
}

/** The numbers that the block tags stand for. */
export const taggedBlocks = (
  earliest: number,
  head: number,
): Pick<ChainStore, "earliest" | "finalized" | "head" | "safe"> => ({
  earliest,
  head,
  safe: Math.max(earliest, head - SAFE_DEPTH),
  finalized: Math.max(earliest, head - FINALIZED_DEPTH),
})

/** Blocks below the head at which a block counts as safe. */
const SAFE_DEPTH = 32
/** Blocks below the head at which a block counts as finalized. */
const FINALIZED_DEPTH = 64
