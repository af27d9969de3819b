/** A page of events, as the service returns it (service §2.6). */
import { Schema } from "effect"
import { u64From } from "./internal/integer.ts"

/** A number as `0x` and hex digits. */
const Hex = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]+$/i, { expected: '"0x" and hex digits' }))

/** One event. A pending event has no block. */
export const EmittedEvent = Schema.Struct({
  block_hash: Schema.optionalKey(Schema.NullOr(Hex)),
  block_number: Schema.optionalKey(Schema.NullOr(u64From(0))),
  data: Schema.Array(Hex),
  from_address: Hex,
  keys: Schema.Array(Hex),
  transaction_hash: Hex,
})
export type EmittedEvent = typeof EmittedEvent.Type

/** A page: it may be shorter than asked, or even empty, and still carry a token; only the last page carries none. */
export const EventPage = Schema.Struct({
  events: Schema.Array(EmittedEvent),
  continuation_token: Schema.optionalKey(Schema.NullOr(Schema.String)),
})
export type EventPage = typeof EventPage.Type
