/**
 * A chain whose latest blocks are still to come. Each of them is the pending block until its turn, so that a chain which is read from a
 * file or generated grows as a real one does.
 *
 * Invariant: nothing of a block is answered before its turn, other than what the pending block shows.
 */
import type { Block, PendingBlock } from "./ChainJson.ts"
import { type ChainStore, taggedBlocks } from "./ChainStore.ts"
import { unsealed } from "./generate/block.ts"

/** A chain and what makes it grow. */
export interface GrowingChain {
  readonly chain: ChainStore
  /** Adds the next block, and returns it; `undefined` once there are no more. */
  readonly grow: () => Block | undefined
}

/** Holds back the latest blocks of a chain, but never its first one. */
export const withUpcoming = (whole: ChainStore, upcoming: number): GrowingChain => {
  let tags = taggedBlocks(whole.earliest, Math.max(whole.earliest, whole.head - upcoming))
  let pending: PendingBlock | undefined
  const isThere = (number: string) => Number(number) <= tags.head
  const next = () => (tags.head < whole.head ? whole.blockByNumber(tags.head + 1) : undefined)
  const chain: ChainStore = {
    chainId: whole.chainId,
    get earliest() {
      return tags.earliest
    },
    get head() {
      return tags.head
    },
    get safe() {
      return tags.safe
    },
    get finalized() {
      return tags.finalized
    },
    get pendingBlock() {
      const block = next()
      pending ??= block === undefined ? whole.pendingBlock : unsealed(block)
      return pending
    },
    blockByNumber: (number) => (number <= tags.head ? whole.blockByNumber(number) : undefined),
    blockByHash: (hash) => {
      const block = whole.blockByHash(hash)
      return block !== undefined && isThere(block.number) ? block : undefined
    },
    receiptByHash: (hash) => {
      const receipt = whole.receiptByHash(hash)
      return receipt !== undefined && isThere(receipt.blockNumber) ? receipt : undefined
    },
    logs: (from, to, filter) => whole.logs(from, Math.min(to, tags.head), filter),
    storageAt: (address, slot, number) => whole.storageAt(address, slot, Math.min(number, tags.head)),
  }
  const grow = () => {
    const block = next()
    if (block === undefined) return undefined
    tags = taggedBlocks(whole.earliest, tags.head + 1)
    pending = undefined
    return block
  }
  return { chain, grow }
}
