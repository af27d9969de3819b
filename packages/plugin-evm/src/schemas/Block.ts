/** A block (service §2.1). */
import { unneeded } from "@dotrpc/spec"
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
  miner: unneeded(Address).annotateKey({
    description: "Who received the rewards; `null` for the pending block on some nodes.",
  }),
  gasLimit: Quantity.annotateKey({ description: "The most gas the block may use." }),
  gasUsed: Quantity.annotateKey({ description: "Gas of all its transactions." }),
  size: unneeded(Quantity).annotateKey({ description: "In bytes." }),
  extraData: unneeded(Data).annotateKey({ description: "Extra data from the block's producer." }),
  logsBloom: unneeded(Bloom).annotateKey({
    description: "Bloom filter of the logs; `null` for the pending block.",
  }),
  nonce: unneeded(bytesOf(8, "a nonce")).annotateKey({
    description: "Of proof of work; `null` for the pending block.",
  }),
  mixHash: unneeded(Hash).annotateKey({
    description: "Of proof of work, and randomness since.",
  }),
  difficulty: unneeded(Quantity).annotateKey({ description: "Of this block." }),
  totalDifficulty: unneeded(Quantity).annotateKey({
    description: "Of the chain up to this block.",
  }),
  stateRoot: unneeded(Hash).annotateKey({ description: "Root of the state after the block." }),
  transactionsRoot: unneeded(Hash).annotateKey({ description: "Root of its transactions." }),
  receiptsRoot: unneeded(Hash).annotateKey({ description: "Root of its receipts." }),
  sha3Uncles: unneeded(Hash).annotateKey({ description: "Hash of its uncles." }),
  uncles: unneeded(Schema.Array(Hash)).annotateKey({ description: "Hashes of its uncles." }),
  baseFeePerGas: unneeded(Quantity).annotateKey({ description: "In wei. Since London." }),
  withdrawalsRoot: unneeded(Hash).annotateKey({
    description: "Root of its withdrawals. Since Shanghai.",
  }),
  blobGasUsed: unneeded(Quantity).annotateKey({
    description: "Gas of all its blobs. Since Cancun.",
  }),
  excessBlobGas: unneeded(Quantity).annotateKey({
    description: "What sets the price of blobs. Since Cancun.",
  }),
  parentBeaconBlockRoot: unneeded(Hash).annotateKey({
    description: "Root of the parent beacon block. Since Cancun.",
  }),
})

/**
 * A block. `hash` and `number` are `null` for the pending block. What neither names a block nor is read here is optional: chains and nodes
 * leave out, or send as `null`, whatever they do not have.
 */
export type Block = { [Name in keyof typeof blockStruct.Type]: (typeof blockStruct.Type)[Name] }
export const Block = Schema.Opaque<Block>()(blockStruct)
