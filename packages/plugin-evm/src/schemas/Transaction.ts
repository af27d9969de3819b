/**
 * A full transaction inside a block. The service does not list its fields (§2.1), so only what every EVM network sends
 * is required; members that are not named here are kept as they came.
 */
import { Schema } from "effect"
import { Address, Data, Hash, Quantity } from "./Hex.ts"

export const Transaction = Schema.Struct({
  hash: Hash,
  from: Address,
  /** `null` when the transaction creates a contract. */
  to: Schema.NullOr(Address),
  nonce: Quantity,
  /** In wei. */
  value: Quantity,
  gas: Quantity,
  input: Data,
  /** `null` while pending, as are `blockNumber` and `transactionIndex`. */
  blockHash: Schema.NullOr(Hash),
  blockNumber: Schema.NullOr(Quantity),
  transactionIndex: Schema.NullOr(Quantity),
  type: Schema.optionalKey(Quantity),
  chainId: Schema.optionalKey(Schema.NullOr(Quantity)),
  /** In wei, as are the two below. */
  gasPrice: Schema.optionalKey(Schema.NullOr(Quantity)),
  maxFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)),
  maxPriorityFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)),
})

export type Transaction = typeof Transaction.Type
