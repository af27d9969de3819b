/** A 32-byte word as a person reads it, without its type: most words of logs are amounts and addresses. */
import { Table } from "@dotrpc/spec"
import type { Hex } from "../schemas/Hex.ts"

/** Values from here on are not a number: a million tokens of 18 decimals are below it, and nearly every address is above. */
const firstNonNumber = 10n ** 30n

/** A small word as a decimal number, one of 20 bytes as an address, any other shortened. */
export const showWord = (word: Hex, shorten = Table.shorten): string => {
  const value = BigInt(word)
  if (value < firstNonNumber) return Table.groupDigits(value)
  return value >> 160n === 0n ? shorten(`0x${word.slice(-40)}`) : shorten(word)
}

/** Data of one word is read as {@link showWord} does, longer data is shortened. */
export const showData = (data: Hex, shorten = Table.shorten): string =>
  data.length === 66 ? showWord(data, shorten) : shorten(data, 10, 12)
