/**
 * The storage of the generated chain while it is being written.
 *
 * No account trie backs it. The state root is a running commitment to the writes instead: keccak of the RLP
 * of the parent's root and, ascending, of each changed address with its changed slots and their values as integers. It
 * is unchanged when the block changed nothing.
 */
import type { Hex } from "../ChainJson.ts"
import { concatHex, keccak, keccakHex, word } from "../internal/hex.ts"
import { rlpEncode, rlpInteger, type RlpItem } from "../internal/rlp.ts"
import { getOrCreate } from "../internal/storageHistory.ts"
import { EMPTY_TRIE_ROOT } from "../internal/trie.ts"

/** What one block left behind. */
export interface StateChange {
  readonly root: Hex
  /** Address to slot to value: the slots that were written. */
  readonly storage: Readonly<Record<Hex, Readonly<Record<Hex, Hex>>>>
}

/** Collects the writes of one block after another. */
export class State {
  #root: Hex = EMPTY_TRIE_ROOT
  #pending = new Map<Hex, Map<Hex, bigint>>()
  #writes = 0
  readonly #mappingSlots = new Map<Hex, Hex>()

  /** How many writes were made so far, for the price of a transaction. */
  get writes(): number {
    return this.#writes
  }

  /** Writes a slot, 32 bytes, of a contract. */
  write(address: Hex, slot: Hex, value: bigint): void {
    this.#writes++
    this.writeFreely(address, slot, value)
  }

  /** As {@link write}, of what is written along with other slots and is not paid for. */
  writeFreely(address: Hex, slot: Hex, value: bigint): void {
    getOrCreate(this.#pending, address, () => new Map<Hex, bigint>()).set(slot, value)
  }

  /** The slot of a mapping's element: keccak of the key and the mapping's own slot, 32 bytes each (service §4.1). */
  mappingSlot(key: Hex, slot: Hex): Hex {
    const preimage = concatHex(key, slot)
    return getOrCreate(this.#mappingSlots, preimage, () => keccakHex(preimage))
  }

  /** Ends a block. */
  commit(): StateChange {
    if (this.#pending.size === 0) return { root: this.#root, storage: {} }
    const storage: Record<Hex, Record<Hex, Hex>> = {}
    const written: Array<RlpItem> = []
    for (const [address, slots] of ascending(this.#pending)) {
      const entries = ascending(slots)
      storage[address] = Object.fromEntries(entries.map(([slot, value]) => [slot, word(value)]))
      written.push([address, entries.map(([slot, value]) => [slot, rlpInteger(value)])])
    }
    this.#root = keccak(rlpEncode([this.#root, ...written]))
    this.#pending = new Map()
    return { root: this.#root, storage }
  }
}

const ascending = <V>(map: ReadonlyMap<Hex, V>): ReadonlyArray<[Hex, V]> =>
  [...map].toSorted(([left], [right]) => (left < right ? -1 : 1))
