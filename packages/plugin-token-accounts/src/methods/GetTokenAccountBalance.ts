/** `getTokenAccountBalance` as a method value, and its typed call. */
import { type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { TokenAmount } from "../AccountList.ts"
import { type InContext, withContext } from "../Context.ts"
import { showAmount } from "../internal/amounts.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"
import { CommitmentConfig } from "../ReadConfig.ts"

/** The amount in a token account. */
export const GetTokenAccountBalance: Method<
  readonly [account: string, config?: CommitmentConfig],
  InContext<TokenAmount>
> = read({
  name: "getTokenAccountBalance",
  summary: "The amount in a token account, with the decimals of its mint.",
  docs: `Returns the amount of tokens in one token account.

| Position | | |
|---|---|---|
| 0 | account | base58 key of a token account, not of its owner |
| 1 | config | optional: \`{ "commitment": "finalized" }\` |

**Result**: \`{ "context": { "slot": … }, "value": { "amount", "decimals", "uiAmountString" } }\`. \`amount\` is exact, in the
smallest unit; \`uiAmount\` is deprecated.

**Errors**: -32602 there is no such account, or it is not a token account.`,
  positions: ["account", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(CommitmentConfig)]),
  result: withContext(TokenAmount),
  examples: [{ title: "A token account", params: ["GPuzTVEHZrcKQxH3L9AjC7w72r6hbnKX6tCaBcve5pPX"] }],
  render: ({ value }) => oneValue(showAmount(value)),
})

/**
 * The amount in a token account, by its base58 key.
 *
 * @example
 * ```ts
 * const amount = TokenAccounts.getTokenAccountBalance(account)
 * ```
 */
export const getTokenAccountBalance = (
  account: string,
  config?: CommitmentConfig,
): Effect.Effect<InContext<TokenAmount>, RpcError, RpcClient> =>
  RpcClient.call(GetTokenAccountBalance, [account, ...optional(config)])
