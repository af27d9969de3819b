/**
 * Fills the gaps of a subscription: what was missed is read by its blocks, and put where it belongs.
 *
 * Invariant: an event is emitted once, however often the connection breaks and whatever is read twice; one that was emitted and that a
 * reorganization took back during a gap is emitted once more, as removed. Of events, those of the last blocks are kept, and no others.
 */
import {
  CurrentNetwork,
  type Json,
  type Network,
  RpcClient,
  type RpcError,
  RpcReason,
  type SubscriptionEvent,
  type SubscriptionGap,
  type SubscriptionRefill,
} from "@dotrpc/spec"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { lookUp } from "../scan/lookUp.ts"
import type { Part } from "../scan/options.ts"
import { parts } from "../scan/scan.ts"
import { elapsed } from "./elapsed.ts"
import { failure } from "./failure.ts"

export interface Refilling {
  readonly client: RpcClient["Service"]
  readonly network: Network
  readonly refill: SubscriptionRefill
  /** Of the subscription. */
  readonly params: Json.Json
  /** How many gaps are read within an hour. */
  readonly most: number
}

/** Looks up the head first: events of later blocks are those that a gap may have left out. */
export const refilled = (
  events: Stream.Stream<SubscriptionEvent<Json.Json>, RpcError>,
  { client, most, network, params, refill }: Refilling,
): Stream.Stream<SubscriptionEvent<Json.Json>, RpcError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { number: start } = yield* lookUp({ method: refill.method, network }, "latest")
      const recent = recentEvents(refill, start)
      let filled: ReadonlyArray<number> = []
      return Stream.flatMap(events, (event) => {
        if (event._tag === "Event") return recent.take(event.item) ? Stream.succeed(event) : Stream.empty
        // A limit that stopped the events stops reading them as well.
        if (event.why === "limit") return Stream.succeed(event)
        return Stream.unwrap(
          Effect.map(elapsed, (now) => {
            filled = filled.filter((at) => at > now - hour)
            if (filled.length >= most) return Stream.succeed(event)
            filled = [...filled, now]
            return fill(event, recent, { network, params, refill })
          }),
        )
      })
    }),
  ).pipe(Stream.provideService(RpcClient, client), Stream.provideService(CurrentNetwork, network))

const hour = 3_600_000

/** The missed events, and then the gap, which states that it is filled, or why it is not. */
const fill = (
  gap: SubscriptionGap,
  recent: Recent,
  { network, params, refill: { method, paramsFrom } }: Pick<Refilling, "network" | "params" | "refill">,
): Stream.Stream<SubscriptionEvent<Json.Json>, never, RpcClient> => {
  const reading = recent.reading()
  return parts(method, paramsFrom(params, recent.from()), { reorgDepth: watchedBlocks }).pipe(
    Stream.flatMap((part) => Stream.fromIterable(reading.next(part))),
    Stream.concat(Stream.suspend(() => Stream.fromIterable(reading.end()))),
    Stream.map((item): SubscriptionEvent<Json.Json> => ({ _tag: "Event", item })),
    Stream.concat(
      Stream.suspend(() => {
        const said = reading.lag()
        if (said === undefined) return Stream.succeed<SubscriptionEvent<Json.Json>>({ ...gap, filled: true })
        return Stream.fail(failure({ method, network }, new RpcReason.NodeBehind({ said }), "ok"))
      }),
    ),
    Stream.catch((error) => Stream.succeed<SubscriptionEvent<Json.Json>>({ ...gap, error })),
  )
}

/** The events of the last blocks that were emitted and stand. */
interface Recent {
  /** The first block whose events may have been missed, or taken back. */
  readonly from: () => number
  /** Whether an event is emitted: not if it was before. */
  readonly take: (event: Json.Json) => boolean
  /** Takes what is read of the blocks from `from` on; each call returns what is emitted. */
  readonly reading: () => {
    readonly next: (part: Part) => ReadonlyArray<Json.Json>
    readonly end: () => ReadonlyArray<Json.Json>
    /** At the end: how far the node that was read is behind the events that came before; `undefined` where it is not. */
    readonly lag: () => string | undefined
  }
}

