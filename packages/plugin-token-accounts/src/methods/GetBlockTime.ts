/** `getBlockTime` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { exampleSlot } from "../internal/exampleKeys.ts"
import { I64, U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { read } from "../internal/read.ts"
import { showTime } from "../internal/time.ts"

/** When a block was made. */
export const GetBlockTime = read({
  name: "getBlockTime",
  summary: "When a block was made, in seconds since 1970.",
  docs: `Returns the estimated time of a block, from the votes of the validators.

| Position | | |
|---|---|---|
| 0 | slot | a whole number |

**Result**: seconds since 1970, or null when the time is not known.

**Errors**: -32004 the slot is not reached yet · -32007 and -32009 the slot has no block · -32001 the node no longer has the block.`,
  positions: ["slot"],
  params: Schema.Tuple([U64]),
  result: Schema.NullOr(I64),
  examples: [{ title: "A block", params: [exampleSlot] }],
  permanence: ([slot], time) => (time === null ? "changing" : { onceFinal: BigInt(slot) }),
  render: (time, _, { timeZone }) => oneValue(time === null ? "no time is known" : showTime(time, timeZone)),
})

/**
 * When the block of a slot was made, in seconds since 1970; null when that is not known.
 *
 * @example
 * ```ts
 * const time = TokenAccounts.getBlockTime(slot)
 * ```
 */
export const getBlockTime = (slot: number | bigint): Effect.Effect<number | bigint | null, RpcError, RpcClient> =>
  RpcClient.call(GetBlockTime, [slot])
