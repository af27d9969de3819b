/**
 * A full transaction inside a block. The service does not list its fields (§2.1), so only what every EVM network sends
 * is required; members that are not named here are kept as received.
 */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Address, Data, Hash, Quantity } from "./Hex.ts"

const transactionStruct = Schema.Struct({
  hash: Hash.annotateKey({ description: "The transaction." }),
  from: Address.annotateKey({ description: "The sender." }),
  to: unneeded(Address).annotateKey({
    description: "The receiver; `null` when the transaction creates a contract.",
  }),
  nonce: unneeded(Quantity).annotateKey({ description: "How many transactions the sender had sent before." }),
  value: unneeded(Quantity).annotateKey({ description: "In wei." }),
  gas: unneeded(Quantity).annotateKey({ description: "The most gas it may use." }),
  input: unneeded(Data).annotateKey({ description: "Data of the call, or code that creates the contract." }),
  blockHash: unneeded(Hash).annotateKey({ description: "Its block; `null` while pending." }),
  blockNumber: unneeded(Quantity).annotateKey({ description: "Number of its block; `null` while pending." }),
  transactionIndex: unneeded(Quantity).annotateKey({
    description: "Position in the block; `null` while pending.",
  }),
  type: unneeded(Quantity).annotateKey({ description: "Kind of transaction." }),
  chainId: unneeded(Quantity).annotateKey({ description: "The chain it was signed for." }),
  gasPrice: unneeded(Quantity).annotateKey({ description: "In wei." }),
  maxFeePerGas: unneeded(Quantity).annotateKey({ description: "In wei." }),
  maxPriorityFeePerGas: unneeded(Quantity).annotateKey({ description: "In wei." }),
})

/** A transaction, as the node sent it. */
export type Transaction = { [Name in keyof typeof transactionStruct.Type]: (typeof transactionStruct.Type)[Name] }
export const Transaction = Schema.Opaque<Transaction>()(transactionStruct)
