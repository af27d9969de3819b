/** Amounts in words, for tables. */
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

/** An amount whose decimals are unknown is marked, so that 1500000 is not read as whole tokens. */
export const showAmount = (amount: TokenAmount | RawAmount | undefined): string => {
  if (amount === undefined) return ""
  return "uiAmountString" in amount ? amount.uiAmountString : `${amount.amount} raw`
}

/** `1204.5` as `1,204.5`; what is not a number stays as it is. */
export const grouped = (decimal: string): string => {
  const match = /^(\d{1,80})(\.\d+)?$/.exec(decimal)
  return match === null ? decimal : Table.groupDigits(BigInt(match[1] ?? "0")) + (match[2] ?? "")
}
