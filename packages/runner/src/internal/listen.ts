/**
 * A request that listens to a subscription: its events until their number, the time or what may be kept is reached, with what a broken
 * connection missed read again. Ending it ends the subscription at the server.
 */
import type { StreamBounds } from "@dotrpc/analysis"
import { RangeScan, RetryTimes, Subscriptions } from "@dotrpc/core"
import {
  eventCredits,
  Json,
  type Network,
  RpcError,
  RpcReason,
  type StreamMethod,
  type SubscriptionEnd,
  subscriptionIn,
  type SubscriptionGap,
  Table,
} from "@dotrpc/spec"
import { Duration, Effect, Option, Stream } from "effect"
import type { ReadSoFar } from "./pieces.ts"

interface Listening {
  readonly method: StreamMethod
  readonly network: Network
  readonly params: Json.Json
  readonly bounds: StreamBounds
  /** Whether the file says how many events are enough. */
  readonly isLimited: boolean
  readonly received: (soFar: ReadSoFar) => void
  readonly note?: ((words: string) => void) | undefined
}

/** Characters of all events that are kept, as JSON. */
const mostKept = 64 * 1_048_576

/** The array of the events, without those that a reorganization took back. */
export const listen = ({
  bounds,
  isLimited,
  method,
  network,
  note = () => {},
  params,
  received,
}: Listening): Effect.Effect<Json.Json, RpcError> =>
  Effect.gen(function* () {
    const subscription = subscriptionIn(method, params)
    const service = yield* Effect.serviceOption(Subscriptions.Subscriptions)
    if (subscription === undefined || Option.isNone(service)) return yield* noSubscriptions(method, network)
    const range = subscription.refill?.method.range
    const events: Array<Json.Json> = []
    const gaps: Gaps = { filled: 0, open: 0, missed: 0, cause: undefined }
    let end: SubscriptionEnd = { unwanted: 0, isConfirmed: true }
    const isMetered = eventCredits(subscription, network) > 0
    const noteAll = (all: ReadonlyArray<string>) => {
      for (const words of all) note(words)
    }
    let size = 0
    let isOpen = false
    const onOpen = () => {
      isOpen = true
    }
    const onEnd = (found: SubscriptionEnd) => {
      // A connection that broke is a gap, and the last one ends it.
      end = found
    }
    const standing = () => (range === undefined ? events : RangeScan.standing(range, events))
    const passOn = () => {
      const total = events.length
      received({
        total,
        share: undefined,
        // A person who watches wants the newest.
        first: (limit) => events.slice(Math.max(0, total - limit), total),
        whole: standing,
        point: () => undefined,
      })
    }
    const ended = yield* service.value.events(subscription, params, { onEnd, onOpen, refill: true }).pipe(
      Stream.tap((event) =>
        Effect.sync(() => {
          if (event._tag === "Gap") {
            addGap(gaps, event)
            return
          }
          // It has passed the schema of the subscription, whose values are JSON.
          const item = event.item as Json.Json
          events.push(item)
          size += Json.stringify(item).length
          passOn()
        }),
      ),
      Stream.takeUntil(() => events.length >= bounds.events || size >= mostKept),
      Stream.runDrain,
      Effect.as("events" as const),
      Effect.raceFirst(Effect.as(Effect.sleep(Duration.millis(bounds.millis)), "time" as const)),
      Effect.provideService(RetryTimes, bounds.reopens),
      Effect.tapError(() => Effect.sync(() => noteAll([...notesOf(gaps), ...notesOfEnd(end, isMetered)]))),
    )
    // An empty list would say that there were no events, which nobody knows.
    if (!isOpen) return yield* neverOpened(method, network, bounds.millis)
    noteAll([...notesOf(gaps), ...notesOfEnd(end, isMetered)])
    if (ended === "events" && events.length < bounds.events)
      note("it stopped at 64 MiB of events, the most that a request keeps")
    else if (ended === "events" && !isLimited)
      note(`it stopped after ${Table.groupDigits(events.length)} events: set another number with # @limit`)
    const gone = events.filter((event) => range?.reorg?.isRemoved(event) === true).length
    if (gone > 0)
      note(
        `${counted(gone, "event was", "events were")} left out: a reorganization replaced ${gone === 1 ? "its block" : "their blocks"}`,
      )
    return [...standing()]
  })

interface Gaps {
  filled: number
  /** How often a connection broke and its events may be missing. */
  open: number
  /** Events that are missing because they came faster than they were read. */
  missed: number
  cause: string | undefined
}

const addGap = (gaps: Gaps, { error, filled, missed = 0, why }: SubscriptionGap) => {
  if (filled === true) gaps.filled++
  else if (why === "reopened") gaps.open++
  // The end of the subscription says how many those of a limit are.
  else if (why === "slow reader") gaps.missed += missed
  gaps.cause ??= error?.reason.message
}

const notesOf = ({ cause, filled, missed, open }: Gaps): ReadonlyArray<string> => [
  ...(filled === 0
    ? []
    : [`${counted(filled, "gap was", "gaps were")} filled by reading the blocks again, so no event is missing there`]),
  ...(open === 0 ? [] : [`events may be missing: the connection broke ${times(open)}`]),
  ...(missed === 0
    ? []
    : [`${counted(missed, "event is", "events are")} missing: they came faster than they were read`]),
  ...(cause === undefined ? [] : [`what was missed could not be read: ${cause}`]),
]

/** Where events have a price, what came after the last one that was wanted is a part of what the request cost. */
const notesOfEnd = ({ isConfirmed, unwanted }: SubscriptionEnd, isMetered: boolean): ReadonlyArray<string> => {
  if (!isMetered || (unwanted === 0 && isConfirmed)) return []
  const came =
    unwanted === 0
      ? []
      : [
          `${isConfirmed ? "" : "at least "}${counted(unwanted, "more event was", "more events were")} sent before the server had ended the subscription: paid for, and not kept`,
        ]
  return isConfirmed
    ? came
    : [...came, "the server did not confirm the end of the subscription: it may charge for more than is counted here"]
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)

const counted = (count: number, one: string, many: string): string =>
  `${Table.groupDigits(count)} ${count === 1 ? one : many}`

/** Where the time was over before the server had answered. It may have opened the subscription, and charged for it, all the same. */
const neverOpened = ({ name }: StreamMethod, network: Network, millis: number) =>
  Effect.fail(
    new RpcError({
      method: name,
      network: network.id,
      outcome: "timeout",
      reason: new RpcReason.Timeout({ millis, listening: true }),
    }),
  )

/** Where nothing can listen, as while calls are recorded or replayed. */
const noSubscriptions = ({ name }: StreamMethod, network: Network) =>
  Effect.fail(
    new RpcError({
      method: name,
      network: network.id,
      outcome: "unsent",
      reason: new RpcReason.NotFound({
        said: "subscriptions are not available in this run",
        hint: "Recordings contain no subscriptions: run it without recording or replaying.",
      }),
    }),
  )
