/** Which logs `eth_getLogs` looks for (service §4.3). */
import { withRepair } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { BlockParameter } from "./BlockParameter.ts"
import { Address, Hash } from "./Hex.ts"
import { Topic } from "./Log.ts"

const TopicChoice = Schema.Union([Topic, Schema.Array(Schema.NullOr(Topic)), Schema.Null]).annotate({
  expected: "a topic of 32 bytes, an array of such topics, or null for any",
})

/** Topics by position. `null` matches anything; an array matches any of its members, and anything when empty. */
export type Topics = ReadonlyArray<Hash | null | ReadonlyArray<Hash | null>>

const TopicList: Schema.Codec<Topics, Topics> = withRepair(
  Schema.make<Schema.Codec<Topics, Topics>>(
    Schema.Array(TopicChoice).annotate({ expected: "an array of at most 4 topics" }).ast,
  ),
  (value) => (typeof value === "string" ? [value] : undefined),
)

const filterStruct = Schema.Struct({
  address: Schema.optionalKey(
    Schema.NullOr(Schema.Union([Address, Schema.Array(Address)])).annotate({
      expected: "an address of 20 bytes, an array of them, or null for any",
    }),
  ).annotateKey({ description: "The contract, or an array of contracts, that the logs come from; any when absent." }),
  fromBlock: Schema.optionalKey(Schema.NullOr(BlockParameter)).annotateKey({
    description: "First block, included: a number in hex or a tag; `latest` when absent. Not with `blockHash`.",
  }),
  toBlock: Schema.optionalKey(Schema.NullOr(BlockParameter)).annotateKey({
    description: "Last block, included: a number in hex or a tag; `latest` when absent. Not with `blockHash`.",
  }),
  topics: Schema.optionalKey(Schema.NullOr(TopicList)).annotateKey({
    description:
      'Up to 4, by position: a topic, an array of which any may match, or `null` for any. The first is the event, `{{event("…")}}`.',
  }),
  blockHash: Schema.optionalKey(Schema.NullOr(Hash)).annotateKey({
    description: "One block, instead of `fromBlock` and `toBlock`.",
  }),
})

/**
 * A filter. Without `blockHash` it covers `fromBlock` to `toBlock`, both included and `latest` by default; with
 * `blockHash` it covers that block and neither of the two may be given. An explicit `null` is the same as leaving it out.
 */
export type Filter = { [Name in keyof typeof filterStruct.Type]: (typeof filterStruct.Type)[Name] }
export const Filter = Schema.Opaque<Filter>()(filterStruct)
