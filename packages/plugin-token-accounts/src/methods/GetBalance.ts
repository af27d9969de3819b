/** `getBalance` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { type InContext, withContext } from "../Context.ts"
import { inSol } from "../internal/amounts.ts"
import { wallet } from "../internal/exampleKeys.ts"
import { U64 } from "../internal/integer.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"
import { ReadConfig } from "../ReadConfig.ts"

/** The lamports of an account. */
export const GetBalance = read({
  name: "getBalance",
  summary: "The balance of an account in lamports.",
  docs: `Returns the lamports of an account, 1,000,000,000 to one SOL; 0 where there is no account.

| Position | | |
|---|---|---|
| 0 | account | base58 key |
| 1 | config | optional: \`commitment\`, \`minContextSlot\` |

**Result**: \`{ "context": { "slot": … }, "value": 5000000000 }\`. For an amount of tokens ask \`getTokenAccountBalance\`.`,
  positions: ["account", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(ReadConfig)]),
  result: withContext(U64.annotateKey({ description: "Lamports." })),
  examples: [
    { title: "A wallet", params: [wallet] },
    { title: "Not finalized yet", params: [wallet, { commitment: "processed" }] },
  ],
  render: ({ value }) => oneValue(inSol(value)),
})

/**
 * The lamports of an account, by its base58 key; 0 where there is no account.
 *
 * @example
 * ```ts
 * const { value } = yield* TokenAccounts.getBalance(wallet, { commitment: "confirmed" })
 * ```
 */
export const getBalance = (
  account: string,
  config?: ReadConfig,
): Effect.Effect<InContext<number | bigint>, RpcError, RpcClient> =>
  RpcClient.call(GetBalance, [account, ...optional(config)])
