/** `getBlockHeight` as a method value, and its typed call. */
import { RpcClient, type RpcError, Table } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { ReadConfig } from "../ReadConfig.ts"

/** How many blocks the chain has. */
export const GetBlockHeight = read({
  name: "getBlockHeight",
  summary: "How many blocks the chain has.",
  docs: `Returns the height of the newest block of a commitment. It is lower than the slot, because some slots have no block.

| Position | | |
|---|---|---|
| 0 | config | optional: \`commitment\`, \`minContextSlot\` |

**Result**: a whole number.`,
  positions: ["config"],
  params: Schema.Tuple([Schema.optionalKey(ReadConfig)]),
  result: U64,
  examples: [{ title: "The newest finalized block", params: [] }],
  render: (height) => oneValue(`height ${Table.groupDigits(height)}`),
})

/**
 * The height of the newest block of a commitment.
 *
 * @example
 * ```ts
 * const height = TokenAccounts.getBlockHeight()
 * ```
 */
export const getBlockHeight = (config?: ReadConfig): Effect.Effect<number | bigint, RpcError, RpcClient> =>
  RpcClient.call(GetBlockHeight, [...optional(config)])
