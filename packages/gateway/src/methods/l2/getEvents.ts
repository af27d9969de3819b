/** `l2_getEvents` over an event store (service §4.6): pages, tokens, and the error codes of layer-2 nodes. */
import { L2Events } from "@dotrpc/plugin-l2-events"
import { Json, type Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { EventPosition, EventStore, StoredEvent } from "../../events/EventStore.ts"
import { canonicalFelt } from "../../events/Felt.ts"
import { acceptedBy } from "../../events/L2Chain.ts"
import type { Fault } from "../Fault.ts"
import { serveMethod, type ServedMethod, withoutNulls } from "../ServedMethod.ts"
import { resolveBlock } from "./blockId.ts"
import { readToken, writeToken } from "./continuationToken.ts"

export interface EventLimits {
  /** The largest `chunk_size`. */
  readonly chunkSize: number
  /** The most positions and values in `keys`, added up. */
  readonly keys: number
}

export const eventLimits: EventLimits = { chunkSize: 1_000, keys: 1_024 }

export const getEvents = (network: Network, store: () => EventStore, limits: EventLimits = eventLimits): ServedMethod =>
  serveMethod({
    method: L2Events.GetEvents,
    network,
    ignore: (params) =>
      Json.isObject(params) && params.filter !== undefined
        ? { ...params, filter: withoutNulls(params.filter) }
        : params,
    answer: ({ filter }) =>
      Result.gen(function* () {
        const events = store()
        const { address, chunk_size, continuation_token, keys } = filter
        if (chunk_size > limits.chunkSize) return yield* Result.fail(pageTooBig)
        if ((keys ?? []).reduce((sum, values) => sum + 1 + values.length, 0) > limits.keys)
          return yield* Result.fail(tooManyKeys)
        const from = yield* resolveBlock(events, acceptedBy(events), filter.from_block ?? { block_number: 0 })
        const to = yield* resolveBlock(events, acceptedBy(events), filter.to_block ?? "latest")
        const bound = filterText(from, to, filter)
        const start = yield* startOf(continuation_token, bound, from)
        return readPage(events.events(start, to, { address, keys }), Number(chunk_size), bound)
      }),
  })

/** What a token is bound to: the same text for every way to write the same filter, whatever the page size. */
const filterText = (
  from: number,
  to: number,
  { address, keys = [] }: Pick<L2Events.EventFilter, "address" | "keys">,
): string => {
  const addresses = [...new Set([address ?? []].flat().map(canonicalFelt))].toSorted()
  return JSON.stringify([
    from,
    to,
    addresses.length > 1 ? addresses : (addresses[0] ?? null),
    keys.map((accepted) => accepted.map(canonicalFelt)),
  ])
}

interface Page {
  readonly events: ReadonlyArray<StoredEvent>
  readonly continuation_token?: string
}

/** One event more than the page holds says whether there is a next page, and where it starts. */
const readPage = (found: ReturnType<EventStore["events"]>, size: number, bound: string): Page => {
  const events: Array<StoredEvent> = []
  for (const { event, position } of found) {
    if (events.length === size) return { events, continuation_token: writeToken(position, bound) }
    events.push(event)
  }
  return { events }
}

const startOf = (token: string | undefined, bound: string, from: number): Result.Result<EventPosition, Fault> => {
  if (token === undefined) return Result.succeed({ blockNumber: from, index: 0 })
  const position = readToken(token, bound)
  return position === undefined ? Result.fail(badToken) : Result.succeed(position)
}

const pageTooBig: Fault = { code: 31, message: "Requested page size is too big" }
const badToken: Fault = { code: 33, message: "The supplied continuation token is invalid or unknown" }
const tooManyKeys: Fault = { code: 34, message: "Too many keys provided in a filter" }
