/** A block (service §2.1). */
import { Schema } from "effect"
import { Address, bytesOf, Data, Hash, Quantity } from "./Hex.ts"
import { Transaction } from "./Transaction.ts"

/** The bloom filter of a block's or a receipt's logs. */
export const Bloom = bytesOf(256, "a bloom filter")

/**
 * A block. `hash`, `logsBloom`, `nonce` and `number` are `null` for the pending block, and on some nodes `miner` is too.
 * Fees and roots of newer forks are optional, as is what newer nodes leave out.
 */
export const Block = Schema.Struct({
  number: Schema.NullOr(Quantity),
  hash: Schema.NullOr(Hash),
  parentHash: Hash,
  /** Seconds since 1970. */
  timestamp: Quantity,
  /** Full transactions or their hashes, as the request asked. */
  transactions: Schema.Array(Schema.Union([Hash, Transaction])),
  miner: Schema.NullOr(Address),
  gasLimit: Quantity,
  gasUsed: Quantity,
  /** In bytes. */
  size: Quantity,
  extraData: Data,
  logsBloom: Schema.NullOr(Bloom),
  nonce: Schema.NullOr(bytesOf(8, "a nonce")),
  mixHash: Schema.optionalKey(Schema.NullOr(Hash)),
  difficulty: Quantity,
  totalDifficulty: Schema.optionalKey(Schema.NullOr(Quantity)),
  stateRoot: Hash,
  transactionsRoot: Hash,
  receiptsRoot: Hash,
  sha3Uncles: Hash,
  uncles: Schema.Array(Hash),
  /** In wei. */
  baseFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)),
  withdrawalsRoot: Schema.optionalKey(Schema.NullOr(Hash)),
  blobGasUsed: Schema.optionalKey(Schema.NullOr(Quantity)),
  excessBlobGas: Schema.optionalKey(Schema.NullOr(Quantity)),
  parentBeaconBlockRoot: Schema.optionalKey(Schema.NullOr(Hash)),
})

export type Block = typeof Block.Type
