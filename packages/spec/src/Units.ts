/**
 * Amounts of a token as people write them, with the decimals and the symbol of its contract.
 *
 * Invariant: an amount is exact, and a symbol cannot be mistaken for another or for a number.
 */
import { groupDigits } from "./internal/groupDigits.ts"
import type { Json } from "./Json.ts"
import { isObject } from "./Json.ts"

/** The units of a token. */
export interface TokenUnits {
  /** The token, as its family spells it; addresses in lower case. */
  readonly token: string
  /** 0 to {@link maxDecimals}. */
  readonly decimals: number
  /** Absent if the token has none, or one that cannot be shown. */
  readonly symbol?: string | undefined
}

/** A 256-bit integer has 78 digits, so no amount has more decimals than 77. */
export const maxDecimals = 77

/** Whether a token can have so many decimals. */
export const isDecimals = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxDecimals

/**
 * Whether a symbol may be shown: at most 32 letters, digits and `.$_+/-` of ASCII, with a letter among them. Letters of other scripts
 * look like these, and a text that begins like an address or an exponent reads like one.
 */
export const isSymbol = (text: string): boolean =>
  /^[A-Za-z0-9$][A-Za-z0-9.$_+/-]{0,31}$/.test(text) && /[A-Za-z]/.test(text) && !/^0x|^\d*e\d+$/i.test(text)

/**
 * The exact amount in a token's units: `1,204.5 USDC`, or `1,204.5` without a symbol.
 *
 * @example
 * ```ts
 * formatUnits(1_204_500_000n, { decimals: 6, symbol: "USDC" }) // "1,204.5 USDC"
 * ```
 */
export const formatUnits = (
  amount: number | bigint,
  { decimals, symbol }: Pick<TokenUnits, "decimals" | "symbol">,
): string => {
  if (!isDecimals(decimals))
    throw new RangeError(`decimals must be a whole number from 0 to ${maxDecimals}; it is ${String(decimals)}.`)
  const text = decimalText(BigInt(amount), decimals)
  return symbol === undefined ? text : `${text} ${symbol}`
}

/** An integer of smallest units with a decimal point and without zeros at the end: `decimalText(1500n, 3)` is `1.5`. */
export const decimalText = (amount: bigint, decimals: number): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, "0")
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/(?<!0)0+$/, "")
  const sign = amount < 0n ? "-" : ""
  const whole = sign + groupDigits(BigInt(digits.slice(0, point)))
  return fraction === "" ? whole : `${whole}.${fraction}`
}

/** Units that were kept as JSON; `undefined` for anything else, as another program may have written it. */
export const readTokenUnits = (value: Json | undefined): TokenUnits | undefined => {
  if (value === undefined || !isObject(value)) return undefined
  const { decimals, symbol, token } = value
  if (typeof token !== "string" || !isDecimals(decimals)) return undefined
  if (symbol === undefined) return { token, decimals }
  return typeof symbol === "string" && isSymbol(symbol) ? { token, decimals, symbol } : undefined
}
