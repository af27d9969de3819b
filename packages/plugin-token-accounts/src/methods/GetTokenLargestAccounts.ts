/** `getTokenLargestAccounts` as a method value, and its typed call. */
import { explorerPage, type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { TokenAmount } from "../AccountList.ts"
import { type InContext, withContext } from "../Context.ts"
import { showAmount } from "../internal/amounts.ts"
import { mint } from "../internal/exampleKeys.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"
import { CommitmentConfig } from "../ReadConfig.ts"

/** A token account and its amount. */
export interface TokenHolding extends TokenAmount {
  readonly address: string
}

const Holding = Schema.Struct({
  address: Schema.String.annotateKey({ description: "Key of the token account." }),
  ...TokenAmount.fields,
})

/** The token accounts of a mint with the largest amounts. */
export const GetTokenLargestAccounts: Method<
  readonly [mint: string, config?: CommitmentConfig],
  InContext<ReadonlyArray<TokenHolding>>
> = read({
  name: "getTokenLargestAccounts",
  summary: "The 20 token accounts of a mint with the largest amounts.",
  docs: `Returns the 20 largest token accounts of a mint, the largest first.

| Position | | |
|---|---|---|
| 0 | mint | base58 key |
| 1 | config | optional: \`{ "commitment": "finalized" }\` |

**Result**: \`{ "context": { "slot": … }, "value": [{ "address", "amount", "decimals", "uiAmountString" }, …] }\`.

**Errors**: -32602 there is no such account, or it is not a mint.`,
  positions: ["mint", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(CommitmentConfig)]),
  result: withContext(Schema.Array(Holding).annotateKey({ description: "The largest first." })),
  examples: [{ title: "A mint", params: [mint] }],
  render: ({ value }, limit, { network }) => ({
    noun: ["token account", "token accounts"],
    total: value.length,
    columns: [{ name: "account" }, { name: "amount", align: "right" }],
    rows: value.slice(0, limit).map((holding) => [holding.address, showAmount(holding)]),
    links:
      network?.explorer === undefined
        ? undefined
        : value.slice(0, limit).map(({ address }) => [explorerPage(network, "address", address)]),
  }),
})

/**
 * The 20 token accounts of a mint with the largest amounts, the largest first.
 *
 * @example
 * ```ts
 * const holders = TokenAccounts.getTokenLargestAccounts(mint)
 * ```
 */
export const getTokenLargestAccounts = (
  mint: string,
  config?: CommitmentConfig,
): Effect.Effect<InContext<ReadonlyArray<TokenHolding>>, RpcError, RpcClient> =>
  RpcClient.call(GetTokenLargestAccounts, [mint, ...optional(config)])
