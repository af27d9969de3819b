/** Blocks of results. The block that is being built has no hash, no status and no roots yet. */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Hex } from "./internal/hex.ts"
import { u64From } from "./internal/integer.ts"
import { Receipt, Transaction } from "./Transaction.ts"

const ResourcePrice = Schema.Struct({ price_in_fri: unneeded(Hex), price_in_wei: unneeded(Hex) })

const header = {
  block_number: unneeded(u64From(0)),
  timestamp: unneeded(u64From(0)).annotateKey({ description: "Seconds since 1970." }),
  sequencer_address: unneeded(Hex).annotateKey({ description: "Who built it." }),
  l1_gas_price: unneeded(ResourcePrice),
  l2_gas_price: unneeded(ResourcePrice),
  l1_data_gas_price: unneeded(ResourcePrice),
  l1_da_mode: unneeded(Schema.String).annotateKey({ description: "`BLOB` or `CALLDATA`." }),
  starknet_version: unneeded(Schema.String).annotateKey({ description: "Version of the protocol." }),
  status: unneeded(Schema.String).annotateKey({
    description: "`ACCEPTED_ON_L2` or `ACCEPTED_ON_L1`; absent while it is built.",
  }),
  block_hash: unneeded(Hex).annotateKey({ description: "Absent while it is built." }),
  parent_hash: unneeded(Hex).annotateKey({ description: "Hash of the block before it." }),
  new_root: unneeded(Hex).annotateKey({ description: "The state after it." }),
  event_commitment: unneeded(Hex).annotateKey({ description: "From spec version 0.10 on." }),
  transaction_commitment: unneeded(Hex).annotateKey({ description: "From spec version 0.10 on." }),
  receipt_commitment: unneeded(Hex).annotateKey({ description: "From spec version 0.10 on." }),
  state_diff_commitment: unneeded(Hex).annotateKey({ description: "From spec version 0.10 on." }),
  event_count: unneeded(u64From(0)).annotateKey({ description: "From spec version 0.10 on." }),
  transaction_count: unneeded(u64From(0)).annotateKey({ description: "From spec version 0.10 on." }),
  state_diff_length: unneeded(u64From(0)).annotateKey({ description: "From spec version 0.10 on." }),
}

const blockWithTxHashesStruct = Schema.Struct({
  ...header,
  transactions: Schema.Array(Hex).annotateKey({ description: "Hashes of its transactions, in order." }),
})

/** A block with the hashes of its transactions. */
export type BlockWithTxHashes = {
  [Name in keyof typeof blockWithTxHashesStruct.Type]: (typeof blockWithTxHashesStruct.Type)[Name]
}
export const BlockWithTxHashes = Schema.Opaque<BlockWithTxHashes>()(blockWithTxHashesStruct)

const blockWithTxsStruct = Schema.Struct({
  ...header,
  transactions: Schema.Array(Transaction).annotateKey({ description: "Its transactions, in order." }),
})

/** A block with its transactions. */
export type BlockWithTxs = { [Name in keyof typeof blockWithTxsStruct.Type]: (typeof blockWithTxsStruct.Type)[Name] }
export const BlockWithTxs = Schema.Opaque<BlockWithTxs>()(blockWithTxsStruct)

const blockWithReceiptsStruct = Schema.Struct({
  ...header,
  transactions: Schema.Array(Schema.Struct({ transaction: Transaction, receipt: Receipt })).annotateKey({
    description: "Its transactions with their receipts, in order.",
  }),
})

/** A block with its transactions and their receipts. */
export type BlockWithReceipts = {
  [Name in keyof typeof blockWithReceiptsStruct.Type]: (typeof blockWithReceiptsStruct.Type)[Name]
}
export const BlockWithReceipts = Schema.Opaque<BlockWithReceipts>()(blockWithReceiptsStruct)
