/** Numbers and bytes as hex strings, and the hash of the network. */
import { keccak_256 } from "@noble/hashes/sha3.js"
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Hex } from "../ChainJson.ts"

/** The 20 bytes of the zero address, the far side of a mint. */
export const ZERO_ADDRESS: Hex = "0x0000000000000000000000000000000000000000"

/** 32 zero bytes. */
export const ZERO_WORD: Hex = `0x${"0".repeat(64)}`

/** A quantity: no leading zeros, `0x0` for zero. */
export const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** A number as 32 bytes. */
export const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

/** An address as 32 bytes, the way it stands in topics and call data. */
export const addressWord = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`

/** Hex strings joined end to end. */
export const concatHex = (...parts: ReadonlyArray<Hex>): Hex => `0x${parts.map((part) => part.slice(2)).join("")}`

/**
 * Bytes as hex, a few thousand at most.
 *
 * The digits are joined at once: a string that grows digit by digit keeps a piece of memory for every step until it is
 * read, which for the bloom filters of a large chain is more than the chain itself.
 */
export const hexFromBytes = (bytes: Uint8Array): Hex => {
  const digits: Array<number> = []
  for (const byte of bytes) digits.push(DIGITS.charCodeAt(byte >> 4), DIGITS.charCodeAt(byte & 15))
  return `0x${String.fromCharCode(...digits)}`
}

const DIGITS = "0123456789abcdef"

export const bytesFromHex = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2))

/** Keccak-256 of bytes. */
export const keccak = (bytes: Uint8Array): Hex => hexFromBytes(keccak_256(bytes))

/** Keccak-256 of the bytes that a hex string stands for. */
export const keccakHex = (hex: Hex): Hex => keccak(bytesFromHex(hex))

/** Keccak-256 of a text: the first topic of an event signature. */
export const keccakText = (text: string): Hex => keccak(utf8ToBytes(text))
