/** Names of events as felts: the first key of an event is the selector of its name. */
import { keccak_256 } from "@noble/hashes/sha3.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * The selector of a name: keccak-256 of its text, the lowest 250 bits, as a felt without leading zeros.
 *
 * @example
 * ```ts
 * selector("Transfer") // "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"
 * ```
 */
export const selector = (name: string): string => {
  const digest = keccak_256(utf8ToBytes(name))
  const value = digest.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
  return `0x${(value & lowest250Bits).toString(16)}`
}

const lowest250Bits = 2n ** 250n - 1n
