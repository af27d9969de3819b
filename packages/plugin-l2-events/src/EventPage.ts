/** A page of events, as the service returns it (service §2.6). */
import { unneeded } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { Hex } from "./internal/hex.ts"
import { u64From } from "./internal/integer.ts"

const emittedEventStruct = Schema.Struct({
  block_hash: unneeded(Hex).annotateKey({ description: "Its block; absent while pending." }),
  block_number: unneeded(u64From(0)).annotateKey({
    description: "Number of its block; absent while pending.",
  }),
  data: Schema.Array(Hex).annotateKey({ description: "Its values that are not keys." }),
  from_address: Hex.annotateKey({ description: "The contract that emitted it." }),
  keys: Schema.Array(Hex).annotateKey({ description: "The selector of its name first, then its keys." }),
  transaction_hash: Hex.annotateKey({ description: "Its transaction." }),
  transaction_index: unneeded(u64From(0)).annotateKey({
    description: "Place of its transaction in the block, from spec version 0.10 on.",
  }),
  event_index: unneeded(u64From(0)).annotateKey({
    description: "Its place in the transaction, from spec version 0.10 on.",
  }),
})

/** One event. A pending event has no block. */
export type EmittedEvent = { [Name in keyof typeof emittedEventStruct.Type]: (typeof emittedEventStruct.Type)[Name] }
export const EmittedEvent = Schema.Opaque<EmittedEvent>()(emittedEventStruct)

const eventPageStruct = Schema.Struct({
  events: Schema.Array(EmittedEvent).annotateKey({ description: "In the order of the chain." }),
  continuation_token: unneeded(Schema.String).annotateKey({
    description: "Asks for the next page; absent on the last.",
  }),
})

/** A page: it may be shorter than asked, or even empty, and still carry a token; only the last page carries none. */
export type EventPage = { [Name in keyof typeof eventPageStruct.Type]: (typeof eventPageStruct.Type)[Name] }
export const EventPage = Schema.Opaque<EventPage>()(eventPageStruct)
