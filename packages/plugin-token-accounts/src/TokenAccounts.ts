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
import { comparable } from "./internal/comparable.ts"
import { GetTokenAccountsByDelegate } from "./GetTokenAccountsByDelegate.ts"
import { addressForm } from "./PublicKey.ts"
import { GetAccountInfo } from "./methods/GetAccountInfo.ts"
import { GetBalance } from "./methods/GetBalance.ts"
import { GetBlock } from "./methods/GetBlock.ts"
import { GetBlockHeight } from "./methods/GetBlockHeight.ts"
import { GetBlockTime } from "./methods/GetBlockTime.ts"
import { GetEpochInfo } from "./methods/GetEpochInfo.ts"
import { GetHealth } from "./methods/GetHealth.ts"
import { GetLatestBlockhash } from "./methods/GetLatestBlockhash.ts"
import { GetMultipleAccounts } from "./methods/GetMultipleAccounts.ts"
import { GetProgramAccounts } from "./methods/GetProgramAccounts.ts"
import { GetSignaturesForAddress } from "./methods/GetSignaturesForAddress.ts"
import { GetSlot } from "./methods/GetSlot.ts"
import { GetTokenAccountBalance } from "./methods/GetTokenAccountBalance.ts"
import { GetTokenAccountsByOwner } from "./methods/GetTokenAccountsByOwner.ts"
import { GetTokenLargestAccounts } from "./methods/GetTokenLargestAccounts.ts"
import { GetTokenSupply } from "./methods/GetTokenSupply.ts"
import { GetTransaction } from "./methods/GetTransaction.ts"
import { GetVersion } from "./methods/GetVersion.ts"
import { base58Function, lamportsFunction } from "./internal/functions.ts"
import { networks } from "./internal/networks.ts"
import { LogsSubscription, SlotSubscription } from "./subscriptions.ts"

export type { AccountInfo, EncodedData, KeyedAccount, ParsedAccountData } from "./AccountInfo.ts"
export type { AccountList, ParsedData, TokenAccountEntry, TokenAmount } from "./AccountList.ts"
export type { AccountScope, Commitment, Encoding, QueryConfig, QueryParams } from "./AccountQuery.ts"
export {
  type AccountState,
  decodeAccount,
  type DecodedAccount,
  type DecodeOptions,
  type RawAmount,
  type TokenProgram,
} from "./DecodeAccount.ts"
export type { Context, InContext } from "./Context.ts"
export { decodeData } from "./DecodeData.ts"
export { decodeEntry } from "./DecodeEntry.ts"
export { type DecodedTransaction, decodeTransaction } from "./DecodeTransaction.ts"
export { DecodeError, type DecodeReason } from "./DecodeError.ts"
export { type DecodedMint, decodeMint } from "./DecodeMint.ts"
export { decodeTokenData } from "./DecodeTokenData.ts"
export { GetTokenAccountsByDelegate, getTokenAccountsByDelegate } from "./GetTokenAccountsByDelegate.ts"
export { GetAccountInfo, getAccountInfo } from "./methods/GetAccountInfo.ts"
export { GetBalance, getBalance } from "./methods/GetBalance.ts"
export { type Block, type BlockConfig, type BlockParams, GetBlock, getBlock } from "./methods/GetBlock.ts"
export { GetBlockHeight, getBlockHeight } from "./methods/GetBlockHeight.ts"
export { GetBlockTime, getBlockTime } from "./methods/GetBlockTime.ts"
export { type EpochInfo, GetEpochInfo, getEpochInfo } from "./methods/GetEpochInfo.ts"
export { GetHealth, getHealth } from "./methods/GetHealth.ts"
export { GetLatestBlockhash, getLatestBlockhash, type LatestBlockhash } from "./methods/GetLatestBlockhash.ts"
export { GetMultipleAccounts, getMultipleAccounts } from "./methods/GetMultipleAccounts.ts"
export { GetProgramAccounts, getProgramAccounts } from "./methods/GetProgramAccounts.ts"
export {
  GetSignaturesForAddress,
  getSignaturesForAddress,
  type SignatureInfo,
  type SignaturesConfig,
  type SignaturesParams,
} from "./methods/GetSignaturesForAddress.ts"
export { GetSlot, getSlot } from "./methods/GetSlot.ts"
export { GetTokenAccountBalance, getTokenAccountBalance } from "./methods/GetTokenAccountBalance.ts"
export { GetTokenAccountsByOwner, getTokenAccountsByOwner } from "./methods/GetTokenAccountsByOwner.ts"
export {
  GetTokenLargestAccounts,
  getTokenLargestAccounts,
  type TokenHolding,
} from "./methods/GetTokenLargestAccounts.ts"
export { GetTokenSupply, getTokenSupply } from "./methods/GetTokenSupply.ts"
export { GetTransaction, getTransaction, type TransactionParams } from "./methods/GetTransaction.ts"
export { GetVersion, getVersion, type NodeVersion } from "./methods/GetVersion.ts"
export { type AccountFilter, memcmpBytes, type ProgramConfig, type ProgramParams } from "./ProgramQuery.ts"
export { publicKeyProblem } from "./PublicKey.ts"
export type { CommitmentConfig, ReadConfig } from "./ReadConfig.ts"
export {
  LogsEvent,
  LogsFilter,
  type LogsOptions,
  LogsSubscription,
  SlotEvent,
  type SlotsOptions,
  SlotSubscription,
  subscribe,
  type Subscribe,
} from "./subscriptions.ts"
export type { ConfidentialTransferState, TokenExtension } from "./TokenExtension.ts"
export type {
  AccountKey,
  EncodedTransaction,
  Instruction,
  Message,
  Reward,
  TokenBalance,
  TransactionError,
  TransactionInBlock,
  TransactionMeta,
  TransactionResult,
} from "./Transaction.ts"
export type { TransactionConfig, TransactionEncoding } from "./TransactionQuery.ts"
export { tokenAmount, uiAmountString } from "./UiAmount.ts"

/** The plugin value: what an app registers. */
export const plugin = definePlugin({
  id: "token-accounts",
  title: "Token accounts",
  docs: "The everyday methods of an account-model network: token accounts by delegate, by owner and by program, balances, supplies, accounts, slots and blocks. Amounts are exact; data of the token programs is decoded from any encoding.",
  methods: [
    GetTokenAccountsByDelegate,
    GetTokenAccountsByOwner,
    GetTokenAccountBalance,
    GetTokenSupply,
    GetTokenLargestAccounts,
    GetAccountInfo,
    GetMultipleAccounts,
    GetProgramAccounts,
    GetBalance,
    GetSignaturesForAddress,
    GetTransaction,
    GetBlock,
    GetSlot,
    GetBlockHeight,
    GetBlockTime,
    GetLatestBlockhash,
    GetEpochInfo,
    GetHealth,
    GetVersion,
  ],
  functions: [base58Function, lamportsFunction],
  subscriptions: [LogsSubscription, SlotSubscription],
  networks,
  address: addressForm,
  comparable,
})
