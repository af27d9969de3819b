/**
 * A chain by what stands in which block: its number, its hash, who logged in it, and which events. The blocks themselves are read as
 * they are asked for, as most requests need a few of a thousand.
 *
 * Nearly every filter names a contract or an event, so those two are listed; the remaining topics are checked log by log. The lists are
 * exact, unlike bloom filters, which in a chain file may be missing or wrong.
 */
import { once } from "../../internal/once.ts"
import type { ChainEntry, Hex, PendingBlock } from "../ChainJson.ts"
import { type ChainStore, taggedBlocks } from "../ChainStore.ts"
import { compileLogFilter, matchesLog } from "../LogFilter.ts"
import { firstAbove, getOrCreate, type StorageHistory } from "./storageHistory.ts"

/** Plain data, in ascending order of the blocks. */
export interface ChainContents {
  readonly chainId: number
  readonly pendingBlock: PendingBlock
  readonly blocks: ReadonlyArray<BlockContents>
  /** Every address that logged, and every first topic, lower-case. */
  readonly addresses: ReadonlyArray<string>
  readonly topics: ReadonlyArray<string>
}

interface BlockContents {
  readonly number: number
  /** Lower-case. */
  readonly hash: string
  /** Places in the lists of the whole chain. */
  readonly addresses: ReadonlyArray<number>
  readonly topics: ReadonlyArray<number>
}

/** Lists the blocks of a chain, which are added in order. */
export class ContentsBuilder {
  readonly #blocks: Array<BlockContents> = []
  readonly #addresses = new Map<string, number>()
  readonly #topics = new Map<string, number>()

  add({ block, receipts }: Pick<ChainEntry, "block" | "receipts">): void {
    const logs = receipts.flatMap((receipt) => receipt.logs)
    this.#blocks.push({
      number: Number(block.number),
      hash: block.hash.toLowerCase(),
      addresses: placesOf(
        logs.map((log) => log.address),
        this.#addresses,
      ),
      topics: placesOf(
        logs.flatMap((log) => log.topics.slice(0, 1)),
        this.#topics,
      ),
    })
  }

  contents(chainId: number, pendingBlock: PendingBlock): ChainContents {
    const [addresses, topics] = [[...this.#addresses.keys()], [...this.#topics.keys()]]
    return { chainId, pendingBlock, blocks: this.#blocks, addresses, topics }
  }
}

/** The places of values in a list that grows with each new one. */
const placesOf = (values: ReadonlyArray<string>, list: Map<string, number>): ReadonlyArray<number> => {
  const places = values.map((value) => getOrCreate(list, value.toLowerCase(), () => list.size))
  return [...new Set(places)]
}

/** Where a chain has what its contents list. The same place always gives the same value. */
export interface ChainParts {
  readonly entryAt: (place: number) => Pick<ChainEntry, "block" | "receipts">
  /** The block of each transaction, by its hash in lower case, and the place of its receipt in there. */
  readonly transactions: () => ReadonlyMap<string, { readonly block: number; readonly place: number }>
  readonly storage: () => StorageHistory
}

/** @throws RangeError where there is no block */
export const indexedChain = (contents: ChainContents, { entryAt, storage, transactions }: ChainParts): ChainStore => {
  const { addresses, blocks, chainId, pendingBlock, topics } = contents
  const numbers = blocks.map((block) => block.number)
  const [earliest] = numbers
  const head = numbers.at(-1)
  if (earliest === undefined || head === undefined) throw new RangeError("A chain needs at least one block.")
  const placeOfHash = once(() => new Map(blocks.map((block, place) => [block.hash, place])))
  return {
    chainId,
    ...taggedBlocks(earliest, head),
    pendingBlock,
    blockByNumber: (number) => {
      const place = firstAbove(numbers, number) - 1
      return numbers[place] === number ? entryAt(place).block : undefined
    },
    blockByHash: (hash) => {
      const place = placeOfHash().get(hash.toLowerCase())
      return place === undefined ? undefined : entryAt(place).block
    },
    receiptByHash: (hash) => {
      const found = transactions().get(hash.toLowerCase())
      return found === undefined ? undefined : entryAt(found.block).receipts[found.place]
    },
    *logs(fromBlock, toBlock, filter = {}) {
      const compiled = compileLogFilter(filter)
      const wantedAddresses = placesIn(addresses, compiled.addresses)
      const wantedTopics = placesIn(topics, compiled.topics[0])
      for (let place = firstAbove(numbers, fromBlock - 1); place < blocks.length; place++) {
        const block = blocks[place]
        if (block === undefined || block.number > toBlock) return
        if (!hasAny(block.addresses, wantedAddresses) || !hasAny(block.topics, wantedTopics)) continue
        for (const receipt of entryAt(place).receipts)
          for (const log of receipt.logs) if (matchesLog(compiled, log)) yield log
      }
    },
    storageAt: (address, slot, blockNumber): Hex => storage().read(address, slot, blockNumber),
  }
}

/** The places in the list of what a filter accepts; `undefined` when it accepts anything. */
const placesIn = (
  list: ReadonlyArray<string>,
  accepted: ReadonlySet<string> | undefined,
): ReadonlySet<number> | undefined =>
  accepted === undefined ? undefined : new Set(list.flatMap((value, place) => (accepted.has(value) ? [place] : [])))

const hasAny = (places: ReadonlyArray<number>, accepted: ReadonlySet<number> | undefined): boolean =>
  accepted === undefined || places.some((place) => accepted.has(place))
