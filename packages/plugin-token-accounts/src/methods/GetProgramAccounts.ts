/** `getProgramAccounts` as a method value, and its typed call. */
import { RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { KeyedAccount } from "../AccountInfo.ts"
import { withEncoding } from "../AccountQuery.ts"
import { type InContext, withContext } from "../Context.ts"
import { accountTable } from "../internal/accountRows.ts"
import { accountConfigDocs } from "../internal/docs.ts"
import { mint, tokenProgram, wallet } from "../internal/exampleKeys.ts"
import { optional, read } from "../internal/read.ts"
import { suggestPrograms, suggestSizes, suggestSlices } from "../internal/suggestions.ts"
import { checkProgramParams, type ProgramConfig, ProgramParams } from "../ProgramQuery.ts"

const Accounts = Schema.Array(KeyedAccount)

/** All accounts of a program that meet the filters. */
export const GetProgramAccounts = read({
  name: "getProgramAccounts",
  summary: "All accounts of a program that meet the filters.",
  docs: `Returns every account that the program owns and that meets all filters. Filter as narrowly as you can: nodes refuse or
give up on queries over programs with many accounts.

| Position | | |
|---|---|---|
| 0 | program | base58 key |
| 1 | config | optional, below |

${accountConfigDocs}
| \`filters\` | up to 4: \`{ "dataSize": 165 }\`, or \`{ "memcmp": { "offset": 32, "bytes": "…" } }\` with up to 128 bytes as base58 |
| \`withContext\` | \`true\` adds the slot that was read |
| \`sortResults\` | \`false\` leaves the accounts in the node's own order |

A token account has its mint at offset 0 and its owner at offset 32.

**Result**: \`[{ "pubkey", "account" }, …]\`; with \`withContext\`, \`{ "context": { "slot": … }, "value": [ … ] }\`.`,
  positions: ["program", "config"],
  params: ProgramParams,
  result: Schema.Union([Accounts, withContext(Accounts)]),
  examples: [
    {
      title: "Token accounts of one mint",
      params: [
        tokenProgram,
        { encoding: "jsonParsed", filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint } }] },
      ],
    },
    {
      title: "Only the amounts of the token accounts with a delegate, and the slot",
      params: [
        tokenProgram,
        {
          encoding: "base64",
          dataSlice: { offset: 64, length: 8 },
          filters: [{ memcmp: { offset: 76, bytes: wallet } }],
          withContext: true,
        },
      ],
    },
  ],
  suggest: [suggestPrograms(0), suggestSlices(1), suggestSizes],
  check: checkProgramParams,
  prepare: (params) => {
    const [program, config] = params
    const prepared = withEncoding(config)
    return prepared === undefined
      ? { params }
      : { params: [program, { ...config, ...prepared.config }] as const, note: prepared.note }
  },
  render: (result, limit, context) => accountTable("value" in result ? result.value : result, limit, context),
})

/**
 * All accounts that a program owns and that meet the filters; with `withContext`, beside the slot they were read at.
 *
 * @example
 * ```ts
 * const ofMint = TokenAccounts.getProgramAccounts(tokenProgram, {
 *   filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint } }],
 * })
 * ```
 */
export function getProgramAccounts(
  program: string,
  config: ProgramConfig & { readonly withContext: true },
): Effect.Effect<InContext<ReadonlyArray<KeyedAccount>>, RpcError, RpcClient>
export function getProgramAccounts(
  program: string,
  config?: ProgramConfig & { readonly withContext?: false },
): Effect.Effect<ReadonlyArray<KeyedAccount>, RpcError, RpcClient>
export function getProgramAccounts(
  program: string,
  config?: ProgramConfig,
): Effect.Effect<ReadonlyArray<KeyedAccount> | InContext<ReadonlyArray<KeyedAccount>>, RpcError, RpcClient> {
  return RpcClient.call(GetProgramAccounts, [program, ...optional(config)])
}
