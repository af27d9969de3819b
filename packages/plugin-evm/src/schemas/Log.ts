/** What a contract emitted (service §2.2). */
import { Schema } from "effect"
import { Address, bytesOf, Data, Hash, type Hex, Quantity } from "./Hex.ts"

/** 32 bytes: the hash of an event's signature, or an indexed argument. */
export type Topic = Hex

export const Topic: Schema.Codec<Topic, Topic> = bytesOf(32, "a topic")

/** A log. The places in the chain are `null` while it is pending. */
export const Log = Schema.Struct({
  /** True when a reorganization of the chain took the log back. */
  removed: Schema.Boolean,
  logIndex: Schema.NullOr(Quantity),
  transactionIndex: Schema.NullOr(Quantity),
  transactionHash: Schema.NullOr(Hash),
  blockHash: Schema.NullOr(Hash),
  blockNumber: Schema.NullOr(Quantity),
  /** The contract. */
  address: Address,
  /** The arguments that are not indexed, 32 bytes or more each, end to end. */
  data: Data,
  /** The first is the hash of the event's signature, except for an anonymous event, which may have none. */
  topics: Schema.Array(Topic).check(
    Schema.makeFilter((topics: ReadonlyArray<string>) =>
      topics.length <= 4 ? undefined : `expected at most 4 topics, found ${topics.length}`,
    ),
  ),
})

export type Log = typeof Log.Type
