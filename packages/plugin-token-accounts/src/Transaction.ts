/** Transactions as a node returns them, in every encoding. */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { EncodedData } from "./AccountInfo.ts"
import { TokenAmount } from "./AccountList.ts"
import { I64, U64, Whole } from "./internal/integer.ts"

/** Why a transaction failed: a name, or an object such as `{ "InstructionError": [0, { "Custom": 1 }] }`. */
export const TransactionError = Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])
export type TransactionError = typeof TransactionError.Type

const err = unneeded(TransactionError).annotateKey({ description: "Why it failed; null when it did not." })

/** An instruction: by the places of its keys in the message, or by its keys, which the node may have parsed. */
export const Instruction = Schema.Union([
  Schema.Struct({
    programIdIndex: Whole,
    accounts: unneeded(Schema.Array(Whole)),
    data: unneeded(Schema.String),
    stackHeight: unneeded(Whole),
  }),
  Schema.Struct({
    programId: Schema.String,
    program: unneeded(Schema.String),
    parsed: unneeded(Schema.Unknown),
    accounts: unneeded(Schema.Array(Schema.String)),
    data: unneeded(Schema.String),
    stackHeight: unneeded(Whole),
  }),
])
export type Instruction = typeof Instruction.Type

const AccountKey = Schema.Union([
  Schema.String,
  Schema.Struct({
    pubkey: Schema.String,
    signer: unneeded(Schema.Boolean),
    writable: unneeded(Schema.Boolean),
    source: unneeded(Schema.String),
  }),
])
/** A key of a transaction: alone, or with what it may do. */
export type AccountKey = typeof AccountKey.Type

const messageStruct = Schema.Struct({
  accountKeys: Schema.Array(AccountKey),
  header: unneeded(
    Schema.Struct({
      numRequiredSignatures: unneeded(Whole),
      numReadonlySignedAccounts: unneeded(Whole),
      numReadonlyUnsignedAccounts: unneeded(Whole),
    }),
  ),
  recentBlockhash: unneeded(Schema.String),
  instructions: Schema.Array(Instruction),
  addressTableLookups: unneeded(
    Schema.Array(
      Schema.Struct({
        accountKey: Schema.String,
        writableIndexes: unneeded(Schema.Array(Whole)),
        readonlyIndexes: unneeded(Schema.Array(Whole)),
      }),
    ),
  ),
})

/** What is signed. */
export type Message = { [Name in keyof typeof messageStruct.Type]: (typeof messageStruct.Type)[Name] }
export const Message = Schema.Opaque<Message>()(messageStruct)

/** A transaction: as JSON, with its keys alone, or as bytes. */
export const EncodedTransaction = Schema.Union([
  Schema.Struct({ signatures: Schema.Array(Schema.String), message: Message }),
  Schema.Struct({ signatures: Schema.Array(Schema.String), accountKeys: Schema.Array(AccountKey) }),
  EncodedData,
])
export type EncodedTransaction = typeof EncodedTransaction.Type

/** Under its own name, by which the types of what contains it are known elsewhere. */
const Amount: Schema.Codec<TokenAmount> = TokenAmount

const tokenBalanceStruct = Schema.Struct({
  accountIndex: Whole.annotateKey({ description: "Place of the token account among the keys." }),
  mint: Schema.String.annotateKey({ description: "The token." }),
  owner: unneeded(Schema.String).annotateKey({ description: "Who holds it." }),
  programId: unneeded(Schema.String).annotateKey({ description: "The token program." }),
  uiTokenAmount: Amount.annotateKey({ description: "The amount." }),
})

/** The amount in a token account before or after a transaction. */
export type TokenBalance = { [Name in keyof typeof tokenBalanceStruct.Type]: (typeof tokenBalanceStruct.Type)[Name] }
export const TokenBalance = Schema.Opaque<TokenBalance>()(tokenBalanceStruct)

const rewardStruct = Schema.Struct({
  pubkey: Schema.String,
  lamports: unneeded(I64),
  postBalance: unneeded(U64),
  rewardType: unneeded(Schema.String),
  commission: unneeded(Whole),
})

/** What a validator or staker was paid. */
export type Reward = { [Name in keyof typeof rewardStruct.Type]: (typeof rewardStruct.Type)[Name] }
export const Reward = Schema.Opaque<Reward>()(rewardStruct)

/** A list of rewards, or null. */
export const Rewards = unneeded(Schema.Array(Reward))

const transactionMetaStruct = Schema.Struct({
  err,
  fee: unneeded(U64).annotateKey({ description: "Lamports that were paid for it." }),
  preBalances: Schema.optionalKey(Schema.Array(U64)).annotateKey({ description: "Lamports of each key before it." }),
  postBalances: Schema.optionalKey(Schema.Array(U64)).annotateKey({ description: "Lamports of each key after it." }),
  preTokenBalances: unneeded(Schema.Array(TokenBalance)).annotateKey({
    description: "Amounts of its token accounts before it.",
  }),
  postTokenBalances: unneeded(Schema.Array(TokenBalance)).annotateKey({
    description: "Amounts of its token accounts after it.",
  }),
  innerInstructions: unneeded(
    Schema.Array(Schema.Struct({ index: Whole, instructions: Schema.Array(Instruction) })),
  ).annotateKey({ description: "Instructions that its instructions called." }),
  logMessages: unneeded(Schema.Array(Schema.String)).annotateKey({
    description: "What the programs logged.",
  }),
  loadedAddresses: unneeded(
    Schema.Struct({ writable: unneeded(Schema.Array(Schema.String)), readonly: unneeded(Schema.Array(Schema.String)) }),
  ).annotateKey({ description: "Keys that came from lookup tables." }),
  returnData: unneeded(Schema.Struct({ programId: Schema.String, data: Schema.Tuple([Schema.String, Schema.String]) })),
  rewards: Rewards,
  computeUnitsConsumed: unneeded(U64).annotateKey({ description: "What it computed." }),
})

/** What a transaction did. */
export type TransactionMeta = {
  [Name in keyof typeof transactionMetaStruct.Type]: (typeof transactionMetaStruct.Type)[Name]
}
export const TransactionMeta = Schema.Opaque<TransactionMeta>()(transactionMetaStruct)

const version = unneeded(Schema.Union([Schema.Literals(["legacy"]), Whole])).annotateKey({
  description: "`legacy`, or the number of its version.",
})

const transactionInBlockStruct = Schema.Struct({
  transaction: EncodedTransaction,
  meta: unneeded(TransactionMeta),
  version,
})

/** A transaction in a block. */
export type TransactionInBlock = {
  [Name in keyof typeof transactionInBlockStruct.Type]: (typeof transactionInBlockStruct.Type)[Name]
}
export const TransactionInBlock = Schema.Opaque<TransactionInBlock>()(transactionInBlockStruct)

const transactionResultStruct = Schema.Struct({
  slot: U64.annotateKey({ description: "The slot of its block." }),
  blockTime: unneeded(I64).annotateKey({ description: "Seconds since 1970, or null." }),
  transaction: EncodedTransaction,
  meta: unneeded(TransactionMeta),
  version,
})

/** A transaction that was found by its signature. */
export type TransactionResult = {
  [Name in keyof typeof transactionResultStruct.Type]: (typeof transactionResultStruct.Type)[Name]
}
export const TransactionResult = Schema.Opaque<TransactionResult>()(transactionResultStruct)
