/** The params of `l2_getEvents`: which blocks, which contract, which keys, how many per page (service §4.6). */
import { type Network, type ParamIssue, withRepair } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Block, type BlockId, checkBlock } from "./BlockId.ts"
import { Felt } from "./Felt.ts"
import { u64From } from "./internal/integer.ts"

/** What to look for. Felts are `0x` and up to 64 hex digits. */
export interface EventFilter {
  /** The first block; the first of the chain when absent. */
  readonly from_block?: BlockId
  /** Included; the newest block when absent. */
  readonly to_block?: BlockId
  /** The contract the events must come from, or several of them, from spec version 0.10.1 on; absent means any. */
  readonly address?: string | ReadonlyArray<string>
  /** `keys[i]` lists the accepted values of an event's key `i`; an empty list accepts any. */
  readonly keys?: ReadonlyArray<ReadonlyArray<string>>
  /** Where the page starts, from the page before; absent means the first page. */
  readonly continuation_token?: string
  /** The most events one page may hold, from 1. */
  readonly chunk_size: number | bigint
}

const Address = Schema.Union([Felt, Schema.Array(Felt)])

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

const eventParamsStruct = Schema.Struct({
  filter: Schema.Struct({
    from_block: Schema.optionalKey(Block).annotateKey({
      description: "First block of the query, included; the first of the chain when absent.",
    }),
    to_block: Schema.optionalKey(Block).annotateKey({
      description: "Last block of the query, included; the newest when absent.",
    }),
    address: Schema.optionalKey(Address).annotateKey({
      description: "Contract the events come from, or an array of them from spec version 0.10.1 on; any when absent.",
    }),
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

/** Which events are asked for, and from which page on. */
export type EventParams = { [Name in keyof typeof eventParamsStruct.Type]: (typeof eventParamsStruct.Type)[Name] }
export const EventParams = Schema.Opaque<EventParams>()(eventParamsStruct)

/** What the schema cannot say: one way to name each block, and the tags this network answers. */
export const checkParams = (params: EventParams, network: Network): ReadonlyArray<ParamIssue> => [
  ...checkBlock(params.filter.from_block, ["filter", "from_block"], network),
  ...checkBlock(params.filter.to_block, ["filter", "to_block"], network),
]
