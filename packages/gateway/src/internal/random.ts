/**
 * A small deterministic source of numbers (the sfc32 generator), the same on every engine.
 *
 * Each purpose draws from a stream of its own, so that drawing more in one place changes nothing in another.
 */
import type { Hex } from "../chain/ChainJson.ts"

/** One stream of numbers. */
export interface Random {
  /** An integer from 0 up to, not including, `below` (at most 2^32). */
  readonly integer: (below: number) => number
  /** True in `percent` of a hundred draws. */
  readonly chance: (percent: number) => boolean
  /** One of the values. The list must not be empty. */
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  /** That many bytes, a multiple of four. */
  readonly bytes: (length: number) => Uint8Array
  /** 32 bytes as hex. */
  readonly word: () => Hex
}

/** The stream of a purpose for a seed, which must be a safe integer. */
export const randomStream = (seed: number, purpose: string): Random => {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`The seed must be a safe integer, got ${seed}.`)
  let a = seed >>> 0
  let b = Math.floor(seed / 0x1_0000_0000) >>> 0
  let c = 0x9e3779b9
  let counter = 1
  for (let index = 0; index < purpose.length; index++) {
    c = Math.imul(c ^ purpose.charCodeAt(index), 0x01000193) >>> 0
  }

  const next = (): number => {
    const sum = (a + b + counter) >>> 0
    counter = (counter + 1) >>> 0
    a = (b ^ (b >>> 9)) >>> 0
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0
    return sum
  }
  // The first draws still show the seed.
  for (let round = 0; round < 12; round++) next()

  const integer = (below: number): number => Math.floor((next() / 0x1_0000_0000) * below)

  return {
    integer,
    chance: (percent) => integer(100) < percent,
    pick: (values) => {
      const value = values[integer(values.length)]
      if (value === undefined) throw new RangeError("Cannot pick from an empty list.")
      return value
    },
    bytes: (length) => {
      const bytes = new Uint8Array(length)
      const view = new DataView(bytes.buffer)
      for (let offset = 0; offset < length; offset += 4) view.setUint32(offset, next())
      return bytes
    },
    word: () => {
      let digits = ""
      for (let part = 0; part < 8; part++) digits += next().toString(16).padStart(8, "0")
      return `0x${digits}`
    },
  }
}
