/** `getSlot` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { U64 } from "../internal/integer.ts"
import { atSlot, oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { ReadConfig } from "../ReadConfig.ts"

/** The slot that the node has reached. */
export const GetSlot = read({
  name: "getSlot",
  summary: "The slot that the node has reached.",
  docs: `Returns the newest slot of a commitment. Slots count time, so some have no block; \`getBlockHeight\` counts blocks.

| Position | | |
|---|---|---|
| 0 | config | optional: \`commitment\`, \`minContextSlot\` |

**Result**: a whole number.`,
  positions: ["config"],
  params: Schema.Tuple([Schema.optionalKey(ReadConfig)]),
  result: U64,
  examples: [
    { title: "The newest finalized slot", params: [] },
    { title: "The newest slot", params: [{ commitment: "processed" }] },
  ],
  render: (slot) => oneValue(atSlot(slot)),
})

/**
 * The newest slot of a commitment.
 *
 * @example
 * ```ts
 * const slot = TokenAccounts.getSlot({ commitment: "confirmed" })
 * ```
 */
export const getSlot = (config?: ReadConfig): Effect.Effect<number | bigint, RpcError, RpcClient> =>
  RpcClient.call(GetSlot, [...optional(config)])
