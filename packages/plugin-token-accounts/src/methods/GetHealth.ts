/** `getHealth` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { oneValue } from "../internal/oneValue.ts"
import { read } from "../internal/read.ts"

/** Whether the node is close to the head of the chain. */
export const GetHealth = read({
  name: "getHealth",
  summary: "Whether the node is close to the head of the chain.",
  docs: `Returns \`"ok"\` when the node is healthy. It takes no params.

**Errors**: -32005 the node is behind the rest of the cluster; worth another try.`,
  params: Schema.Tuple([]),
  result: Schema.String,
  examples: [{ title: "The node behind this network", params: [] }],
  render: (health) => oneValue(health),
})

/**
 * `"ok"` when the node is healthy; fails with `NodeBehind` when it is not.
 *
 * @example
 * ```ts
 * const health = TokenAccounts.getHealth()
 * ```
 */
export const getHealth = (): Effect.Effect<string, RpcError, RpcClient> => RpcClient.call(GetHealth, [])
