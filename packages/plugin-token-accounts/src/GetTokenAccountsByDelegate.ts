/** `getTokenAccountsByDelegate` as a method value, and its typed call (service §4.5). */
import { defineMethod, type Method, Price, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import { AccountList } from "./AccountList.ts"
import { type AccountScope, checkParams, prepareParams, type QueryConfig, QueryParams } from "./AccountQuery.ts"
import { classify } from "./internal/classify.ts"
import { docs } from "./internal/docs.ts"
import { suggestPrograms, suggestSlices } from "./internal/suggestions.ts"
import { render } from "./internal/render.ts"

/** All token accounts for which a delegate has been approved. */
export const GetTokenAccountsByDelegate: Method<QueryParams, AccountList> = defineMethod({
  plugin: "token-accounts",
  name: "getTokenAccountsByDelegate",
  summary: "All token accounts for which a delegate has been approved.",
  docs,
  positions: ["delegate", "accountDetails", "config"],
  params: QueryParams,
  result: AccountList,
  price: Price.published(160),
  idempotent: true,
  examples: [
    {
      title: "Accounts of a token program",
      params: [
        "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
        { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
        { encoding: "jsonParsed" },
      ],
    },
    {
      title: "Accounts of a mint, as voted on by the cluster",
      params: [
        "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
        { mint: "3wyAj7Rt1TWVPZVteFJPLa26JmLvdb1CAKEFZm3NY75E" },
        { encoding: "jsonParsed", commitment: "confirmed" },
      ],
    },
    {
      title: "Only the amounts: eight bytes of each account",
      params: [
        "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
        { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
        { encoding: "base64", dataSlice: { offset: 64, length: 8 } },
      ],
    },
  ],
  suggest: [suggestPrograms(1, "programId"), suggestSlices(2)],
  check: checkParams,
  classify,
  prepare: prepareParams,
  render,
})

/**
 * All token accounts that `delegate` may spend from, of one mint or one token program. Keys are base58.
 *
 * @example
 * ```ts
 * const accounts = TokenAccounts.getTokenAccountsByDelegate(delegate, { mint }, { commitment: "confirmed" })
 * ```
 */
export const getTokenAccountsByDelegate = (
  delegate: string,
  scope: AccountScope,
  config?: QueryConfig,
): Effect.Effect<AccountList, RpcError, RpcClient> =>
  RpcClient.call(GetTokenAccountsByDelegate, config === undefined ? [delegate, scope] : [delegate, scope, config])
