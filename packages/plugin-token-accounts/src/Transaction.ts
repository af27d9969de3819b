/** Transactions as a node returns them, in every encoding. */
import { Schema } from "effect"
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

/** A key of a transaction: alone, or with what it may do. */
const AccountKey = Schema.Union([
  Schema.String,
  Schema.Struct({
    pubkey: Schema.String,
    signer: Schema.Boolean,
    writable: Schema.Boolean,
    source: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
])
export type AccountKey = typeof AccountKey.Type

/** What is signed. */
export const Message = Schema.Struct({
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
export type Message = typeof Message.Type

/** A transaction: as JSON, with its keys alone, or as bytes. */
export const EncodedTransaction = Schema.Union([
  Schema.Struct({ signatures: Schema.Array(Schema.String), message: Message }),
  Schema.Struct({ signatures: Schema.Array(Schema.String), accountKeys: Schema.Array(AccountKey) }),
  EncodedData,
])
export type EncodedTransaction = typeof EncodedTransaction.Type

/** Under its own name, by which the types of what contains it are known elsewhere. */
const Amount: Schema.Codec<TokenAmount> = TokenAmount

/** The amount in a token account before or after a transaction. */
const TokenBalance = Schema.Struct({
  accountIndex: Whole.annotateKey({ description: "Place of the token account among the keys." }),
  mint: Schema.String.annotateKey({ description: "The token." }),
  owner: Schema.optionalKey(Schema.String).annotateKey({ description: "Who holds it." }),
  programId: Schema.optionalKey(Schema.String).annotateKey({ description: "The token program." }),
  uiTokenAmount: Amount.annotateKey({ description: "The amount." }),
})
export type TokenBalance = typeof TokenBalance.Type

const Reward = Schema.Struct({
  pubkey: Schema.String,
  lamports: I64,
  postBalance: U64,
  rewardType: Schema.optionalKey(Schema.NullOr(Schema.String)),
  commission: Schema.optionalKey(Schema.NullOr(Whole)),
})
export type Reward = typeof Reward.Type

/** A list of rewards, or null. */
export const Rewards = Schema.optionalKey(Schema.NullOr(Schema.Array(Reward)))

/** What a transaction did. */
export const TransactionMeta = Schema.Struct({
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
export type TransactionMeta = typeof TransactionMeta.Type

const version = Schema.optionalKey(Schema.Union([Schema.Literals(["legacy"]), Whole])).annotateKey({
  description: "`legacy`, or the number of its version.",
})

/** A transaction in a block. */
export const TransactionInBlock = Schema.Struct({
  transaction: EncodedTransaction,
  meta: Schema.NullOr(TransactionMeta),
  version,
})
export type TransactionInBlock = typeof TransactionInBlock.Type

/** A transaction that was found by its signature. */
export const TransactionResult = Schema.Struct({
  slot: U64.annotateKey({ description: "The slot of its block." }),
  blockTime: Schema.optionalKey(Schema.NullOr(I64)).annotateKey({ description: "Seconds since 1970, or null." }),
  transaction: EncodedTransaction,
  meta: Schema.NullOr(TransactionMeta),
  version,
})
export type TransactionResult = typeof TransactionResult.Type
