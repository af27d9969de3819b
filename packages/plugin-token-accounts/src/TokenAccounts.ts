/**
 * Token accounts of an account-model network (service §4.5).
 *
 * @example
 * ```ts
 * const program = Effect.gen(function* () {
 *   const { value } = yield* TokenAccounts.getTokenAccountsByDelegate(delegate, { mint })
 *   return value.map((entry) => TokenAccounts.decodeEntry(entry).parsed.info.tokenAmount)
 * })
 * ```
 */
import { definePlugin } from "@dotrpc/spec"
import { GetTokenAccountsByDelegate } from "./GetTokenAccountsByDelegate.ts"
import { base58Function, lamportsFunction } from "./internal/functions.ts"
import { networks } from "./internal/networks.ts"

export type { AccountList, EncodedData, ParsedData, TokenAccountEntry, TokenAmount } from "./AccountList.ts"
export type { AccountScope, Commitment, Encoding, QueryConfig, QueryParams } from "./AccountQuery.ts"
export {
  type AccountState,
  decodeAccount,
  type DecodedAccount,
  type DecodeOptions,
  type RawAmount,
  type TokenProgram,
} from "./DecodeAccount.ts"
export { decodeData } from "./DecodeData.ts"
export { decodeEntry } from "./DecodeEntry.ts"
export { DecodeError, type DecodeReason } from "./DecodeError.ts"
export { GetTokenAccountsByDelegate, getTokenAccountsByDelegate } from "./GetTokenAccountsByDelegate.ts"
export { publicKeyProblem } from "./PublicKey.ts"
export type { ConfidentialTransferState, TokenExtension } from "./TokenExtension.ts"
export { uiAmountString } from "./UiAmount.ts"

/** The plugin value: what an app registers. */
export const plugin = definePlugin({
  id: "token-accounts",
  title: "Token accounts",
  docs: "Token accounts of an account-model network, found by the delegate that may spend from them. Amounts are exact; account data is decoded from any encoding.",
  methods: [GetTokenAccountsByDelegate],
  functions: [base58Function, lamportsFunction],
  networks,
})
