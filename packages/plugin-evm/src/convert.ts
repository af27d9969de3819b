/** Between wire hex and numbers. */
import { type Hex, mostDigits, quote } from "./schemas/Hex.ts"

/**
 * The number of a quantity, exactly: `quantity("0x1b4")` is `436n`. Also reads a storage value as an integer. Throws a
 * `TypeError` when the text is not hex, or has more digits than 256 bits: writing out millions of them would take minutes.
 */
export const quantity = (hex: Hex): bigint => {
  if (hex.length > 2 + mostDigits || !/^0x[\da-f]+$/i.test(hex))
    throw new TypeError(`Expected a quantity in hex such as "0x1b4", found ${quote(hex)}.`)
  return BigInt(hex)
}

/**
 * A number as params carry it: `hex(436)` is `"0x1b4"`. Throws a `RangeError` when it is negative or not an exact integer.
 */
export const hex = (value: number | bigint): Hex => {
  if (value < 0 || (typeof value === "number" && !Number.isSafeInteger(value)))
    throw new RangeError(`Expected a whole number of zero or more, found ${value}.`)
  return `0x${value.toString(16)}`
}

/** The time of a block's `timestamp`. */
export const time = (timestamp: Hex): Date => new Date(Number(quantity(timestamp)) * 1_000)

/** The address in the last 20 bytes of a topic or a storage value, in lower case; what stands before it must be zero. */
export const addressOf = (word: Hex): Hex => {
  const found = /^0x0{24}([\da-f]{40})$/i.exec(word)?.[1]
  if (found === undefined) throw new TypeError(`Expected an address padded to 32 bytes, found ${JSON.stringify(word)}.`)
  return `0x${found.toLowerCase()}`
}
