/** `getSignaturesForAddress` as a method value, its pages, and its typed call. */
import { explorerPage, type Method, RpcClient, type RpcError, unneeded } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { wallet } from "../internal/exampleKeys.ts"
import { I64, U64 } from "../internal/integer.ts"
import { optional, read } from "../internal/read.ts"
import { showTime } from "../internal/time.ts"
import { showOutcome } from "../internal/transactionRows.ts"
import { PublicKey } from "../PublicKey.ts"
import { minContextSlotKey } from "../ReadConfig.ts"
import { TransactionError } from "../Transaction.ts"
import { confirmedKey, Signature } from "../TransactionQuery.ts"

/** A node returns no more in one page, and as many when no limit is given. */
const mostSignatures = 1_000

const signaturesConfigStruct = Schema.Struct({
  limit: Schema.optionalKey(
    U64.check(
      Schema.makeFilter((limit) => limit >= 1 && limit <= mostSignatures, {
        expected: `a whole number from 1 to ${mostSignatures}`,
      }),
    ),
  ).annotateKey({ description: `The most signatures of a page; ${mostSignatures} when absent.` }),
  before: Schema.optionalKey(Signature).annotateKey({
    description: "Starts after this signature, with older ones; the newest when absent.",
  }),
  until: Schema.optionalKey(Signature).annotateKey({ description: "Ends before this signature." }),
  commitment: confirmedKey,
  minContextSlot: minContextSlotKey,
})

/** Which signatures are asked for. */
export type SignaturesConfig = {
  [Name in keyof typeof signaturesConfigStruct.Type]: (typeof signaturesConfigStruct.Type)[Name]
}
export const SignaturesConfig = Schema.Opaque<SignaturesConfig>()(signaturesConfigStruct)

const signatureInfoStruct = Schema.Struct({
  signature: Schema.String.annotateKey({ description: "Its first signature, which names it." }),
  slot: U64.annotateKey({ description: "The slot of its block." }),
  err: unneeded(TransactionError).annotateKey({ description: "Why it failed; null when it did not." }),
  memo: unneeded(Schema.String).annotateKey({ description: "Its memo, with its length." }),
  blockTime: unneeded(I64).annotateKey({ description: "Seconds since 1970, or null." }),
  confirmationStatus: unneeded(Schema.String).annotateKey({
    description: "How sure the cluster is of it.",
  }),
})

/** A transaction that names the address. */
export type SignatureInfo = { [Name in keyof typeof signatureInfoStruct.Type]: (typeof signatureInfoStruct.Type)[Name] }
export const SignatureInfo = Schema.Opaque<SignatureInfo>()(signatureInfoStruct)

/** The params of `getSignaturesForAddress`: a base58 address, and which part of its history. */
export type SignaturesParams = readonly [address: string, config?: SignaturesConfig]

/** The transactions that name an address. */
export const GetSignaturesForAddress: Method<SignaturesParams, ReadonlyArray<SignatureInfo>> = read({
  name: "getSignaturesForAddress",
  summary: "The transactions that name an address, the newest first.",
  docs: `Returns the signatures of confirmed transactions that name an address, the newest first, a page at a time.

| Position | | |
|---|---|---|
| 0 | address | base58 key |
| 1 | config | optional, below |

| Member of \`config\` | |
|---|---|
| \`limit\` | the most of one page, 1 to 1,000 (default) |
| \`before\` | a signature: the page starts with the one that is older |
| \`until\` | a signature: the page ends with the one that is newer |
| \`commitment\` | \`"finalized"\` (default), \`"confirmed"\` |
| \`minContextSlot\` | the slot the node must have reached |

With \`# @all\` every page is read, each at the price of one call: the next one begins \`before\` the last signature, and a page that
is shorter than the limit is the last. The tokens of a wallet are in accounts of their own: ask for those as well.

**Result**: \`[{ "signature", "slot", "err", "memo", "blockTime", "confirmationStatus" }, …]\`.`,
  positions: ["address", "config"],
  params: Schema.Tuple([PublicKey, Schema.optionalKey(SignaturesConfig)]),
  result: Schema.Array(SignatureInfo),
  examples: [
    { title: "The newest ten", params: [wallet, { limit: 10 }] },
    { title: "All that are confirmed", params: [wallet, { commitment: "confirmed" }] },
  ],
  pages: {
    next: ([address, config], page) => {
      const last = page.at(-1)
      const isFull = page.length >= Number(config?.limit ?? mostSignatures)
      return last === undefined || !isFull ? undefined : [address, { ...config, before: last.signature }]
    },
    join: (pages) => pages.flat(),
  },
  render: (list, limit, { network, timeZone }) => {
    const hasMemo = list.some(({ memo }) => typeof memo === "string")
    return {
      noun: ["transaction", "transactions"],
      total: list.length,
      columns: [
        { name: "slot", align: "right" },
        { name: "time" },
        { name: "outcome" },
        { name: "signature" },
        ...(hasMemo ? [{ name: "memo", rank: 1 }] : []),
      ],
      rows: list
        .slice(0, limit)
        .map(({ blockTime, err, memo, signature, slot }) => [
          String(slot),
          blockTime === undefined || blockTime === null ? "" : showTime(blockTime, timeZone),
          showOutcome(err),
          signature,
          ...(hasMemo ? [memo ?? ""] : []),
        ]),
      links:
        network?.explorer === undefined
          ? undefined
          : list
              .slice(0, limit)
              .map(({ signature }) => [undefined, undefined, undefined, explorerPage(network, "tx", signature)]),
    }
  },
})

/**
 * The transactions that name an address, the newest first, up to 1,000; `before` the last of them begins the next page.
 *
 * @example
 * ```ts
 * const newest = TokenAccounts.getSignaturesForAddress(wallet, { limit: 10 })
 * ```
 */
export const getSignaturesForAddress = (
  address: string,
  config?: SignaturesConfig,
): Effect.Effect<ReadonlyArray<SignatureInfo>, RpcError, RpcClient> =>
  RpcClient.call(GetSignaturesForAddress, [address, ...optional(config)])
