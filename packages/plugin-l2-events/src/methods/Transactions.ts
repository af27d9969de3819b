/** Transactions by hash or place, their receipts and their status. */
import { type Method, RpcClient, type RpcError, unneeded } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { Block, type BlockId, checkBlock, permanenceAt } from "../BlockId.ts"
import { Felt } from "../Felt.ts"
import { exampleTransaction } from "../internal/exampleFelts.ts"
import { transactionFlags } from "../internal/flags.ts"
import { u64From } from "../internal/integer.ts"
import { read } from "../internal/read.ts"
import { receiptTable, transactionTable } from "../internal/transactionRows.ts"
import { oneValue } from "../internal/words.ts"
import { Receipt, Transaction } from "../Transaction.ts"

const transaction_hash = Felt.annotateKey({ description: "Hash of the transaction." })
const params = Schema.Struct({ transaction_hash })
const flaggedParams = Schema.Struct({ transaction_hash, response_flags: transactionFlags })
const placeParams = Schema.Struct({
  block_id: Block.annotateKey({ description: "A tag, a hash or a number." }),
  index: u64From(0).annotateKey({ description: "Place in the block, from 0." }),
  response_flags: transactionFlags,
})
/** The params of a method that reads a transaction. */
export type TransactionParams = typeof params.Type
/** The params of a method that reads a transaction and takes flags. */
export type FlaggedTransactionParams = typeof flaggedParams.Type
/** The params of a method that reads a transaction by its place in a block. */
export type PlaceParams = typeof placeParams.Type
const examples = [{ title: "A transaction", params: { transaction_hash: exampleTransaction } }]

/** A transaction by its hash. */
export const GetTransactionByHash: Method<FlaggedTransactionParams, Transaction> = read({
  name: "l2_getTransactionByHash",
  summary: "A transaction by its hash.",
  docs: `Returns a transaction, also one that is not in a block yet. The params are an object.

| Member | |
|---|---|
| \`transaction_hash\` | a felt |
| \`response_flags\` | optional, from spec version 0.10 on: \`["INCLUDE_PROOF_FACTS"]\` |

**Result**: the transaction; its members depend on its type and version. It never changes.

**Errors**: 29 transaction hash not found.`,
  params: flaggedParams,
  result: Transaction,
  examples,
  permanence: () => "forever",
  render: (transaction, limit) => transactionTable(transaction, limit),
})

/** A transaction by its place in a block. */
export const GetTransactionByBlockIdAndIndex: Method<PlaceParams, Transaction> = read({
  name: "l2_getTransactionByBlockIdAndIndex",
  summary: "A transaction by its place in a block.",
  docs: `Returns the transaction at a place of a block, counted from 0. The params are an object.

| Member | |
|---|---|
| \`block_id\` | \`"latest"\`, \`"pre_confirmed"\`, \`"l1_accepted"\`, \`{ "block_number": 100 }\` or \`{ "block_hash": "0x…" }\` |
| \`index\` | a whole number, from 0 |
| \`response_flags\` | optional, from spec version 0.10 on: \`["INCLUDE_PROOF_FACTS"]\` |

**Errors**: 24 block not found · 27 the block has no transaction at that place.`,
  params: placeParams,
  result: Transaction,
  examples: [{ title: "The first of a block", params: { block_id: { block_number: 1 }, index: 0 } }],
  check: ({ block_id }, network) => checkBlock(block_id, ["block_id"], network),
  permanence: ({ block_id }) => permanenceAt(block_id),
  render: (transaction, limit) => transactionTable(transaction, limit),
})

