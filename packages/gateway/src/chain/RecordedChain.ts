/**
 * A chain as one text that is read as far as it is asked for.
 *
 * The first line says what stands in which block. The second has the hashes of all transactions, the third all that was written to
 * storage, each block by block. Then every block with its receipts has a line of its own.
 *
 * Invariant: every query is answered as `memoryChain` would answer it, from values that are the same each time.
 */
import { once } from "../internal/once.ts"
import type { ChainEntry, StorageWrites } from "./ChainJson.ts"
import type { ChainStore } from "./ChainStore.ts"
import { type GenerateChainOptions, type GeneratedEntries, generateEntries } from "./GeneratedChain.ts"
import { type ChainContents, ContentsBuilder, indexedChain } from "./internal/indexedChain.ts"
import { StorageHistory } from "./internal/storageHistory.ts"

/** The second line: the hashes of a block's transactions, lower-case, for every block. */
type Transactions = ReadonlyArray<ReadonlyArray<string>>

/** The third line, for every block. */
type Storage = ReadonlyArray<StorageWrites>

type BlockLine = Pick<ChainEntry, "block" | "receipts">

/** The text of a generated chain, for a program that ships it instead of generating it with each start: 18 MB of the usual size, which compress to one. */
export const recordSampleChain = (options: GenerateChainOptions = {}): string => textOfChain(generateEntries(options))

/** The text of a chain. */
export const textOfChain = ({ chainId, entries, pendingBlock }: GeneratedEntries): string => {
  const builder = new ContentsBuilder()
  for (const entry of entries) builder.add(entry)
  const transactions: Transactions = entries.map(({ receipts }) =>
    receipts.map((receipt) => receipt.transactionHash.toLowerCase()),
  )
  const storage: Storage = entries.map((entry) => entry.storage ?? {})
  const lines = entries.map(({ block, receipts }): BlockLine => ({ block, receipts }))
  return [builder.contents(chainId, pendingBlock), transactions, storage, ...lines]
    .map((part) => JSON.stringify(part))
    .join("\n")
}

/**
 * The chain of a text that {@link textOfChain} wrote.
 *
 * @throws SyntaxError, TypeError or RangeError when it is another text. Only the beginning is looked at: anyone who ships
 * the text makes sure that it is all there.
 */
export const recordedChain = (text: string): ChainStore => {
  const [contentsLine, transactionsLine, storageLine, ...lines] = text.split("\n")
  const contents = jsonOf<ChainContents>(contentsLine)
  const { blocks } = contents
  if (lines.length !== blocks.length)
    throw new RangeError(`The chain has ${blocks.length} blocks, and ${lines.length} lines of them.`)
  const read: Array<BlockLine | undefined> = []
  return indexedChain(contents, {
    entryAt: (place) => (read[place] ??= jsonOf<BlockLine>(lines[place])),
    transactions: once(
      () =>
        new Map(
          jsonOf<Transactions>(transactionsLine).flatMap((hashes, block) =>
            hashes.map((hash, place) => [hash, { block, place }] as const),
          ),
        ),
    ),
    storage: once(() => {
      const history = new StorageHistory()
      for (const [place, written] of jsonOf<Storage>(storageLine).entries())
        history.writeAll(written, blocks[place]?.number ?? 0)
      return history
    }),
  })
}

/** What this version wrote; the text is checked by who ships it. */
const jsonOf = <A>(line: string | undefined): A => JSON.parse(line ?? "") as A
