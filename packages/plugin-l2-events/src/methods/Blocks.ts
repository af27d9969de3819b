/** Blocks: with hashes of their transactions, with the transactions, with receipts, and how many there are. */
import { type Method, type Permanence, RpcClient, type RpcError, Table } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { Block, type BlockId, checkBlock, permanenceAt } from "../BlockId.ts"
import { BlockWithReceipts, BlockWithTxHashes, BlockWithTxs } from "../BlockResult.ts"
import { transactionFlags } from "../internal/flags.ts"
import { u64From } from "../internal/integer.ts"
import { read } from "../internal/read.ts"
import { blockTable } from "../internal/transactionRows.ts"
import { oneValue } from "../internal/words.ts"

const block_id = Block.annotateKey({ description: "A tag, a hash or a number." })
const params = Schema.Struct({ block_id })
const flaggedParams = Schema.Struct({ block_id, response_flags: transactionFlags })
/** The params of a method that reads a block. */
export type BlockParams = typeof params.Type
/** The params of a method that reads a block and takes flags. */
export type FlaggedBlockParams = typeof flaggedParams.Type

const blockDocs = `| Member | |
|---|---|
| \`block_id\` | \`"latest"\`, \`"pre_confirmed"\`, \`"l1_accepted"\`, \`{ "block_number": 100 }\` or \`{ "block_hash": "0x…" }\` |`

const flagDocs = `${blockDocs}
| \`response_flags\` | optional, from spec version 0.10 on: \`["INCLUDE_PROOF_FACTS"]\` |`

const resultDocs = `The block that is being built (\`"pre_confirmed"\`, \`"pending"\` to older nodes) has no hash, no status and no roots yet.

**Errors**: 24 block not found.`

const examples = [
  { title: "The newest block", params: { block_id: "latest" as const } },
  { title: "A block by its number", params: { block_id: { block_number: 100 } } },
]

const check = ({ block_id: block }: BlockParams, network: Parameters<typeof checkBlock>[2]) =>
  checkBlock(block, ["block_id"], network)

/** The status of a block changes until the layer below has accepted it, and none of it does after that. */
const permanence = (
  { block_id: block }: BlockParams,
  { status }: { readonly status?: string | null | undefined },
): Permanence => (status === "ACCEPTED_ON_L1" ? permanenceAt(block) : "changing")

/** A block with the hashes of its transactions. */
export const GetBlockWithTxHashes: Method<BlockParams, BlockWithTxHashes> = read({
  name: "l2_getBlockWithTxHashes",
  summary: "A block with the hashes of its transactions.",
  docs: `Returns a block. The params are an object.

${blockDocs}

**Result**: the header of the block, and \`transactions\`, an array of hashes. ${resultDocs}`,
  params,
  result: BlockWithTxHashes,
  examples,
  check,
  permanence,
  render: (block, limit, context) =>
    blockTable(
      block,
      block.transactions.map((hash) => ({ hash })),
      limit,
      context,
    ),
})

/** A block with its transactions. */
export const GetBlockWithTxs: Method<FlaggedBlockParams, BlockWithTxs> = read({
  name: "l2_getBlockWithTxs",
  summary: "A block with its transactions.",
  docs: `Returns a block. The params are an object.

${flagDocs}

**Result**: the header of the block, and \`transactions\`, an array of objects. ${resultDocs}`,
  params: flaggedParams,
  result: BlockWithTxs,
  examples,
  check,
  permanence,
  render: (block, limit, context) =>
    blockTable(
      block,
      block.transactions.map((transaction) => ({ hash: transaction.transaction_hash, transaction })),
      limit,
      context,
    ),
})

/** A block with its transactions and their receipts. */
export const GetBlockWithReceipts: Method<FlaggedBlockParams, BlockWithReceipts> = read({
  name: "l2_getBlockWithReceipts",
  summary: "A block with its transactions and their receipts.",
  docs: `Returns a block. The params are an object.

${flagDocs}

**Result**: the header of the block, and \`transactions\`, an array of \`{ "transaction", "receipt" }\`. ${resultDocs}`,
  params: flaggedParams,
  result: BlockWithReceipts,
  examples,
  check,
  permanence,
  render: (block, limit, context) =>
    blockTable(
      block,
      block.transactions.map(({ receipt, transaction }) => ({ hash: receipt.transaction_hash, receipt, transaction })),
      limit,
      context,
    ),
})

/** How many transactions a block has. */
export const GetBlockTransactionCount: Method<BlockParams, number | bigint> = read({
  name: "l2_getBlockTransactionCount",
  summary: "How many transactions a block has.",
  docs: `Returns a whole number. The params are an object.

${blockDocs}

**Errors**: 24 block not found.`,
  params,
  result: u64From(0),
  examples,
  check,
  permanence: ({ block_id: block }) => permanenceAt(block),
  render: (count) => oneValue(`${Table.groupDigits(count)} ${Number(count) === 1 ? "transaction" : "transactions"}`),
})

/**
 * A block with the hashes of its transactions; the newest one by default.
 *
 * @example
 * ```ts
 * const block = L2Events.getBlockWithTxHashes({ block_number: 100 })
 * ```
 */
export const getBlockWithTxHashes = (
  block: BlockId = "latest",
): Effect.Effect<BlockWithTxHashes, RpcError, RpcClient> => RpcClient.call(GetBlockWithTxHashes, { block_id: block })

/**
 * A block with its transactions; the newest one by default.
 *
 * @example
 * ```ts
 * const block = L2Events.getBlockWithTxs("l1_accepted")
 * ```
 */
export const getBlockWithTxs = (block: BlockId = "latest"): Effect.Effect<BlockWithTxs, RpcError, RpcClient> =>
  RpcClient.call(GetBlockWithTxs, { block_id: block })

/**
 * A block with its transactions and their receipts; the newest one by default.
 *
 * @example
 * ```ts
 * const block = L2Events.getBlockWithReceipts({ block_hash: hash })
 * ```
 */
export const getBlockWithReceipts = (
  block: BlockId = "latest",
): Effect.Effect<BlockWithReceipts, RpcError, RpcClient> => RpcClient.call(GetBlockWithReceipts, { block_id: block })

/**
 * How many transactions a block has; the newest one by default.
 *
 * @example
 * ```ts
 * const count = L2Events.getBlockTransactionCount("latest")
 * ```
 */
export const getBlockTransactionCount = (
  block: BlockId = "latest",
): Effect.Effect<number | bigint, RpcError, RpcClient> => RpcClient.call(GetBlockTransactionCount, { block_id: block })
