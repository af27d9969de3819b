/** What it costs to send a transaction, whatever it does then. */
import { bytesFromHex } from "../chain/internal/hex.ts"
import type { Message } from "./Execution.ts"

/** Gas before the first instruction runs. */
export const intrinsicGas = ({ accessList, input, to }: Message): bigint => {
  const { bytes, nonZero } = bytesOf(input)
  const creation = to === null ? 32_000 + 2 * Math.ceil(bytes / 32) : 0
  const listed = accessList.reduce((sum, { storageKeys }) => sum + 2_400 + 1_900 * storageKeys.length, 0)
  return BigInt(21_000 + creation + 4 * bytes + 12 * nonZero + listed)
}

/** The least that a transaction with much data pays (EIP-7623). */
export const leastGas = ({ input }: Message): bigint => {
  const { bytes, nonZero } = bytesOf(input)
  return BigInt(21_000 + 10 * (bytes + 3 * nonZero))
}

const bytesOf = (input: Message["input"]) => {
  const data = bytesFromHex(input)
  let nonZero = 0
  for (const byte of data) if (byte !== 0) nonZero++
  return { bytes: data.length, nonZero }
}
