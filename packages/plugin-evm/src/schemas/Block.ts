/** A block (service §2.1). */
import * as Schema from "effect/Schema"
import { Address, bytesOf, Data, Hash, Quantity } from "./Hex.ts"
import { Transaction } from "./Transaction.ts"

/** The bloom filter of a block's or a receipt's logs. */
export const Bloom = bytesOf(256, "a bloom filter")

const blockStruct = Schema.Struct({
  number: Schema.NullOr(Quantity).annotateKey({ description: "`null` for the pending block." }),
  hash: Schema.NullOr(Hash).annotateKey({ description: "`null` for the pending block." }),
  parentHash: Hash.annotateKey({ description: "Hash of the previous block." }),
  timestamp: Quantity.annotateKey({ description: "Seconds since 1970." }),
  transactions: Schema.Array(Schema.Union([Hash, Transaction])).annotateKey({
    description: "Full transactions or their hashes, as the request asked.",
  }),
  miner: Schema.NullOr(Address).annotateKey({
    description: "Who received the rewards; `null` for the pending block on some nodes.",
  }),
  gasLimit: Quantity.annotateKey({ description: "The most gas the block may use." }),
  gasUsed: Quantity.annotateKey({ description: "Gas of all its transactions." }),
  size: Quantity.annotateKey({ description: "In bytes." }),
  extraData: Data.annotateKey({ description: "Extra data from the block's producer." }),
  logsBloom: Schema.NullOr(Bloom).annotateKey({
    description: "Bloom filter of the logs; `null` for the pending block.",
  }),
  nonce: Schema.NullOr(bytesOf(8, "a nonce")).annotateKey({
    description: "Of proof of work; `null` for the pending block.",
  }),
  mixHash: Schema.optionalKey(Schema.NullOr(Hash)).annotateKey({
    description: "Of proof of work, and randomness since.",
  }),
  difficulty: Quantity.annotateKey({ description: "Of this block." }),
  totalDifficulty: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({
    description: "Of the chain up to this block.",
  }),
  stateRoot: Hash.annotateKey({ description: "Root of the state after the block." }),
  transactionsRoot: Hash.annotateKey({ description: "Root of its transactions." }),
  receiptsRoot: Hash.annotateKey({ description: "Root of its receipts." }),
  sha3Uncles: Hash.annotateKey({ description: "Hash of its uncles." }),
  uncles: Schema.Array(Hash).annotateKey({ description: "Hashes of its uncles." }),
  baseFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({ description: "In wei. Since London." }),
  withdrawalsRoot: Schema.optionalKey(Schema.NullOr(Hash)).annotateKey({
    description: "Root of its withdrawals. Since Shanghai.",
  }),
  blobGasUsed: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({
    description: "Gas of all its blobs. Since Cancun.",
  }),
  excessBlobGas: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({
    description: "What sets the price of blobs. Since Cancun.",
  }),
  parentBeaconBlockRoot: Schema.optionalKey(Schema.NullOr(Hash)).annotateKey({
    description: "Root of the parent beacon block. Since Cancun.",
  }),
})

/**
 * A block. `hash`, `logsBloom`, `nonce` and `number` are `null` for the pending block, and on some nodes `miner` is too.
 * Fees and roots of newer forks are optional, as is what newer nodes leave out.
 */
export type Block = { [Name in keyof typeof blockStruct.Type]: (typeof blockStruct.Type)[Name] }
export const Block = Schema.Opaque<Block>()(blockStruct)
