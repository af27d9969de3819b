/** What the token programs stored in an account, from any form of its data. */
import type { AccountInfo, ParsedAccountData } from "./AccountInfo.ts"
import { decodeAccount, type DecodedAccount, type DecodeOptions } from "./DecodeAccount.ts"
import { decodeData } from "./DecodeData.ts"
import { type DecodedMint, decodeMint, isMint } from "./DecodeMint.ts"
import { DecodeError } from "./DecodeError.ts"

/**
 * A token account or a mint: as the node parsed it, or decoded here from its bytes; `undefined` for an account of
 * another program that the node did not parse. Amounts of a token account decoded here are raw unless `decimals` are given.
 *
 * Throws a {@link DecodeError} when the data of a token program cannot be read; its reason is `partial` when `dataSlice`
 * cut it.
 *
 * @example
 * ```ts
 * const { value } = yield* TokenAccounts.getAccountInfo(mint, { encoding: "base64" })
 * const decoded = value === null ? undefined : TokenAccounts.decodeTokenData(value)
 * ```
 */
export const decodeTokenData = (
  account: Pick<AccountInfo, "data" | "owner" | "space">,
  options: DecodeOptions = {},
): ParsedAccountData | DecodedAccount | DecodedMint | undefined => {
  const { data, owner, space } = account
  if (typeof data === "object" && "parsed" in data) return data
  const program = options.program ?? programs.get(owner)
  if (program === undefined) return undefined
  const bytes = decodeData(data, options.largest)
  if (bytes.length < (space ?? 0))
    throw new DecodeError({
      reason: "partial",
      detail: `the data has ${bytes.length} of ${space} bytes; ask without dataSlice to decode the account`,
    })
  return isMint(bytes) ? decodeMint(bytes, program) : decodeAccount(bytes, { ...options, program })
}

const programs: ReadonlyMap<string, "spl-token" | "spl-token-2022"> = new Map([
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "spl-token"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "spl-token-2022"],
])