/** What a transaction did. */
export const GetTransactionReceipt: Method<TransactionParams, Receipt> = read({
  name: "l2_getTransactionReceipt",
  summary: "What a transaction did: its outcome, its fee and its events.",
  docs: `Returns the receipt of a transaction. The params are an object.

| Member | |
|---|---|
| \`transaction_hash\` | a felt |

**Result**: \`{ "execution_status", "finality_status", "actual_fee", "events", "messages_sent", "block_hash", "block_number", … }\`.
A transaction that is not in a block yet has no \`block_hash\`. A receipt changes until its \`finality_status\` is \`ACCEPTED_ON_L1\`.

**Errors**: 29 transaction hash not found.`,
  params,
  result: Receipt,
  examples,
  permanence: (_, { finality_status }) => (finality_status === "ACCEPTED_ON_L1" ? "forever" : "changing"),
  render: receiptTable,
})

const transactionStatusStruct = Schema.Struct({
  finality_status: Schema.String.annotateKey({
    description: "`RECEIVED`, `CANDIDATE`, `PRE_CONFIRMED`, `ACCEPTED_ON_L2` or `ACCEPTED_ON_L1`.",
  }),
  execution_status: unneeded(Schema.String).annotateKey({ description: "`SUCCEEDED` or `REVERTED`." }),
  failure_reason: unneeded(Schema.String).annotateKey({ description: "Why it was reverted." }),
})

/** How far a transaction has come. */
export type TransactionStatus = {
  [Name in keyof typeof transactionStatusStruct.Type]: (typeof transactionStatusStruct.Type)[Name]
}
export const TransactionStatus = Schema.Opaque<TransactionStatus>()(transactionStatusStruct)

/** How far a transaction has come. */
export const GetTransactionStatus: Method<TransactionParams, TransactionStatus> = read({
  name: "l2_getTransactionStatus",
  summary: "How far a transaction has come.",
  docs: `Returns the status of a transaction, also of one that only waits. The params are an object.

| Member | |
|---|---|
| \`transaction_hash\` | a felt |

**Result**: \`{ "finality_status": "ACCEPTED_ON_L2", "execution_status": "SUCCEEDED" }\`.

**Errors**: 29 transaction hash not found.`,
  params,
  result: TransactionStatus,
  examples,
  permanence: (_, { finality_status }) => (finality_status === "ACCEPTED_ON_L1" ? "forever" : "changing"),
  render: ({ execution_status, failure_reason, finality_status }) =>
    oneValue(
      [execution_status, finality_status, failure_reason].filter((part) => typeof part === "string").join(" · "),
    ),
})

/**
 * A transaction by its hash. Fails with `NotFound` when the node does not know it.
 *
 * @example
 * ```ts
 * const transaction = L2Events.getTransactionByHash(hash)
 * ```
 */
export const getTransactionByHash = (hash: string): Effect.Effect<Transaction, RpcError, RpcClient> =>
  RpcClient.call(GetTransactionByHash, { transaction_hash: hash })

/**
 * The transaction at a place of a block, counted from 0.
 *
 * @example
 * ```ts
 * const first = L2Events.getTransactionByBlockIdAndIndex({ block_number: 100 }, 0)
 * ```
 */
export const getTransactionByBlockIdAndIndex = (
  block: BlockId,
  index: number | bigint,
): Effect.Effect<Transaction, RpcError, RpcClient> =>
  RpcClient.call(GetTransactionByBlockIdAndIndex, { block_id: block, index })

/**
 * What a transaction did. Fails with `NotFound` when the node does not know it.
 *
 * @example
 * ```ts
 * const { events } = yield* L2Events.getTransactionReceipt(hash)
 * ```
 */
export const getTransactionReceipt = (hash: string): Effect.Effect<Receipt, RpcError, RpcClient> =>
  RpcClient.call(GetTransactionReceipt, { transaction_hash: hash })

/**
 * How far a transaction has come.
 *
 * @example
 * ```ts
 * const { finality_status } = yield* L2Events.getTransactionStatus(hash)
 * ```
 */
export const getTransactionStatus = (hash: string): Effect.Effect<TransactionStatus, RpcError, RpcClient> =>
  RpcClient.call(GetTransactionStatus, { transaction_hash: hash })
