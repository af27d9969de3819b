/** Quantities as a person reads them: decimal beside hex, wei in the usual unit. */
import { decimalText, formatUnits, type TokenUnits } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Quantity } from "../schemas/Hex.ts"

/** `17 · 0x11`: the number to read, and the form to write into params. */
export const showBlockNumber = (number: Quantity): string => `${quantity(number)} · ${number.toLowerCase()}`

/** `1.5 gwei`. */
export const showGwei = (wei: Quantity): string => `${decimalText(quantity(wei), 9)} gwei`

/** `0.000051234 ether`. */
export const showEther = (wei: bigint): string => `${decimalText(wei, 18)} ether`

/**
 * Whether an integer type may hold an amount of a token: dates, indexes and numbers of decimals take fewer bits than these.
 * Contracts declare amounts as `uint256` and, packed, as little as `uint96`.
 */
const isAmount = (type: string): boolean => {
  const [, bits] = /^u?int(\d*)$/.exec(type) ?? []
  return bits !== undefined && (bits === "" || Number(bits) > 64)
}

/** `1,204.5 USDC`; `undefined` if the type cannot be an amount. */
export const showAmount = (value: number | bigint, type: string, units: TokenUnits): string | undefined =>
  isAmount(type) ? formatUnits(value, units) : undefined
