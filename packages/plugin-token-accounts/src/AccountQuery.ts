/** The params of `getTokenAccountsByDelegate`: whose delegate, which accounts, and in which encoding (service §4.5). */
import type { ParamIssue } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { U64 } from "./internal/integer.ts"
import { PublicKey } from "./PublicKey.ts"

/** Which accounts: those of one mint, or those of one token program. Base58 keys. */
export type AccountScope =
  | { readonly mint: string; readonly programId?: never }
  | { readonly programId: string; readonly mint?: never }

/** The encoding of the account data in the result. */
export const Encoding = Schema.Literals(["base58", "base64", "base64+zstd", "jsonParsed"])
export type Encoding = typeof Encoding.Type

/** How sure the cluster is of the slot that is read. */
export const Commitment = Schema.Literals(["finalized", "confirmed", "processed"])
export type Commitment = typeof Commitment.Type

const queryConfigStruct = Schema.Struct({
  commitment: Schema.optionalKey(Commitment).annotateKey({
    description:
      "`finalized` (the default): confirmed by a supermajority at maximum lockout. `confirmed`: voted on by a supermajority. `processed`: the newest block, which may still be skipped.",
  }),
  encoding: Schema.optionalKey(Encoding).annotateKey({
    description:
      "The encoding of the account data in the result. `jsonParsed` when absent, or `base64` with a `dataSlice`.",
  }),
  dataSlice: Schema.optionalKey(
    Schema.Struct({
      offset: U64.annotateKey({ description: "First byte." }),
      length: U64.annotateKey({ description: "The number of bytes." }),
    }),
  ).annotateKey({ description: "A part of the data only. Not with `jsonParsed`." }),
  minContextSlot: Schema.optionalKey(U64).annotateKey({
    description: "The slot the node must have reached; a node that has not answers with an error.",
  }),
})

/** How accounts are read. */
export type QueryConfig = { [Name in keyof typeof queryConfigStruct.Type]: (typeof queryConfigStruct.Type)[Name] }
export const QueryConfig = Schema.Opaque<QueryConfig>()(queryConfigStruct)

/** The params of a method that reads the token accounts of a key. */
export const QueryParams = Schema.Tuple([
  PublicKey,
  Schema.Struct({
    mint: Schema.optionalKey(PublicKey).annotateKey({ description: "Accounts of this mint. Not with `programId`." }),
    programId: Schema.optionalKey(PublicKey).annotateKey({
      description: "Accounts of this token program. Not with `mint`.",
    }),
  }),
  Schema.optionalKey(QueryConfig),
])
export type QueryParams = typeof QueryParams.Type

/** What the schema cannot say: one scope, and no slice of parsed data. */
export const checkParams = (params: QueryParams): ReadonlyArray<ParamIssue> => {
  const [, scope, config] = params
  const issues: Array<ParamIssue> = []
  if (scope.mint === undefined && scope.programId === undefined)
    issues.push({ path: [1], message: 'give "mint" or "programId", found neither' })
  if (scope.mint !== undefined && scope.programId !== undefined)
    issues.push({ path: [1, "programId"], message: 'give one of "mint" and "programId", found both' })
  return [...issues, ...sliceIssues(config, 2)]
}

/** Adds an encoding where none is given: the service's own default cannot carry a token account. */
export const prepareParams = (params: QueryParams): { readonly params: QueryParams; readonly note?: string } => {
  const [delegate, scope, config] = params
  const prepared = withEncoding(config)
  return prepared === undefined ? { params } : { params: [delegate, scope, prepared.config], note: prepared.note }
}

/** The config with an encoding, and a note for the user; `undefined` when it has one. */
export const withEncoding = (
  config: QueryConfig = {},
): { readonly config: QueryConfig; readonly note: string } | undefined => {
  if (config.encoding !== undefined) return undefined
  const encoding = config.dataSlice === undefined ? "jsonParsed" : "base64"
  return {
    config: { ...config, encoding },
    note: `encoding "${encoding}" was added: the service's default, base58, fails for accounts over 128 bytes`,
  }
}

/** A slice of parsed data is not one of its bytes. */
export const sliceIssues = (config: QueryConfig | undefined, position: number): ReadonlyArray<ParamIssue> =>
  config?.dataSlice !== undefined && config.encoding === "jsonParsed"
    ? [
        {
          path: [position, "encoding"],
          message: '"dataSlice" is only valid with "base58", "base64" or "base64+zstd", found "jsonParsed"',
          replaceWith: "base64",
        },
      ]
    : []