interface Known {
  readonly block: number
  readonly event: Json.Json
}

/** A reorganization that goes deeper is not noticed in a gap. */
const watchedBlocks = 64

/** More events than this are kept of one block only. */
const mostKept = 20_000

const recentEvents = ({ keyOf, method }: SubscriptionRefill, start: number): Recent => {
  const { range } = method
  const { blockOf, isRemoved } = readingEvents(range)
  const known = new Map<string, Known>()
  let top = start
  let from = start + 1
  let forgotten = 0
  /** The block of the first event: those before it, from the first head on, may have come before the subscription was opened. */
  let first = 0
  const forgetBelow = (block: number) => {
    if (block <= from) return
    from = block
    forgotten = block
    for (const [key, entry] of known) if (entry.block < from) known.delete(key)
  }
  const take = (event: Json.Json): boolean => {
    const [key, block] = [keyOf(event), blockOf(event)]
    if (key === undefined || block === undefined) return true
    // One that was forgotten may have been emitted.
    if (isRemoved(event)) return known.delete(key) || block < from
    if (known.has(key)) return false
    if (first === 0) first = block
    // A block at or below the first head has been replaced.
    if (block >= forgotten) from = Math.min(from, block)
    top = Math.max(top, block)
    // Whatever block the server says it is of: what is kept, and what a gap reads again, is bounded.
    forgetBelow(top - watchedBlocks)
    if (block >= from) known.set(key, { block, event })
    if (known.size > mostKept) forgetBelow(Math.min(top, from + 1))
    return true
  }
  return {
    from: () => from,
    take,
    reading: () => {
      const before = top
      let to = -1
      /** What the blocks whose events were emitted before contain now. */
      let again: Map<string, Json.Json> | undefined = new Map()
      const settle = (): ReadonlyArray<Json.Json> => {
        if (again === undefined) return []
        const now = again
        again = undefined
        const emitted: Array<Json.Json> = []
        const gone = [...known].filter(([key, { block }]) => block <= to && block <= before && !now.has(key))
        for (const [key, { event }] of gone.toReversed()) {
          known.delete(key)
          const removed = range?.reorg?.removed(event)
          if (removed !== undefined) emitted.push(removed)
        }
        // If events are gone, a block before the first event may have been replaced by one that has some.
        const since = gone.length > 0 ? 0 : first
        for (const event of now.values()) if ((blockOf(event) ?? 0) >= since && take(event)) emitted.push(event)
        return emitted
      }
      return {
        next: ({ checkpoint, items }) => {
          to = checkpoint?.to ?? to
          const emitted: Array<Json.Json> = []
          for (const event of items) {
            const key = keyOf(event)
            if (again !== undefined && key !== undefined && isRemoved(event)) again.delete(key)
            else if (again !== undefined && key !== undefined && (blockOf(event) ?? Infinity) <= before)
              again.set(key, event)
            else {
              for (const earlier of settle()) emitted.push(earlier)
              if (take(event)) emitted.push(event)
            }
          }
          return emitted
        },
        end: settle,
        lag: () =>
          before <= Math.max(start, to)
            ? undefined
            : `events came from block ${before}, and the node that was asked has not reached it`,
      }
    },
  }
}

const readingEvents = (range: SubscriptionRefill["method"]["range"]) => ({
  isRemoved: (event: Json.Json): boolean => range?.reorg?.isRemoved(event) === true,
  /** A server may say any number, and no range begins at one that is not whole. */
  blockOf: (event: Json.Json): number | undefined => {
    const number = range?.blockOf(event)?.number
    return Number.isSafeInteger(number) ? number : undefined
  },
})
