/** `getTokenAccountsByOwner` as a method value, and its typed call. */
import { type Method, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import { AccountList } from "../AccountList.ts"
import { type AccountScope, checkParams, prepareParams, type QueryConfig, QueryParams } from "../AccountQuery.ts"
import { accountConfigDocs } from "../internal/docs.ts"
import { mint, tokenProgram, wallet } from "../internal/exampleKeys.ts"
import { optional, read } from "../internal/read.ts"
import { suggestPrograms, suggestSlices } from "../internal/suggestions.ts"
import { render } from "../internal/render.ts"

/** All token accounts of an owner. */
export const GetTokenAccountsByOwner: Method<QueryParams, AccountList> = read({
  name: "getTokenAccountsByOwner",
  summary: "All token accounts of an owner, of one mint or one token program.",
  docs: `Returns every token account that the key owns. The params are positional.

| Position | | |
|---|---|---|
| 0 | owner | base58 key |
| 1 | accountDetails | exactly one of \`{ "mint": … }\` and \`{ "programId": … }\`, base58 keys |
| 2 | config | optional, below |

${accountConfigDocs}

**Result**: \`{ "context": { "slot": … }, "value": [{ "pubkey", "account" }, …] }\`, as of \`getTokenAccountsByDelegate\`.`,
  positions: ["owner", "accountDetails", "config"],
  params: QueryParams,
  result: AccountList,
  examples: [
    { title: "Accounts of a token program", params: [wallet, { programId: tokenProgram }, { encoding: "jsonParsed" }] },
    { title: "Accounts of a mint, as bytes", params: [wallet, { mint }, { encoding: "base64" }] },
  ],
  suggest: [suggestPrograms(1, "programId"), suggestSlices(2)],
  check: checkParams,
  prepare: prepareParams,
  render,
})

/**
 * All token accounts that `owner` owns, of one mint or one token program. Keys are base58.
 *
 * @example
 * ```ts
 * const accounts = TokenAccounts.getTokenAccountsByOwner(owner, { mint })
 * ```
 */
export const getTokenAccountsByOwner = (
  owner: string,
  scope: AccountScope,
  config?: QueryConfig,
): Effect.Effect<AccountList, RpcError, RpcClient> =>
  RpcClient.call(GetTokenAccountsByOwner, [owner, scope, ...optional(config)])
