/** `getTokenSupply` as a method value, and its typed call. */
import { type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { TokenAmount } from "../AccountList.ts"
import { type InContext, withContext } from "../Context.ts"
import { showAmount } from "../internal/amounts.ts"
import { mint } from "../internal/exampleKeys.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"
import { CommitmentConfig } from "../ReadConfig.ts"

/** How much of a token there is. */
export const GetTokenSupply: Method<readonly [mint: string, config?: CommitmentConfig], InContext<TokenAmount>> = read({
  name: "getTokenSupply",
  summary: "How much of a token there is in total.",
  docs: `Returns the supply of a mint: everything that was minted and not burned. The mint of the wrapped native token says 0.

| Position | | |
|---|---|---|
| 0 | mint | base58 key |
| 1 | config | optional: \`{ "commitment": "finalized" }\` |

**Result**: \`{ "context": { "slot": … }, "value": { "amount", "decimals", "uiAmountString" } }\`. \`amount\` is exact, in the
smallest unit; \`uiAmount\` is deprecated.

**Errors**: -32602 there is no such account, or it is not a mint.`,
  positions: ["mint", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(CommitmentConfig)]),
  result: withContext(TokenAmount),
  examples: [{ title: "A mint", params: [mint] }],
  render: ({ value }) => oneValue(`${showAmount(value)} in total`),
})

/**
 * The supply of a mint, by its base58 key.
 *
 * @example
 * ```ts
 * const supply = TokenAccounts.getTokenSupply(mint)
 * ```
 */
export const getTokenSupply = (
  mint: string,
  config?: CommitmentConfig,
): Effect.Effect<InContext<TokenAmount>, RpcError, RpcClient> =>
  RpcClient.call(GetTokenSupply, [mint, ...optional(config)])
