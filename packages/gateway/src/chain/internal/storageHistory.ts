/** Every value a storage position ever had, and from which block on. */
import type { Hex, StorageWrites } from "../ChainJson.ts"
import { ZERO_WORD } from "./hex.ts"

/** The values of one position: `values[i]` holds from block `blocks[i]` on. Both lists are in block order. */
interface Timeline {
  readonly blocks: Array<number>
  readonly values: Array<Hex>
}

/** The storage of a whole chain at every height. Writes must come in block order. */
export class StorageHistory {
  readonly #accounts = new Map<string, Map<bigint, Timeline>>()

  /** Records the value (32 bytes) that a position has from that block on. */
  write(address: string, slot: bigint, value: Hex, blockNumber: number): void {
    const account = getOrCreate(this.#accounts, address.toLowerCase(), () => new Map<bigint, Timeline>())
    const timeline = getOrCreate(account, slot, (): Timeline => ({ blocks: [], values: [] }))
    timeline.blocks.push(blockNumber)
    timeline.values.push(value)
  }

  /** Records everything that a block wrote. */
  writeAll(writes: StorageWrites, blockNumber: number): void {
    for (const [address, slots] of Object.entries(writes))
      for (const [slot, value] of Object.entries(slots)) this.write(address, BigInt(slot), value, blockNumber)
  }

  /** The value of a position after that block. */
  read(address: string, slot: bigint, blockNumber: number): Hex {
    const timeline = this.#accounts.get(address.toLowerCase())?.get(slot)
    if (timeline === undefined) return ZERO_WORD
    const next = firstAbove(timeline.blocks, blockNumber)
    return timeline.values[next - 1] ?? ZERO_WORD
  }
}

/** The index of the first element above the bound in an ascending list, its length when there is none. */
export const firstAbove = (ascending: ArrayLike<number>, bound: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? Infinity) > bound) high = middle
    else low = middle + 1
  }
  return low
}

/** The value under a key, made on first use. */
export const getOrCreate = <K, V>(map: Map<K, V>, key: K, create: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}
