/** The params of `getProgramAccounts`: which program, and which of its accounts. */
import type { ParamIssue } from "@dotrpc/spec"
import { base58, base64 } from "@scure/base"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Encoding, QueryConfig, sliceIssues } from "./AccountQuery.ts"
import { U64 } from "./internal/integer.ts"
import { PublicKey } from "./PublicKey.ts"
import { commitmentKey, minContextSlotKey } from "./ReadConfig.ts"

/** A node takes no more filters in one query. */
const mostFilters = 4

/** A node compares no more bytes. */
const mostBytes = 128

/** Bytes that an account must have at an offset. */
const Memcmp = Schema.Struct({
  offset: U64.annotateKey({ description: "Where in the data the bytes begin." }),
  bytes: Schema.String.annotateKey({
    description: `Up to ${mostBytes} bytes, as base58 unless \`encoding\` says otherwise.`,
  }),
  encoding: Schema.optionalKey(Schema.Literals(["base58", "base64"])).annotateKey({
    description: "How `bytes` are written; `base58` when absent.",
  }),
})

/** One condition on an account; an account must meet all of a query. */
export const AccountFilter = Schema.Union([
  Schema.Struct({ dataSize: U64.annotateKey({ description: "The size of the data in bytes." }) }),
  Schema.Struct({ memcmp: Memcmp.annotateKey({ description: "Bytes at an offset of the data." }) }),
]).annotate({ expected: '{"dataSize": …} or {"memcmp": {"offset": …, "bytes": …}}' })
export type AccountFilter = typeof AccountFilter.Type

const programConfigStruct = Schema.Struct({
  commitment: commitmentKey,
  encoding: Schema.optionalKey(Encoding).annotateKey({
    description: "The encoding of the account data. `jsonParsed` when absent, or `base64` with a `dataSlice`.",
  }),
  dataSlice: QueryConfig.fields.dataSlice,
  minContextSlot: minContextSlotKey,
  filters: Schema.optionalKey(Schema.Array(AccountFilter)).annotateKey({
    description: `Up to ${mostFilters} conditions; an account must meet all of them.`,
  }),
  withContext: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Adds the slot that was read: `{ context, value }` instead of a bare array.",
  }),
  sortResults: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether accounts are sorted by key; true when absent.",
  }),
})

/** Which accounts of a program are read, and how. */
export type ProgramConfig = { [Name in keyof typeof programConfigStruct.Type]: (typeof programConfigStruct.Type)[Name] }
export const ProgramConfig = Schema.Opaque<ProgramConfig>()(programConfigStruct)

/** The params of `getProgramAccounts`. */
export const ProgramParams = Schema.Tuple([PublicKey, Schema.optionalKey(ProgramConfig)])
export type ProgramParams = typeof ProgramParams.Type

/** What the schema cannot say: how many filters, and bytes that are what their encoding says. */
export const checkProgramParams = ([, config]: ProgramParams): ReadonlyArray<ParamIssue> => {
  const filters = config?.filters ?? []
  return [
    ...(filters.length > mostFilters
      ? [{ path: [1, "filters"], message: `expected at most ${mostFilters} filters, found ${filters.length}` }]
      : []),
    ...filters.flatMap((filter, index) => {
      const message = "memcmp" in filter ? bytesProblem(filter.memcmp) : undefined
      return message === undefined ? [] : [{ path: [1, "filters", index, "memcmp", "bytes"], message }]
    }),
    ...sliceIssues(config, 1),
  ]
}

const bytesProblem = ({ bytes, encoding = "base58" }: typeof Memcmp.Type): string | undefined => {
  const expected = `expected up to ${mostBytes} bytes as ${encoding}`
  // Decoding base58 takes time in the square of the length.
  if (bytes.length > 2 * mostBytes) return `${expected}, found ${bytes.length} characters`
  const decoded = Result.try(() => memcmpBytes({ bytes, encoding }))
  if (Result.isFailure(decoded)) return `${expected}, found ${JSON.stringify(bytes)}`
  return decoded.success.length > mostBytes ? `${expected}, found ${decoded.success.length}` : undefined
}

/** The bytes that a filter compares. Throws on text that is not what its encoding says. */
export const memcmpBytes = (memcmp: Pick<typeof Memcmp.Type, "bytes" | "encoding">): Uint8Array =>
  (memcmp.encoding === "base64" ? base64 : base58).decode(memcmp.bytes)
