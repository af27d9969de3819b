/** The 2,048-bit bloom filter of logs: three bits for the address and for each topic of every log. */
import { keccak_256 } from "@noble/hashes/sha3.js"
import type { Hex, Log } from "../ChainJson.ts"
import { bytesFromHex } from "./hex.ts"

/** Bytes in a bloom filter. */
const SIZE = 256

/** The filter that nothing was added to. */
export const EMPTY_BLOOM: Hex = `0x${"00".repeat(SIZE)}`

/** Adds logs to bloom filters. The bits of a value are remembered: few addresses and topics make up most of a chain. */
export class BloomBuilder {
  readonly #bits = new Map<Hex, ReadonlyArray<number>>()

  /** The bloom filter of some logs. */
  of(logs: ReadonlyArray<Pick<Log, "address" | "topics">>): Uint8Array {
    const bloom = new Uint8Array(SIZE)
    for (const log of logs) {
      this.#add(bloom, log.address)
      for (const topic of log.topics) this.#add(bloom, topic)
    }
    return bloom
  }

  #add(bloom: Uint8Array, value: Hex): void {
    let bits = this.#bits.get(value)
    if (bits === undefined) {
      bits = bitsOf(value)
      this.#bits.set(value, bits)
    }
    for (const bit of bits) {
      const position = SIZE - 1 - (bit >> 3)
      bloom[position] = (bloom[position] ?? 0) | (1 << (bit & 7))
    }
  }
}

/** The union of bloom filters. */
export const mergeBlooms = (blooms: ReadonlyArray<Uint8Array>): Uint8Array => {
  const merged = new Uint8Array(SIZE)
  for (const bloom of blooms) {
    for (let index = 0; index < SIZE; index++) merged[index] = (merged[index] ?? 0) | (bloom[index] ?? 0)
  }
  return merged
}

/** The low eleven bits of the first three pairs of bytes of the value's hash. */
const bitsOf = (value: Hex): ReadonlyArray<number> => {
  const hash = keccak_256(bytesFromHex(value))
  const view = new DataView(hash.buffer, hash.byteOffset)
  return [0, 2, 4].map((offset) => view.getUint16(offset) & 0x7ff)
}
