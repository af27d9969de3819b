/** The params of `l2_getEvents`: which blocks, which contract, which keys, how many per page (service §4.6). */
import { type Json, type Network, nearest, type ParamIssue, type ParamPath, withRepair } from "@dotrpc/spec"
import { Schema } from "effect"
import { Felt } from "./Felt.ts"
import { isWhole, maxU64, u64From } from "./internal/integer.ts"

/** A block: a tag, a hash or a number. */
export type BlockId =
  | "latest"
  | "pending"
  | { readonly block_hash: string; readonly block_number?: never }
  | { readonly block_number: number | bigint; readonly block_hash?: never }

/** What to look for. Felts are `0x` and up to 64 hex digits. */
export interface EventFilter {
  readonly from_block: BlockId
  /** Included. */
  readonly to_block: BlockId
  /** The contract the events must come from; absent means any. */
  readonly address?: string
  /** `keys[i]` lists the accepted values of an event's key `i`; an empty list accepts any. */
  readonly keys?: ReadonlyArray<ReadonlyArray<string>>
  /** Where the page starts, from the page before; absent means the first page. */
  readonly continuation_token?: string
  /** The most events one page may hold, from 1. */
  readonly chunk_size: number | bigint
}

const blockTags = ["latest", "pending"] as const

/** A block in params. A bare number, hash or misspelt tag is offered in the form that is accepted. */
const Block = withRepair(
  Schema.Union([
    Schema.Literals(blockTags),
    Schema.Struct({
      block_hash: Schema.optionalKey(Felt).annotateKey({ description: "Hash of the block." }),
      block_number: Schema.optionalKey(u64From(0)).annotateKey({ description: "Number of the block, decimal." }),
    }),
  ]).annotate({ expected: '"latest", "pending", {"block_number": …} or {"block_hash": …}' }),
  (value) => repairBlock(value),
)

const AcceptedValues = withRepair(
  Schema.Array(Felt).annotate({ expected: "an array of felts (the values accepted at this position)" }),
  (value) => (typeof value === "string" ? [value] : undefined),
)

const Keys = withRepair(Schema.Array(AcceptedValues).annotate({ expected: "an array of arrays of felts" }), (value) =>
  typeof value === "string" ? [[value]] : undefined,
)

/** A member that belongs one level deeper. */
const misplaced = (name: string) =>
  Schema.optionalKey(Schema.Never.annotate({ expected: `"${name}" to be moved into "filter"` }))

export const EventParams = Schema.Struct({
  filter: Schema.Struct({
    from_block: Block.annotateKey({ description: "First block of the query, included." }),
    to_block: Block.annotateKey({ description: "Last block of the query, included." }),
    address: Schema.optionalKey(Felt).annotateKey({ description: "Contract the events come from; any when absent." }),
    keys: Schema.optionalKey(Keys).annotateKey({
      description: "One array of accepted values per position; an empty array accepts any value there.",
    }),
    continuation_token: Schema.optionalKey(Schema.String).annotateKey({
      description: "Token of the previous page; the first page when absent.",
    }),
    chunk_size: u64From(1).annotateKey({ description: "The most events in one page, from 1." }),
  }),
  continuation_token: misplaced("continuation_token"),
  chunk_size: misplaced("chunk_size"),
})
export type EventParams = typeof EventParams.Type

/** What the schema cannot say: one way to name each block, and the tags this network answers. */
export const checkParams = (params: EventParams, network: Network): ReadonlyArray<ParamIssue> => [
  ...checkBlock(params.filter.from_block, ["filter", "from_block"], network),
  ...checkBlock(params.filter.to_block, ["filter", "to_block"], network),
]

const checkBlock = (block: typeof Block.Type, path: ParamPath, network: Network): ReadonlyArray<ParamIssue> => {
  if (typeof block === "string") {
    const allowed = network.blockTags
    if (allowed === undefined || allowed.includes(block)) return []
    const known = allowed.map((tag) => `"${tag}"`).join(", ")
    const offered = known === "" ? "a block number or hash" : `${known}, a block number or hash`
    return [{ path, message: `network ${network.id} does not know the tag "${block}"; give ${offered}` }]
  }
  const named = Object.keys(block).length
  if (named === 1) return []
  return named === 0
    ? [{ path, message: 'give "block_number" or "block_hash", found neither' }]
    : [{ path, message: 'give one of "block_number" and "block_hash", found both' }]
}

const repairBlock = (value: Json.Json): Json.Json | undefined => {
  if (isWhole(value) && value >= 0 && value <= maxU64) return { block_number: value }
  if (typeof value !== "string") return undefined
  if (value === "earliest") return { block_number: 0 }
  if (/^(\d{1,15}|0x[0-9a-f]{1,13})$/i.test(value)) return { block_number: Number(value) }
  if (/^0x[0-9a-f]{40,64}$/i.test(value)) return { block_hash: value }
  return nearest(value, blockTags)
}
