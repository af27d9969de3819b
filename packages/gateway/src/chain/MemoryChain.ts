/**
 * A {@link ChainStore} held in memory, built from blocks in ascending order.
 *
 * Invariant: a log returned by a query is the same value as in its receipt.
 */
import { atOnce, type Steps } from "@dotrpc/spec"
import type { Block, ChainEntry, PendingBlock } from "./ChainJson.ts"
import type { ChainStore } from "./ChainStore.ts"
import { EMPTY_BLOOM } from "./internal/bloom.ts"
import { BLOCK_TIME, blockSize, type Header, NO_NONCE, NO_UNCLES, nextBaseFee } from "./internal/header.ts"
import { quantity, ZERO_ADDRESS, ZERO_WORD } from "./internal/hex.ts"
import { ContentsBuilder, indexedChain } from "./internal/indexedChain.ts"
import { StorageHistory } from "./internal/storageHistory.ts"
import { EMPTY_TRIE_ROOT } from "./internal/trie.ts"

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
  const kept: Array<ChainEntry> = []
  const builder = new ContentsBuilder()
  const transactions = new Map<string, { readonly block: number; readonly place: number }>()
  const storage = new StorageHistory()
  let { chainId } = options
  for (const entry of entries) {
    const { block, receipts } = entry
    const number = Number(block.number)
    const before = kept.at(-1)
    if (before !== undefined && number <= Number(before.block.number))
      throw new RangeError(`Blocks must ascend, but block ${number} comes after block ${Number(before.block.number)}.`)
    for (const [place, { transactionHash }] of receipts.entries())
      transactions.set(transactionHash.toLowerCase(), { block: kept.length, place })
    kept.push(entry)
    builder.add(entry)
    chainId ??= chainIdOf(block)
    storage.writeAll(entry.storage ?? {}, number)
    yield
  }
  const last = kept.at(-1)
  if (last === undefined) throw new RangeError("A chain needs at least one block.")
  return indexedChain(builder.contents(chainId ?? 1, options.pendingBlock ?? emptyPendingBlock(last.block)), {
    entryAt: (place) => kept[place] ?? last,
    transactions: () => transactions,
    storage: () => storage,
  })
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
