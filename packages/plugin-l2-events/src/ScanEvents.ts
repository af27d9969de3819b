/** Typed calls: one page of events, and a stream that follows the tokens to the last page. */
import {
  afterError,
  afterPage,
  firstPlace,
  type Json,
  type PagePlace,
  type PageStop,
  RangeScan,
  readable,
  ResultNotes,
  RpcClient,
  RpcError,
  RpcReason,
} from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { EventFilter, EventParams } from "./EventFilter.ts"
import type { EmittedEvent, EventPage } from "./EventPage.ts"
import { GetEvents } from "./GetEvents.ts"

/** One page of events (service §4.6). */
export const getEvents = (filter: EventFilter): Effect.Effect<EventPage, RpcError, RpcClient> =>
  RpcClient.call(GetEvents, { filter })

/**
 * Every event of the filter, page after page; each page is one charged call, made when the stream is pulled past the
 * page before. Short and empty pages are followed as long as they carry a token. When a page fails, the events before
 * it have been emitted and the stream fails with its error; interrupting the stream interrupts the call in flight.
 *
 * A token that the server has lost costs the call that tells so: the pages begin again at the block that was reached, and
 * what was emitted of it is left out. That fails with `Malformed` when the chain has changed below, and with the server's
 * own error when the token is lost again at once, or the last event was pending. Pages that repeat fail with `Malformed` after
 * the events of those that did not; where `ResultNotes` is provided they end the stream with a note, as an empty token does.
 *
 * With `to_block: "latest"` the end moves with the chain; give a block number for a fixed one.
 *
 * @example
 * ```ts
 * L2Events.scanEvents({ from_block: { block_number: 0 }, to_block: "latest", chunk_size: 1_000 }).pipe(
 *   Stream.filter((event) => L2Events.sameFelt(event.from_address, token)),
 *   Stream.runForEach((event) => Console.log(event.transaction_hash)),
 * )
 * ```
 */
export const scanEvents = (filter: EventFilter): Stream.Stream<EmittedEvent, RpcError, RpcClient> =>
  Stream.paginate<PagePlace | PageStop, EmittedEvent, RpcError, RpcClient>(
    firstPlace(GetEvents, { filter: { ...filter } }),
    (place) =>
      Effect.gen(function* () {
        if ("said" in place) return yield* cannotGoOn(place)
        // Params are those of the caller, changed by the method itself.
        const page = yield* Effect.result(RpcClient.call(GetEvents, place.params as EventParams))
        if (Result.isFailure(page)) {
          const again = afterError(GetEvents, place, page.failure.reason)
          return again === undefined ? yield* page.failure : ([[], Option.some(again)] as const)
        }
        const asked = { method: GetEvents, network: yield* (yield* RpcClient).networkOf(GetEvents) }
        // Where notes are taken, a page may be anything.
        const { items, next, note, stopped } = yield* readable(asked, page.success as Json.Json, () =>
          Effect.sync(() => afterPage(GetEvents, place, page.success as Json.Json)),
        )
        if (note !== undefined) (yield* ResultNotes)?.(note)
        return [items as ReadonlyArray<EmittedEvent>, Option.fromUndefinedOr(next ?? stopped)] as const
      }),
  )

/**
 * Every event of the filter like {@link scanEvents}, through the scans of the runtime: with several lanes and a range in
 * block numbers, the range is cut and its parts are read at the same time. The events come in the same order.
 *
 * @example
 * ```ts
 * L2Events.scanRange({ from_block: { block_number: 0 }, to_block: { block_number: 299 }, chunk_size: 1_000 }).pipe(
 *   Stream.runCount,
 *   Effect.provide(RangeScan.layer({ lanes: 4 })),
 * )
 * ```
 */
export const scanRange = (filter: EventFilter): Stream.Stream<EmittedEvent, RpcError, RangeScan> =>
  RangeScan.scan(GetEvents, { filter: { ...filter } })

/** Ends the pages: with an error, unless there is somebody to note it. */
const cannotGoOn = Effect.fnUntraced(function* ({ cause, said }: PageStop) {
  const note = yield* ResultNotes
  if (cause === "repeated" && note !== undefined) {
    note(said)
    return [[], Option.none()] as const
  }
  const client = yield* RpcClient
  const network = yield* client.networkOf(GetEvents)
  const reason = new RpcReason.Malformed({ said })
  return yield* new RpcError({ method: GetEvents.name, network: network.id, reason, outcome: "malformed" })
})
