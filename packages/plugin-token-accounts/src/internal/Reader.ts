/** Reads little-endian fields of account data one after the other. */
import { base58 } from "@scure/base"
import { DecodeError } from "../DecodeError.ts"

export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = at
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number, what: string): Uint8Array {
    if (length > this.remaining)
      throw new DecodeError({
        reason: "corrupt",
        detail: `${what} at byte ${this.#at} needs ${length} bytes, and ${this.remaining} are left`,
      })
    const start = this.#at
    this.#at += length
    return this.#bytes.subarray(start, this.#at)
  }

  u8(what: string): number {
    const start = this.#at
    this.take(1, what)
    return this.#view.getUint8(start)
  }

  u16(what: string): number {
    const start = this.#at
    this.take(2, what)
    return this.#view.getUint16(start, true)
  }

  u64(what: string): bigint {
    const start = this.#at
    this.take(8, what)
    return this.#view.getBigUint64(start, true)
  }

  /** A byte that must be 0 or 1. */
  bool(what: string): boolean {
    const start = this.#at
    return this.#flag(this.u8(what), what, start)
  }

  key(what: string): string {
    return base58.encode(this.take(32, what))
  }

  /** An optional field of fixed size: a tag of four bytes, then the value, which is meaningless when the tag is 0. */
  optional<A>(what: string, read: (what: string) => A): A | undefined {
    const start = this.#at
    this.take(4, what)
    const present = this.#flag(this.#view.getUint32(start, true), what, start)
    const value = read(what)
    return present ? value : undefined
  }

  #flag(value: number, what: string, at: number): boolean {
    if (value > 1)
      throw new DecodeError({ reason: "corrupt", detail: `${what} at byte ${at} should be 0 or 1, and is ${value}` })
    return value === 1
  }
}
