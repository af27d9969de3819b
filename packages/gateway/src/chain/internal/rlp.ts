/**
 * Recursive length prefix encoding, from hex strings straight into bytes.
 *
 * The values of the chain are kept as hex, and sealing a chain encodes every one of them several times, so the writer
 * decodes hex in place. It writes back to front: when it comes to the head of a list, the list's length is known.
 */
import type { Hex } from "../ChainJson.ts"

/** Bytes, bytes written as hex of even length, or a list. */
export type RlpItem = Uint8Array | Hex | ReadonlyArray<RlpItem>

/** A number as the shortest bytes, none at all for zero. */
export const rlpInteger = (value: number | bigint): Hex => {
  if (value === 0 || value === 0n) return "0x"
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`
}

/** A quantity as the shortest bytes, none at all for zero. */
export const rlpQuantity = (quantity: Hex): Hex => {
  if (quantity === "0x0") return "0x"
  return quantity.length % 2 === 0 ? quantity : `0x0${quantity.slice(2)}`
}

/** The encoding of an item. */
export const rlpEncode = (item: RlpItem): Uint8Array => writer.restart().item(item).bytes()

/** The encoding of an item after one byte: a typed transaction or receipt. */
export const rlpEncodeTyped = (type: number, item: RlpItem): Uint8Array =>
  writer.restart().item(item).byte(type).bytes()

/** Fills a buffer from its end. */
class BackwardWriter {
  #buffer = new Uint8Array(1_024)
  #start = this.#buffer.length

  restart(): this {
    this.#start = this.#buffer.length
    return this
  }

  item(item: RlpItem): this {
    const end = this.#buffer.length - this.#start
    if (item instanceof Uint8Array) this.#copy(item)
    else if (typeof item === "string") this.#decode(item)
    else for (let index = item.length - 1; index >= 0; index--) this.item(item[index] ?? "0x")

    const length = this.#buffer.length - this.#start - end
    const isList = typeof item !== "string" && !(item instanceof Uint8Array)
    // A single byte below 0x80 is its own encoding.
    if (!isList && length === 1 && (this.#buffer[this.#start] ?? 0) < 0x80) return this
    return this.#head(length, isList ? 0xc0 : 0x80)
  }

  byte(value: number): this {
    this.#reserve(1)
    this.#buffer[this.#start] = value
    return this
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(this.#start)
  }

  #head(length: number, base: number): this {
    if (length <= 55) return this.byte(base + length)
    let size = 0
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
      this.byte(rest & 0xff)
      size++
    }
    return this.byte(base + 55 + size)
  }

  #copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#start)
  }

  #decode(hex: string): void {
    const length = (hex.length - 2) / 2
    this.#reserve(length)
    const buffer = this.#buffer
    const start = this.#start
    for (let index = 0; index < length; index++) {
      buffer[start + index] = (digitAt(hex, 2 + 2 * index) << 4) | digitAt(hex, 3 + 2 * index)
    }
  }

  /** Moves the start back by that many bytes, into a larger buffer when this one is full. */
  #reserve(length: number): void {
    if (length > this.#start) {
      const used = this.#buffer.subarray(this.#start)
      const larger = new Uint8Array(2 * (this.#buffer.length + length))
      larger.set(used, larger.length - used.length)
      this.#start = larger.length - used.length
      this.#buffer = larger
    }
    this.#start -= length
  }
}

/** One buffer serves every encoding: each is copied out before the next begins. */
const writer = new BackwardWriter()

/** The value of a lower-case or upper-case hex digit. */
const digitAt = (hex: string, index: number): number => {
  const code = hex.charCodeAt(index)
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57
}
