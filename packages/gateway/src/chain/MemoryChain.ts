/**
 * A {@link ChainStore} held in memory, built from blocks in ascending order.
 *
 * Invariant: a log returned by a query is the same value as in its receipt.
 */
import { atOnce, type Steps } from "@dotrpc/spec"
import type { Block, PendingBlock, Receipt, StorageWrites } from "./ChainJson.ts"
import { type ChainStore, taggedBlocks } from "./ChainStore.ts"
import { EMPTY_BLOOM } from "./internal/bloom.ts"
import { BLOCK_TIME, blockSize, type Header, NO_NONCE, NO_UNCLES, nextBaseFee } from "./internal/header.ts"
import { quantity, ZERO_ADDRESS, ZERO_WORD } from "./internal/hex.ts"
import { LogIndex } from "./internal/logIndex.ts"
import { StorageHistory } from "./internal/storageHistory.ts"
import { EMPTY_TRIE_ROOT } from "./internal/trie.ts"

/** One block with everything that belongs to it: a line of a chain file. */
export interface ChainEntry {
  readonly block: Block
  /** In the order of the block's transactions. */
  readonly receipts: ReadonlyArray<Receipt>
  /** The state after the block, of the slots that changed. */
  readonly storage?: StorageWrites
}

/** What a chain needs besides its blocks. */
export interface MemoryChainOptions {
  /** By default the id that the first transaction with one names, else 1. */
  readonly chainId?: number
  /** By default an empty block on the head. */
  readonly pendingBlock?: PendingBlock
}

/**
 * Holds a chain in memory.
 *
 * @param entries at least one, ascending by block number; gaps are allowed.
 * @throws RangeError when there is no entry or the numbers do not ascend.
 */
export const memoryChain = (entries: Iterable<ChainEntry>, options: MemoryChainOptions = {}): ChainStore =>
  atOnce(indexingChain(entries, options))

/** As {@link memoryChain}, block by block. */
export function* indexingChain(entries: Iterable<ChainEntry>, options: MemoryChainOptions = {}): Steps<ChainStore> {
  const byNumber = new Map<number, Block>()
  const byHash = new Map<string, Block>()
  const receipts = new Map<string, Receipt>()
  const logs = new LogIndex()
  const storage = new StorageHistory()
  let first: Block | undefined
  let last: Block | undefined
  let chainId = options.chainId

  for (const entry of entries) {
    const { block } = entry
    const number = Number(block.number)
    if (last !== undefined && number <= Number(last.number)) {
      throw new RangeError(`Blocks must ascend, but block ${number} comes after block ${Number(last.number)}.`)
    }
    first ??= block
    last = block
    byNumber.set(number, block)
    byHash.set(block.hash.toLowerCase(), block)
    chainId ??= chainIdOf(block)
    for (const receipt of entry.receipts) {
      receipts.set(receipt.transactionHash.toLowerCase(), receipt)
      for (const log of receipt.logs) logs.add(log, number)
    }
    storage.writeAll(entry.storage ?? {}, number)
    yield
  }
  if (first === undefined || last === undefined) throw new RangeError("A chain needs at least one block.")

  return {
    chainId: chainId ?? 1,
    ...taggedBlocks(Number(first.number), Number(last.number)),
    pendingBlock: options.pendingBlock ?? emptyPendingBlock(last),
    blockByNumber: (number) => byNumber.get(number),
    blockByHash: (hash) => byHash.get(hash.toLowerCase()),
    receiptByHash: (hash) => receipts.get(hash.toLowerCase()),
    logs: (fromBlock, toBlock, filter = {}) => logs.query(fromBlock, toBlock, filter),
    storageAt: (address, slot, blockNumber) => storage.read(address, slot, blockNumber),
  }
}

const chainIdOf = (block: Block): number | undefined => {
  const chainId = block.transactions.find((transaction) => transaction.chainId !== undefined)?.chainId
  return chainId === undefined ? undefined : Number(chainId)
}

/** A block of a chain file may lack members that its node does not send. */
type Head = Partial<Block> & Pick<Block, "hash" | "number" | "timestamp">

/** The next block without transactions. */
const emptyPendingBlock = (head: Head): PendingBlock => {
  const { baseFeePerGas, gasLimit = "0x0", gasUsed = "0x0" } = head
  const header: Header = {
    parentHash: head.hash,
    sha3Uncles: NO_UNCLES,
    miner: ZERO_ADDRESS,
    stateRoot: head.stateRoot ?? ZERO_WORD,
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: EMPTY_BLOOM,
    difficulty: head.difficulty ?? "0x0",
    number: quantity(Number(head.number) + 1),
    gasLimit,
    gasUsed: "0x0",
    timestamp: quantity(Number(head.timestamp) + BLOCK_TIME),
    extraData: "0x",
    mixHash: ZERO_WORD,
    nonce: NO_NONCE,
    ...(baseFeePerGas === undefined
      ? {}
      : { baseFeePerGas: quantity(nextBaseFee(BigInt(baseFeePerGas), Number(gasUsed), Number(gasLimit))) }),
  }
  return {
    ...header,
    hash: null,
    logsBloom: null,
    nonce: null,
    number: null,
    size: quantity(blockSize(header, [])),
    totalDifficulty: head.totalDifficulty ?? "0x0",
    transactions: [],
    uncles: [],
  }
}
