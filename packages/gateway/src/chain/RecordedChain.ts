/**
 * A chain as one text that is read as far as it is asked for: most requests need a few blocks of a thousand.
 *
 * The first line says what stands in which block: its number, its hash, who logged in it, and which events. The second
 * has the hashes of all transactions, the third all that was written to storage, each block by block. Then every block
 * with its receipts has a line of its own.
 *
 * Invariant: every query is answered as {@link memoryChain} would answer it, from values that are the same each time.
 */
import { once } from "../internal/once.ts"
import type { PendingBlock, StorageWrites } from "./ChainJson.ts"
import { type ChainStore, taggedBlocks } from "./ChainStore.ts"
import { type GenerateChainOptions, type GeneratedEntries, generateEntries } from "./GeneratedChain.ts"
import { firstAbove, getOrCreate, StorageHistory } from "./internal/storageHistory.ts"
import { compileLogFilter, matchesLog } from "./LogFilter.ts"
import type { ChainEntry } from "./MemoryChain.ts"

/** The first line. */
interface Contents {
  readonly chainId: number
  readonly pendingBlock: PendingBlock
  /** In ascending order. */
  readonly blocks: ReadonlyArray<BlockContents>
  /** Every address that logged, and every first topic, lower-case. */
  readonly addresses: ReadonlyArray<string>
  readonly topics: ReadonlyArray<string>
}

interface BlockContents {
  readonly number: number
  readonly hash: string
  /** Places in the lists of the whole chain. */
  readonly addresses: ReadonlyArray<number>
  readonly topics: ReadonlyArray<number>
}

/** The second line: the hashes of a block's transactions, lower-case, for every block. */
type Transactions = ReadonlyArray<ReadonlyArray<string>>

/** The third line, for every block. */
type Storage = ReadonlyArray<StorageWrites>

type BlockLine = Pick<ChainEntry, "block" | "receipts">

/** The text of a generated chain, for whoever ships it instead of generating it with each start: 18 MB of the usual size, which compress to one. */
export const recordSampleChain = (options: GenerateChainOptions = {}): string => textOfChain(generateEntries(options))

/** The text of a chain. */
export const textOfChain = ({ chainId, entries, pendingBlock }: GeneratedEntries): string => {
  const addresses = new Map<string, number>()
  const topics = new Map<string, number>()
  const blocks: Array<BlockContents> = []
  const transactions: Array<ReadonlyArray<string>> = []
  const storage: Array<StorageWrites> = []
  const lines: Array<string> = []
  for (const entry of entries) {
    const { block, receipts } = entry
    const logs = receipts.flatMap((receipt) => receipt.logs)
    blocks.push({
      number: Number(block.number),
      hash: block.hash.toLowerCase(),
      addresses: placesOf(
        logs.map((log) => log.address),
        addresses,
      ),
      topics: placesOf(
        logs.flatMap((log) => log.topics.slice(0, 1)),
        topics,
      ),
    })
    transactions.push(receipts.map((receipt) => receipt.transactionHash.toLowerCase()))
    storage.push(entry.storage ?? {})
    lines.push(JSON.stringify({ block, receipts } satisfies BlockLine))
  }
  const contents: Contents = {
    chainId,
    pendingBlock,
    blocks,
    addresses: [...addresses.keys()],
    topics: [...topics.keys()],
  }
  return [contents, transactions, storage]
    .map((part) => JSON.stringify(part))
    .concat(lines)
    .join("\n")
}

/** The places of values in a list that grows with each new one. */
const placesOf = (values: ReadonlyArray<string>, list: Map<string, number>): ReadonlyArray<number> => {
  const places = values.map((value) => getOrCreate(list, value.toLowerCase(), () => list.size))
  return [...new Set(places)]
}

/**
 * The chain of a text that {@link textOfChain} wrote.
 *
 * @throws SyntaxError, TypeError or RangeError when it is another text. Only the beginning is looked at: anyone who ships
 * the text makes sure that it is all there.
 */
export const recordedChain = (text: string): ChainStore => {
  const [contentsLine, transactionsLine, storageLine, ...lines] = text.split("\n")
  const { addresses, blocks, chainId, pendingBlock, topics } = jsonOf<Contents>(contentsLine)
  const numbers = blocks.map((block) => block.number)
  const [earliest] = numbers
  const head = numbers.at(-1)
  if (earliest === undefined || head === undefined || lines.length !== blocks.length)
    throw new RangeError(`The chain has ${blocks.length} blocks, and ${lines.length} lines of them.`)

  const read: Array<BlockLine | undefined> = []
  const lineAt = (place: number): BlockLine => (read[place] ??= jsonOf<BlockLine>(lines[place]))
  const placeOfNumber = (number: number): number => {
    const place = firstAbove(numbers, number) - 1
    return numbers[place] === number ? place : -1
  }
  const placeOfHash = once(() => new Map(blocks.map((block, place) => [block.hash, place])))
  /** The block of a transaction, and its place in there. */
  const placeOfTransaction = once(
    () =>
      new Map(
        jsonOf<Transactions>(transactionsLine).flatMap((hashes, block) =>
          hashes.map((hash, place) => [hash, { block, place }] as const),
        ),
      ),
  )
  const storage = once(() => {
    const history = new StorageHistory()
    for (const [place, written] of jsonOf<Storage>(storageLine).entries())
      history.writeAll(written, numbers[place] ?? head)
    return history
  })

  return {
    chainId,
    ...taggedBlocks(earliest, head),
    pendingBlock,
    blockByNumber: (number) => {
      const place = placeOfNumber(number)
      return place < 0 ? undefined : lineAt(place).block
    },
    blockByHash: (hash) => {
      const place = placeOfHash().get(hash.toLowerCase())
      return place === undefined ? undefined : lineAt(place).block
    },
    receiptByHash: (hash) => {
      const found = placeOfTransaction().get(hash.toLowerCase())
      return found === undefined ? undefined : lineAt(found.block).receipts[found.place]
    },
    *logs(fromBlock, toBlock, filter = {}) {
      const compiled = compileLogFilter(filter)
      const [firstTopic] = compiled.topics
      const mayHave = {
        addresses: placesIn(addresses, compiled.addresses),
        topics: placesIn(topics, firstTopic),
      }
      for (let place = firstAbove(numbers, fromBlock - 1); place < blocks.length; place++) {
        const block = blocks[place]
        if (block === undefined || block.number > toBlock) return
        if (!hasAny(block.addresses, mayHave.addresses) || !hasAny(block.topics, mayHave.topics)) continue
        for (const receipt of lineAt(place).receipts)
          for (const log of receipt.logs) if (matchesLog(compiled, log)) yield log
      }
    },
    storageAt: (address, slot, blockNumber) => storage().read(address, slot, blockNumber),
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

/** What this version wrote; the text is checked by who ships it. */
const jsonOf = <A>(line: string | undefined): A => JSON.parse(line ?? "") as A
