/** `getLatestBlockhash` as a method value, and its typed call. */
import { RpcClient, type RpcError, Table } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { type InContext, withContext } from "../Context.ts"
import { U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { ReadConfig } from "../ReadConfig.ts"

const latestBlockhashStruct = Schema.Struct({
  blockhash: Schema.String.annotateKey({ description: "Base58 hash of the newest block." }),
  lastValidBlockHeight: U64.annotateKey({ description: "The last height at which a transaction may use it." }),
})

/** A recent hash for transactions, and how long they may use it. */
export type LatestBlockhash = {
  [Name in keyof typeof latestBlockhashStruct.Type]: (typeof latestBlockhashStruct.Type)[Name]
}
export const LatestBlockhash = Schema.Opaque<LatestBlockhash>()(latestBlockhashStruct)

/** The hash of the newest block. */
export const GetLatestBlockhash = read({
  name: "getLatestBlockhash",
  summary: "The hash of the newest block, which new transactions contain.",
  docs: `Returns the hash of the newest block of a commitment, and the last block height at which a transaction may use it.

| Position | | |
|---|---|---|
| 0 | config | optional: \`commitment\`, \`minContextSlot\` |

**Result**: \`{ "context": { "slot": … }, "value": { "blockhash", "lastValidBlockHeight" } }\`.`,
  positions: ["config"],
  params: Schema.Tuple([Schema.optionalKey(ReadConfig)]),
  result: withContext(LatestBlockhash),
  examples: [{ title: "Of the newest confirmed block", params: [{ commitment: "confirmed" }] }],
  render: ({ value }) =>
    oneValue(`${value.blockhash} · valid to height ${Table.groupDigits(value.lastValidBlockHeight)}`),
})

/**
 * The hash of the newest block of a commitment, and how long transactions may use it.
 *
 * @example
 * ```ts
 * const latest = TokenAccounts.getLatestBlockhash({ commitment: "confirmed" })
 * ```
 */
export const getLatestBlockhash = (
  config?: ReadConfig,
): Effect.Effect<InContext<LatestBlockhash>, RpcError, RpcClient> =>
  RpcClient.call(GetLatestBlockhash, [...optional(config)])
