/** An entry of the result, decoded from any form of its data. */
import type { ParsedData, TokenAccountEntry, TokenAmount } from "./AccountList.ts"
import { decodeAccount, type DecodedAccount, type DecodeOptions } from "./DecodeAccount.ts"
import { decodeData } from "./DecodeData.ts"
import { DecodeError } from "./DecodeError.ts"

/**
 * The account of an entry: as the node parsed it, or decoded here from its bytes. Amounts decoded here are raw unless
 * `decimals` are given, as in `decodeAccount`.
 *
 * Throws a {@link DecodeError}; its reason is `partial` when `dataSlice` cut the data.
 */
export function decodeEntry(
  entry: TokenAccountEntry,
  options: DecodeOptions & { readonly decimals: number },
): ParsedData | DecodedAccount<TokenAmount>
export function decodeEntry(entry: TokenAccountEntry, options?: DecodeOptions): ParsedData | DecodedAccount
export function decodeEntry(entry: TokenAccountEntry, options: DecodeOptions = {}): ParsedData | DecodedAccount {
  const { data, owner, space } = entry.account
  if (isParsed(data)) return data
  const bytes = decodeData(data, options.largest)
  if (bytes.length < (space ?? 0))
    throw new DecodeError({
      reason: "partial",
      detail: `the data has ${bytes.length} of ${space} bytes; ask without dataSlice to decode the account`,
    })
  return decodeAccount(bytes, owner === token2022 ? { program: "spl-token-2022", ...options } : options)
}

const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

const isParsed = (data: TokenAccountEntry["account"]["data"]): data is ParsedData =>
  typeof data === "object" && "parsed" in data
