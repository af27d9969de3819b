/**
 * A full transaction inside a block. The service does not list its fields (§2.1), so only what every EVM network sends
 * is required; members that are not named here are kept as received.
 */
import * as Schema from "effect/Schema"
import { Address, Data, Hash, Quantity } from "./Hex.ts"

const transactionStruct = Schema.Struct({
  hash: Hash.annotateKey({ description: "The transaction." }),
  from: Address.annotateKey({ description: "The sender." }),
  to: Schema.NullOr(Address).annotateKey({
    description: "The receiver; `null` when the transaction creates a contract.",
  }),
  nonce: Quantity.annotateKey({ description: "How many transactions the sender had sent before." }),
  value: Quantity.annotateKey({ description: "In wei." }),
  gas: Quantity.annotateKey({ description: "The most gas it may use." }),
  input: Data.annotateKey({ description: "Data of the call, or code that creates the contract." }),
  blockHash: Schema.NullOr(Hash).annotateKey({ description: "Its block; `null` while pending." }),
  blockNumber: Schema.NullOr(Quantity).annotateKey({ description: "Number of its block; `null` while pending." }),
  transactionIndex: Schema.NullOr(Quantity).annotateKey({
    description: "Position in the block; `null` while pending.",
  }),
  type: Schema.optionalKey(Quantity).annotateKey({ description: "Kind of transaction." }),
  chainId: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({ description: "The chain it was signed for." }),
  gasPrice: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({ description: "In wei." }),
  maxFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({ description: "In wei." }),
  maxPriorityFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity)).annotateKey({ description: "In wei." }),
})

/** A transaction, as the node sent it. */
export type Transaction = { [Name in keyof typeof transactionStruct.Type]: (typeof transactionStruct.Type)[Name] }
export const Transaction = Schema.Opaque<Transaction>()(transactionStruct)
