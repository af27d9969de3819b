/** `getTransaction` as a method value, and its typed call. */
import { type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { exampleSignature } from "../internal/exampleKeys.ts"
import { atSlot, oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { showTime } from "../internal/time.ts"
import { changeTable, showOutcome } from "../internal/transactionRows.ts"
import { TransactionResult } from "../Transaction.ts"
import { Signature, TransactionConfig, withVersion } from "../TransactionQuery.ts"

/** The params of `getTransaction`: a base58 signature, and how to read it. */
export type TransactionParams = readonly [signature: string, config?: TransactionConfig]

/** A transaction by its signature. */
export const GetTransaction: Method<TransactionParams, TransactionResult | null> = read({
  name: "getTransaction",
  summary: "A transaction by its signature: what it did, and whose balances it changed.",
  docs: `Returns a confirmed transaction, or null when the node does not know it (yet).

| Position | | |
|---|---|---|
| 0 | signature | base58, 64 bytes |
| 1 | config | optional, below |

| Member of \`config\` | |
|---|---|
| \`encoding\` | \`"json"\` (default), \`"jsonParsed"\`, \`"base64"\`, \`"base58"\` |
| \`commitment\` | \`"finalized"\` (default), \`"confirmed"\` |
| \`maxSupportedTransactionVersion\` | 0 is sent when absent: without it a node refuses transactions of version 0 |

**Result**: \`{ "slot", "blockTime", "transaction", "meta", "version" }\` or null. \`meta\` has the fee, the error, the logs, and
lamports and token amounts before and after. A finalized transaction never changes.

**Errors**: -32015 the transaction has a newer version than \`maxSupportedTransactionVersion\` · -32011 the node keeps no history.`,
  positions: ["signature", "config"],
  params: Schema.Tuple([Signature, Schema.optionalKey(TransactionConfig)]),
  result: Schema.NullOr(TransactionResult),
  examples: [
    {
      title: "A transaction, its instructions parsed",
      params: [exampleSignature, { encoding: "jsonParsed", maxSupportedTransactionVersion: 0 }],
    },
    { title: "A transaction as bytes", params: [exampleSignature, { encoding: "base64", commitment: "confirmed" }] },
  ],
  prepare: (params) => {
    const prepared = withVersion(params[1])
    return prepared === undefined ? { params } : { params: [params[0], prepared.config] as const, note: prepared.note }
  },
  permanence: ([, config], result) => {
    if (result === null) return "changing"
    return config?.commitment === "confirmed" ? { onceFinal: BigInt(result.slot) } : "forever"
  },
  render: (result, limit, context) => {
    if (result === null) return oneValue("no transaction")
    const time = result.blockTime ?? undefined
    const headline = [
      showOutcome(result.meta?.err),
      atSlot(result.slot),
      ...(time === undefined ? [] : [showTime(time, context.timeZone)]),
    ]
    return changeTable(result, limit, headline, context)
  },
})

/**
 * A transaction by its base58 signature; null when the node does not know it.
 *
 * @example
 * ```ts
 * const transaction = TokenAccounts.getTransaction(signature, { encoding: "jsonParsed" })
 * ```
 */
export const getTransaction = (
  signature: string,
  config?: TransactionConfig,
): Effect.Effect<TransactionResult | null, RpcError, RpcClient> =>
  RpcClient.call(GetTransaction, [signature, ...optional(config)])
