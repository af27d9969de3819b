/** `getAccountInfo` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { AccountInfo } from "../AccountInfo.ts"
import { QueryConfig, sliceIssues, withEncoding } from "../AccountQuery.ts"
import { type InContext, withContext } from "../Context.ts"
import { accountHeadline } from "../internal/accountRows.ts"
import { accountConfigDocs } from "../internal/docs.ts"
import { mint, wallet } from "../internal/exampleKeys.ts"
import { oneValue } from "../internal/oneValue.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"

/** One account: its balance, its program and its data. */
export const GetAccountInfo = read({
  name: "getAccountInfo",
  summary: "One account: its balance, the program that owns it, and its data.",
  docs: `Returns the account of a key, or null where there is none. Accounts of the token programs are decoded in tables
whatever the encoding is.

| Position | | |
|---|---|---|
| 0 | account | base58 key |
| 1 | config | optional, below |

${accountConfigDocs}

**Result**: \`{ "context": { "slot": … }, "value": { "lamports", "owner", "data", … } | null }\`.`,
  positions: ["account", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(QueryConfig)]),
  result: withContext(Schema.NullOr(AccountInfo).annotateKey({ description: "The account, or null." })),
  examples: [
    { title: "A mint, parsed by the node", params: [mint, { encoding: "jsonParsed" }] },
    { title: "The bytes of a wallet", params: [wallet, { encoding: "base64", commitment: "confirmed" }] },
  ],
  check: ([, config]) => sliceIssues(config, 1),
  prepare: (params) => {
    const prepared = withEncoding(params[1])
    return prepared === undefined ? { params } : { params: [params[0], prepared.config] as const, note: prepared.note }
  },
  render: ({ value }) => oneValue(accountHeadline(value)),
})

/**
 * The account of a base58 key, or null where there is none. Without an encoding the node parses the data.
 *
 * @example
 * ```ts
 * const account = TokenAccounts.getAccountInfo(mint, { encoding: "base64" })
 * ```
 */
export const getAccountInfo = (
  account: string,
  config?: QueryConfig,
): Effect.Effect<InContext<AccountInfo | null>, RpcError, RpcClient> =>
  RpcClient.call(GetAccountInfo, [account, ...optional(config)])
