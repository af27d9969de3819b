/** `getBlock` as a method value, and its typed call. */
import { explorerPage, type Method, RpcClient, type RpcError, Table, unneeded } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { exampleSlot } from "../internal/exampleKeys.ts"
import { I64, U64, Whole } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { showTime } from "../internal/time.ts"
import { showFee, showOutcome, signatureOf } from "../internal/transactionRows.ts"
import { Rewards, TransactionInBlock } from "../Transaction.ts"
import { TransactionConfig, withVersion } from "../TransactionQuery.ts"

const blockConfigStruct = Schema.Struct({
  ...TransactionConfig.fields,
  transactionDetails: Schema.optionalKey(Schema.Literals(["full", "accounts", "signatures", "none"])).annotateKey({
    description: "How much of each transaction is returned; `full` when absent.",
  }),
  rewards: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether rewards are listed; true when absent.",
  }),
})

/** How much of a block is read. */
export type BlockConfig = { [Name in keyof typeof blockConfigStruct.Type]: (typeof blockConfigStruct.Type)[Name] }
export const BlockConfig = Schema.Opaque<BlockConfig>()(blockConfigStruct)

const blockStruct = Schema.Struct({
  blockhash: Schema.String.annotateKey({ description: "Base58." }),
  previousBlockhash: unneeded(Schema.String).annotateKey({ description: "That of the block before it." }),
  parentSlot: unneeded(U64).annotateKey({ description: "The slot of the block before it." }),
  blockHeight: unneeded(U64).annotateKey({ description: "How many blocks came before it." }),
  blockTime: unneeded(I64).annotateKey({ description: "Seconds since 1970, or null." }),
  transactions: Schema.optionalKey(Schema.Array(TransactionInBlock)).annotateKey({
    description: "With `full` or `accounts`.",
  }),
  signatures: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({ description: "With `signatures`." }),
  rewards: Rewards,
  numRewardPartitions: unneeded(Whole),
})

/** A block. */
export type Block = { [Name in keyof typeof blockStruct.Type]: (typeof blockStruct.Type)[Name] }
export const Block = Schema.Opaque<Block>()(blockStruct)

/** The params of `getBlock`: the slot, and what to leave out. */
export type BlockParams = readonly [slot: number | bigint, config?: BlockConfig]

/** The block of a slot. */
export const GetBlock: Method<BlockParams, Block | null> = read({
  name: "getBlock",
  summary: "The block of a slot, with its transactions.",
  docs: `Returns the block of a slot.

| Position | | |
|---|---|---|
| 0 | slot | a whole number |
| 1 | config | optional, below |

| Member of \`config\` | |
|---|---|
| \`transactionDetails\` | \`"full"\` (default), \`"accounts"\`, \`"signatures"\`, \`"none"\` |
| \`encoding\` | \`"json"\` (default), \`"jsonParsed"\`, \`"base64"\`, \`"base58"\` |
| \`rewards\` | \`false\` leaves them out |
| \`commitment\` | \`"finalized"\` (default), \`"confirmed"\` |
| \`maxSupportedTransactionVersion\` | 0 is sent when absent: without it a node refuses blocks with transactions of version 0 |

**Result**: \`{ "blockhash", "previousBlockhash", "parentSlot", "blockHeight", "blockTime", "transactions" }\`. A full block of a
busy network is several megabytes: ask for \`"signatures"\` when they are enough.

**Errors**: -32004 the block is not there yet · -32007 and -32009 the slot has no block · -32001 the node no longer has it.`,
  positions: ["slot", "config"],
  params: Schema.Tuple([U64, Schema.optionalKey(BlockConfig)]),
  result: Schema.NullOr(Block),
  examples: [
    { title: "The signatures of a block", params: [exampleSlot, { transactionDetails: "signatures", rewards: false }] },
    {
      title: "A block, its instructions parsed",
      params: [exampleSlot, { encoding: "jsonParsed", maxSupportedTransactionVersion: 0 }],
    },
  ],
  prepare: (params) => {
    const prepared = withVersion(params[1])
    return prepared === undefined ? { params } : { params: [params[0], prepared.config] as const, note: prepared.note }
  },
  permanence: ([slot, config], block) => {
    if (block === null) return "changing"
    return config?.commitment === "confirmed" ? { onceFinal: BigInt(slot) } : "forever"
  },
  render: (block, limit, { network, timeZone }) => {
    if (block === null) return oneValue("no block")
    const { length: total } = block.transactions ?? block.signatures ?? []
    const rows = rowsOf(block, limit)
    const time = block.blockTime ?? undefined
    const noun = ["transaction", "transactions"] as const
    return {
      noun,
      total,
      columns: [{ name: "signature" }, { name: "outcome" }, { name: "fee", align: "right" }],
      rows: rows.map(({ fee, outcome, signature }) => [signature, outcome, fee]),
      links:
        network?.explorer === undefined
          ? undefined
          : rows.map(({ signature }) => [explorerPage(network, "tx", signature)]),
      headline: [
        Table.summarize({ noun, total, columns: [], rows: [] }),
        block.blockhash,
        ...(time === undefined ? [] : [showTime(time, timeZone)]),
      ].join(" · "),
    }
  },
})

/** Reading the signature of a transaction decodes it, so only those that are shown are read. */
const rowsOf = ({ signatures, transactions }: Block, limit: number) =>
  transactions === undefined
    ? (signatures ?? []).slice(0, limit).map((signature) => ({ signature, outcome: "", fee: "" }))
    : transactions.slice(0, limit).map(({ meta, transaction }) => ({
        signature: signatureOf(transaction),
        outcome: showOutcome(meta?.err),
        fee: showFee(meta),
      }))

/**
 * The block of a slot; null when the node knows the slot and not its block.
 *
 * @example
 * ```ts
 * const block = TokenAccounts.getBlock(slot, { transactionDetails: "signatures" })
 * ```
 */
export const getBlock = (
  slot: number | bigint,
  config?: BlockConfig,
): Effect.Effect<Block | null, RpcError, RpcClient> => RpcClient.call(GetBlock, [slot, ...optional(config)])
