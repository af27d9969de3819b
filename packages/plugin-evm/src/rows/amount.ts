/** Quantities as a person reads them: decimal beside hex, wei in the usual unit. */
import { Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Quantity } from "../schemas/Hex.ts"

/** `17 · 0x11`: the number to read, and the form to write into params. */
export const showBlockNumber = (number: Quantity): string => `${quantity(number)} · ${number.toLowerCase()}`

/** `1.5 gwei`. */
export const showGwei = (wei: Quantity): string => `${decimal(quantity(wei), 9)} gwei`

/** `0.000051234 ether`. */
export const showEther = (wei: bigint): string => `${decimal(wei, 18)} ether`

/** Exact, with no more digits than it takes. */
const decimal = (value: bigint, decimals: number): string => {
  const scale = 10n ** BigInt(decimals)
  const fraction = (value % scale)
    .toString()
    .padStart(decimals, "0")
    .replace(/(?<!0)0+$/, "")
  const whole = Table.groupDigits(value / scale)
  return fraction === "" ? whole : `${whole}.${fraction}`
}
