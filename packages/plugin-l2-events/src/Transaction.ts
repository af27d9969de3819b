/**
 * Transactions and receipts, in every version of theirs and in both spec versions. What a type of transaction does not have
 * is absent.
 */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Hex } from "./internal/hex.ts"
import { u64From } from "./internal/integer.ts"

const ResourceBounds = Schema.Struct({ max_amount: unneeded(Hex), max_price_per_unit: unneeded(Hex) })

const transactionStruct = Schema.Struct({
  type: Schema.String.annotateKey({ description: "`INVOKE`, `DECLARE`, `DEPLOY_ACCOUNT`, `DEPLOY` or `L1_HANDLER`." }),
  version: unneeded(Hex).annotateKey({ description: "Version of its type." }),
  transaction_hash: unneeded(Hex).annotateKey({ description: "Its hash; absent where it stands beside it." }),
  sender_address: unneeded(Hex).annotateKey({ description: "The account that sent it." }),
  contract_address: unneeded(Hex).annotateKey({ description: "The contract that it calls." }),
  entry_point_selector: unneeded(Hex).annotateKey({ description: "The function that it calls." }),
  nonce: unneeded(Hex).annotateKey({ description: "How many transactions the account had sent." }),
  calldata: Schema.optionalKey(Schema.Array(Hex)).annotateKey({ description: "What it calls with." }),
  signature: Schema.optionalKey(Schema.Array(Hex)).annotateKey({ description: "Signed by the account." }),
  max_fee: unneeded(Hex).annotateKey({ description: "The most it pays, before version 3." }),
  resource_bounds: unneeded(
    Schema.Struct({
      l1_gas: unneeded(ResourceBounds),
      l2_gas: unneeded(ResourceBounds),
      l1_data_gas: unneeded(ResourceBounds),
    }),
  ).annotateKey({ description: "The most it uses and pays, from version 3 on." }),
  tip: unneeded(Hex).annotateKey({ description: "What it pays to be first." }),
  class_hash: unneeded(Hex).annotateKey({ description: "The class that it declares or deploys." }),
  compiled_class_hash: unneeded(Hex),
  contract_address_salt: unneeded(Hex),
  constructor_calldata: Schema.optionalKey(Schema.Array(Hex)),
  paymaster_data: Schema.optionalKey(Schema.Array(Hex)),
  account_deployment_data: Schema.optionalKey(Schema.Array(Hex)),
  nonce_data_availability_mode: unneeded(Schema.String),
  fee_data_availability_mode: unneeded(Schema.String),
  proof_facts: Schema.optionalKey(Schema.Array(Hex)).annotateKey({
    description: "With the flag `INCLUDE_PROOF_FACTS`, from spec version 0.10 on.",
  }),
})

/** A transaction. */
export type Transaction = { [Name in keyof typeof transactionStruct.Type]: (typeof transactionStruct.Type)[Name] }
export const Transaction = Schema.Opaque<Transaction>()(transactionStruct)

const ReceiptEvent = Schema.Struct({
  from_address: Hex.annotateKey({ description: "The contract that emitted it." }),
  keys: Schema.Array(Hex).annotateKey({ description: "The selector of its name first, then its keys." }),
  data: Schema.Array(Hex).annotateKey({ description: "Its values that are not keys." }),
})

const receiptStruct = Schema.Struct({
  type: unneeded(Schema.String).annotateKey({ description: "As of its transaction." }),
  transaction_hash: Hex,
  actual_fee: unneeded(Schema.Struct({ amount: Hex, unit: unneeded(Schema.String) })).annotateKey({
    description: "What was paid, in `FRI` or `WEI`: 10^18 to one STRK or ETH.",
  }),
  execution_status: unneeded(Schema.String).annotateKey({ description: "`SUCCEEDED` or `REVERTED`." }),
  revert_reason: unneeded(Schema.String).annotateKey({ description: "Why it was reverted." }),
  finality_status: unneeded(Schema.String).annotateKey({
    description: "`PRE_CONFIRMED`, `ACCEPTED_ON_L2` or `ACCEPTED_ON_L1`.",
  }),
  messages_sent: Schema.optionalKey(
    Schema.Array(Schema.Struct({ from_address: Hex, to_address: Hex, payload: Schema.Array(Hex) })),
  ).annotateKey({ description: "Messages to the layer below." }),
  events: Schema.Array(ReceiptEvent).annotateKey({ description: "What its contracts emitted, in order." }),
  execution_resources: unneeded(
    Schema.Struct({
      l1_gas: unneeded(u64From(0)),
      l1_data_gas: unneeded(u64From(0)),
      l2_gas: unneeded(u64From(0)),
    }),
  ).annotateKey({ description: "The gas that it used." }),
  contract_address: unneeded(Hex).annotateKey({ description: "The contract that it deployed." }),
  message_hash: unneeded(Hex).annotateKey({ description: "The message that it handled." }),
  block_hash: unneeded(Hex).annotateKey({ description: "Its block; absent while it is not in one." }),
  block_number: unneeded(u64From(0)).annotateKey({ description: "Number of its block." }),
})

/** What a transaction did. */
export type Receipt = { [Name in keyof typeof receiptStruct.Type]: (typeof receiptStruct.Type)[Name] }
export const Receipt = Schema.Opaque<Receipt>()(receiptStruct)
