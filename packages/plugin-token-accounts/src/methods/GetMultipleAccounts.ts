/** `getMultipleAccounts` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { AccountInfo } from "../AccountInfo.ts"
import { QueryConfig, sliceIssues, withEncoding } from "../AccountQuery.ts"
import { type InContext, withContext } from "../Context.ts"
import { accountTable } from "../internal/accountRows.ts"
import { accountConfigDocs } from "../internal/docs.ts"
import { mint, wallet } from "../internal/exampleKeys.ts"
import { optional, read } from "../internal/read.ts"
import { PublicKey } from "../PublicKey.ts"

/** A node reads no more in one call. */
const mostAccounts = 100

/** Up to 100 accounts at one slot. */
export const GetMultipleAccounts = read({
  name: "getMultipleAccounts",
  summary: "Up to 100 accounts, read at one slot.",
  docs: `Returns an account, or null, for each key, in the order of the keys, all read at the same slot.

| Position | | |
|---|---|---|
| 0 | accounts | up to ${mostAccounts} base58 keys |
| 1 | config | optional, below |

${accountConfigDocs}

**Result**: \`{ "context": { "slot": … }, "value": [{ "lamports", "owner", "data", … } | null, …] }\`.`,
  positions: ["accounts", "config"],
  params: Schema.Tuple([
    Schema.Array(PublicKey).annotate({ expected: "an array of base58 keys" }),
    Schema.optionalKey(QueryConfig),
  ]),
  result: withContext(
    Schema.Array(Schema.NullOr(AccountInfo)).annotateKey({ description: "In the order of the keys." }),
  ),
  examples: [
    { title: "A mint and a wallet", params: [[mint, wallet], { encoding: "jsonParsed" }] },
    {
      title: "Only the first eight bytes of each",
      params: [[mint, wallet], { encoding: "base64", dataSlice: { offset: 0, length: 8 } }],
    },
  ],
  check: ([keys, config]) => [
    ...(keys.length > mostAccounts
      ? [{ path: [0], message: `expected at most ${mostAccounts} keys, found ${keys.length}` }]
      : []),
    ...sliceIssues(config, 1),
  ],
  prepare: (params) => {
    const prepared = withEncoding(params[1])
    return prepared === undefined ? { params } : { params: [params[0], prepared.config] as const, note: prepared.note }
  },
  render: ({ value }, limit, context) =>
    accountTable(
      value.map((account) => ({ account })),
      limit,
      context,
    ),
})

/**
 * An account, or null, for each of up to 100 base58 keys, in their order and all read at one slot.
 *
 * @example
 * ```ts
 * const accounts = TokenAccounts.getMultipleAccounts([mint, wallet], { commitment: "confirmed" })
 * ```
 */
export const getMultipleAccounts = (
  accounts: ReadonlyArray<string>,
  config?: QueryConfig,
): Effect.Effect<InContext<ReadonlyArray<AccountInfo | null>>, RpcError, RpcClient> =>
  RpcClient.call(GetMultipleAccounts, [accounts, ...optional(config)])
