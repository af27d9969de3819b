/** Token amounts as a person writes them, exact for every number of decimals. */
import type { TokenAmount } from "./AccountList.ts"
import { DecodeError } from "./DecodeError.ts"

/**
 * A raw amount with the decimal point in its place; zeros at the end of the fraction are dropped.
 *
 * Throws a {@link DecodeError} when `decimals` is not a whole number from 0 to 255.
 *
 * @example
 * ```ts
 * uiAmountString(18446744073709551615n, 6) // "18446744073709.551615"
 * uiAmountString(1_500_000n, 6)            // "1.5"
 * ```
 */
export const uiAmountString = (amount: bigint, decimals: number): string => {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255)
    throw new DecodeError({
      reason: "decimals",
      detail: `expected decimals as a whole number from 0 to 255, found ${decimals}`,
    })
  const digits = String(amount).padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}

/** An amount in the shape of a parsed account. `uiAmount` is null where the node's own arithmetic overflows. */
export const tokenAmount = (amount: bigint, decimals: number): TokenAmount => ({
  amount: String(amount),
  decimals,
  uiAmount: decimals <= largestPowerOfTenInU64 ? Number(amount) / 10 ** decimals : null,
  uiAmountString: uiAmountString(amount, decimals),
})

const largestPowerOfTenInU64 = 19
