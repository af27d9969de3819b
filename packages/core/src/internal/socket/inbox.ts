/**
 * Events that have arrived and were not read yet. It is bounded: while it is full, events are left out and counted, and the reader finds a
 * gap at their place.
 */
import type { Exit } from "effect"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import type { RpcError, SubscriptionEvent, SubscriptionGap } from "@dotrpc/spec"

export interface Inbox<Item> {
  readonly add: (item: Item, size: number) => void
  readonly missed: (events: number) => void
  readonly reopened: () => void
  /** A message was received after the last event that could be paid. */
  readonly unpaid: () => void
  /** Ends the inbox. Events that arrived before are read first. */
  readonly end: (exit: Exit.Exit<never, RpcError>) => void
  readonly stream: Stream.Stream<SubscriptionEvent<Item>, RpcError>
}

export interface InboxLimits {
  readonly events: number
  /** Characters of all messages that wait. */
  readonly size: number
}

export const makeInbox = <Item>(limits: InboxLimits): Inbox<Item> => {
  const changed = Latch.makeUnsafe(false)
  let events: Array<SubscriptionEvent<Item>> = []
  let size = 0
  let missed = 0
  let unpaid = 0
  let ended: Exit.Exit<never, RpcError> | undefined

  const addGap = (gap: SubscriptionGap) => {
    events.push(gap)
    changed.openUnsafe()
  }
  const flushMissed = () => {
    if (missed > 0) addGap({ _tag: "Gap", why: "slow reader", missed })
    missed = 0
  }
  const flushUnpaid = () => {
    if (unpaid > 0) addGap({ _tag: "Gap", why: "limit", missed: unpaid })
    unpaid = 0
  }

  const take: Effect.Effect<ReadonlyArray<SubscriptionEvent<Item>>, RpcError> = Effect.suspend(() => {
    flushMissed()
    if (ended !== undefined) flushUnpaid()
    if (events.length > 0) {
      const taken = events
      events = []
      size = 0
      return Effect.succeed(taken)
    }
    if (ended !== undefined) return ended
    changed.closeUnsafe()
    return Effect.andThen(changed.await, take)
  })

  return {
    add: (item, itemSize) => {
      if (missed > 0 || events.length >= limits.events || size + itemSize > limits.size) missed++
      else {
        events.push({ _tag: "Event", item })
        size += itemSize
      }
      changed.openUnsafe()
    },
    missed: (count) => {
      missed += count
      changed.openUnsafe()
    },
    reopened: () => {
      flushMissed()
      // One gap says as much as many.
      const last = events.at(-1)
      if (last?._tag !== "Gap" || last.why !== "reopened") addGap({ _tag: "Gap", why: "reopened" })
    },
    unpaid: () => {
      unpaid++
    },
    end: (exit) => {
      ended = exit
      changed.openUnsafe()
    },
    stream: Stream.flatMap(Stream.fromEffectRepeat(take), (taken) => Stream.fromIterable(taken)),
  }
}
