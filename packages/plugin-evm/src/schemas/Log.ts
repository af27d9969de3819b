/** What a contract emitted (service §2.2). */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Address, bytesOf, Data, Hash, type Hex, Quantity } from "./Hex.ts"

/** 32 bytes: the hash of an event's signature, or an indexed argument. */
export type Topic = Hex

export const Topic: Schema.Codec<Topic, Topic> = bytesOf(32, "a topic")

const logStruct = Schema.Struct({
  removed: unneeded(Schema.Boolean).annotateKey({
    description: "True when a reorganization of the chain removed the log. Some nodes leave it out.",
  }),
  logIndex: unneeded(Quantity).annotateKey({ description: "Position in the block; `null` while pending." }),
  transactionIndex: unneeded(Quantity).annotateKey({
    description: "Position of its transaction in the block; `null` while pending.",
  }),
  transactionHash: Schema.NullOr(Hash).annotateKey({ description: "Its transaction; `null` while pending." }),
  blockHash: Schema.NullOr(Hash).annotateKey({ description: "Its block; `null` while pending." }),
  blockNumber: Schema.NullOr(Quantity).annotateKey({ description: "Number of its block; `null` while pending." }),
  address: Address.annotateKey({ description: "The contract that emitted it." }),
  data: Data.annotateKey({ description: "The arguments that are not indexed, 32 bytes or more each, end to end." }),
  topics: Schema.Array(Topic)
    .check(
      Schema.makeFilter((topics: ReadonlyArray<string>) =>
        topics.length <= 4 ? undefined : `expected at most 4 topics, found ${topics.length}`,
      ),
    )
    .annotateKey({
      description:
        "The first is the hash of the event's signature, except for an anonymous event, which may have none; the others are indexed arguments.",
    }),
})

/** A log. The places in the chain are `null` while it is pending. */
export type Log = { [Name in keyof typeof logStruct.Type]: (typeof logStruct.Type)[Name] }
export const Log = Schema.Opaque<Log>()(logStruct)
