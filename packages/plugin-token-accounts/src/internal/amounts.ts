/**
 * Amounts in words, for tables.
 *
 * Invariant: whole tokens are what the node computed, since the mint may have a multiplier that results do not show; any other amount
 * is marked as raw.
 */
import { Table } from "@dotrpc/spec"
import type { TokenAmount } from "../AccountList.ts"
import type { RawAmount } from "../DecodeAccount.ts"
import { uiAmountString } from "../UiAmount.ts"

/** Lamports in the native token: `1,204.5 SOL`. */
export const inSol = (lamports: number | bigint): string => `${withSign(BigInt(lamports), 9)} SOL`

/** An exact amount, digits in groups: `-1,204.5`. */
export const withSign = (amount: bigint, decimals: number): string => {
  const text = grouped(uiAmountString(amount < 0n ? -amount : amount, decimals))
  return amount < 0n ? `-${text}` : text
}

/** As {@link withSign}, with a `+` as well. */
export const withBothSigns = (amount: bigint, decimals: number): string =>
  (amount > 0n ? "+" : "") + withSign(amount, decimals)

/** What the node computed, or the raw amount. */
export const showAmount = (amount: TokenAmount | RawAmount | null | undefined): string => {
  if (amount === undefined || amount === null) return ""
  const { decimals, uiAmountString: shown }: Partial<TokenAmount> = amount
  return typeof shown === "string" ? grouped(shown) : amount.amount + rawMark(decimals)
}

/** How much an amount has changed, in the units that {@link showAmount} shows; an account that is not there holds nothing. */
export const showChange = (before: TokenAmount | undefined, after: TokenAmount | undefined): string => {
  const [had, has] = [tokensIn(before), tokensIn(after)]
  if (had === undefined || has === undefined) {
    const change = (rawIn(after) ?? 0n) - (rawIn(before) ?? 0n)
    return `${change > 0n ? "+" : ""}${change}${rawMark((after ?? before)?.decimals)}`
  }
  const places = Math.max(had.places, has.places)
  const scaled = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own)
  return withBothSigns(scaled(has) - scaled(had), places)
}

/** The amount in the smallest unit; text that is not an amount is none. */
export const rawIn = (amount: TokenAmount | undefined): bigint | undefined => {
  if (amount === undefined) return 0n
  return /^\d{1,20}$/.test(amount.amount) ? BigInt(amount.amount) : undefined
}

/** `raw, 6 decimals`, so that 1500000 is not read as whole tokens. */
const rawMark = (decimals: number | bigint | undefined): string =>
  decimals === undefined ? " raw" : ` raw, ${decimals} decimals`

interface Decimal {
  readonly digits: bigint
  /** How many of them follow the point. */
  readonly places: number
}

const tokensIn = (amount: TokenAmount | undefined): Decimal | undefined => {
  const match = decimal.exec(amount === undefined ? "0" : (amount.uiAmountString ?? ""))
  if (match === null) return undefined
  const [, whole = "", fraction = ""] = match
  return { digits: BigInt(whole + fraction.slice(1)), places: Math.max(0, fraction.length - 1) }
}

/** As long as the largest amounts of 255 decimals are. */
const decimal = /^(\d{1,80})(\.\d{1,255})?$/

/** `1204.5` as `1,204.5`; what is not a number stays as it is. */
export const grouped = (text: string): string => {
  const match = decimal.exec(text)
  return match === null ? text : Table.groupDigits(BigInt(match[1] ?? "0")) + (match[2] ?? "")
}
