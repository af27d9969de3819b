/** Transactions as a node returns them, in every encoding. */
import * as Schema from "effect/Schema"
import { EncodedData, TokenAmount } from "./AccountList.ts"
import { I64, U64, Whole } from "./internal/integer.ts"

/** Why a transaction failed: a name, or an object such as `{ "InstructionError": [0, { "Custom": 1 }] }`. */
export const TransactionError = Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])
export type TransactionError = typeof TransactionError.Type

const err = Schema.NullOr(TransactionError).annotateKey({ description: "Why it failed; null when it did not." })

/** An instruction: by the places of its keys in the message, or by its keys, or parsed by the node. */
export const Instruction = Schema.Union([
  Schema.Struct({
    programIdIndex: Whole,
    accounts: Schema.Array(Whole),
    data: Schema.String,
    stackHeight: Schema.optionalKey(Schema.NullOr(Whole)),
  }),
  Schema.Struct({
    program: Schema.String,
    programId: Schema.String,
    parsed: Schema.Unknown,
    stackHeight: Schema.optionalKey(Schema.NullOr(Whole)),
  }),
  Schema.Struct({
    programId: Schema.String,
    accounts: Schema.Array(Schema.String),
    data: Schema.String,
    stackHeight: Schema.optionalKey(Schema.NullOr(Whole)),
  }),
])
export type Instruction = typeof Instruction.Type

const AccountKey = Schema.Union([
  Schema.String,
  Schema.Struct({
    pubkey: Schema.String,
    signer: Schema.Boolean,
    writable: Schema.Boolean,
    source: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
])
/** A key of a transaction: alone, or with what it may do. */
export type AccountKey = typeof AccountKey.Type

const messageStruct = Schema.Struct({
  accountKeys: Schema.Array(AccountKey),
  header: Schema.optionalKey(
    Schema.Struct({
      numRequiredSignatures: Whole,
      numReadonlySignedAccounts: Whole,
      numReadonlyUnsignedAccounts: Whole,
    }),
  ),
  recentBlockhash: Schema.String,
  instructions: Schema.Array(Instruction),
  addressTableLookups: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          accountKey: Schema.String,
          writableIndexes: Schema.Array(Whole),
          readonlyIndexes: Schema.Array(Whole),
        }),
      ),
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
  owner: Schema.optionalKey(Schema.String).annotateKey({ description: "Who holds it." }),
  programId: Schema.optionalKey(Schema.String).annotateKey({ description: "The token program." }),
  uiTokenAmount: Amount.annotateKey({ description: "The amount." }),
})

/** The amount in a token account before or after a transaction. */
export type TokenBalance = { [Name in keyof typeof tokenBalanceStruct.Type]: (typeof tokenBalanceStruct.Type)[Name] }
export const TokenBalance = Schema.Opaque<TokenBalance>()(tokenBalanceStruct)

const rewardStruct = Schema.Struct({
  pubkey: Schema.String,
  lamports: I64,
  postBalance: U64,
  rewardType: Schema.optionalKey(Schema.NullOr(Schema.String)),
  commission: Schema.optionalKey(Schema.NullOr(Whole)),
})

/** What a validator or staker was paid. */
export type Reward = { [Name in keyof typeof rewardStruct.Type]: (typeof rewardStruct.Type)[Name] }
export const Reward = Schema.Opaque<Reward>()(rewardStruct)

/** A list of rewards, or null. */
export const Rewards = Schema.optionalKey(Schema.NullOr(Schema.Array(Reward)))

const transactionMetaStruct = Schema.Struct({
  err,
  fee: U64.annotateKey({ description: "Lamports that were paid for it." }),
  preBalances: Schema.Array(U64).annotateKey({ description: "Lamports of each key before it." }),
  postBalances: Schema.Array(U64).annotateKey({ description: "Lamports of each key after it." }),
  preTokenBalances: Schema.optionalKey(Schema.NullOr(Schema.Array(TokenBalance))).annotateKey({
    description: "Amounts of its token accounts before it.",
  }),
  postTokenBalances: Schema.optionalKey(Schema.NullOr(Schema.Array(TokenBalance))).annotateKey({
    description: "Amounts of its token accounts after it.",
  }),
  innerInstructions: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ index: Whole, instructions: Schema.Array(Instruction) }))),
  ).annotateKey({ description: "Instructions that its instructions called." }),
  logMessages: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))).annotateKey({
    description: "What the programs logged.",
  }),
  loadedAddresses: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ writable: Schema.Array(Schema.String), readonly: Schema.Array(Schema.String) })),
  ).annotateKey({ description: "Keys that came from lookup tables." }),
  returnData: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ programId: Schema.String, data: Schema.Tuple([Schema.String, Schema.String]) })),
  ),
  rewards: Rewards,
  computeUnitsConsumed: Schema.optionalKey(Schema.NullOr(U64)).annotateKey({ description: "What it computed." }),
})

/** What a transaction did. */
export type TransactionMeta = {
  [Name in keyof typeof transactionMetaStruct.Type]: (typeof transactionMetaStruct.Type)[Name]
}
export const TransactionMeta = Schema.Opaque<TransactionMeta>()(transactionMetaStruct)

const version = Schema.optionalKey(Schema.Union([Schema.Literals(["legacy"]), Whole])).annotateKey({
  description: "`legacy`, or the number of its version.",
})

const transactionInBlockStruct = Schema.Struct({
  transaction: EncodedTransaction,
  meta: Schema.NullOr(TransactionMeta),
  version,
})

/** A transaction in a block. */
export type TransactionInBlock = {
  [Name in keyof typeof transactionInBlockStruct.Type]: (typeof transactionInBlockStruct.Type)[Name]
}
export const TransactionInBlock = Schema.Opaque<TransactionInBlock>()(transactionInBlockStruct)

const transactionResultStruct = Schema.Struct({
  slot: U64.annotateKey({ description: "The slot of its block." }),
  blockTime: Schema.optionalKey(Schema.NullOr(I64)).annotateKey({ description: "Seconds since 1970, or null." }),
  transaction: EncodedTransaction,
  meta: Schema.NullOr(TransactionMeta),
  version,
})

/** A transaction that was found by its signature. */
export type TransactionResult = {
  [Name in keyof typeof transactionResultStruct.Type]: (typeof transactionResultStruct.Type)[Name]
}
export const TransactionResult = Schema.Opaque<TransactionResult>()(transactionResultStruct)
