/**
 * The notifications that arrive for one subscription: which of them are its events, before and after its id is known.
 *
 * Invariant: whatever the server sends, this keeps at most the events that came before the id did, within limits.
 */
import { isSubscriptionId, Json, type Subscription, type SubscriptionId } from "@dotrpc/spec"

export interface Notifications {
  readonly receive: (message: Json.JsonObject, size: number) => void
  /** A message that is not an event of this subscription is skipped, up to a limit. */
  readonly skip: () => void
  /** From here on the events are those of this id, the ones that came before it included. */
  readonly begin: (id: SubscriptionId) => void
  readonly hasBegun: () => boolean
  /** How many events came for an id that never did. */
  readonly early: () => number
  /** One came that cannot be read. */
  readonly missEarly: () => void
  /** No event is wanted from now on. */
  readonly enough: () => void
}

export interface NotificationOptions {
  readonly subscription: Subscription
  /** Characters of all events that wait for the id. */
  readonly mostEarlySize: number
  /** False if it is the last one that is wanted. */
  readonly onItem: (item: Json.Json, size: number) => boolean
  readonly onMissed: (events: number) => void
  readonly onUnwanted: () => void
  /** The server has ended the subscription. */
  readonly onEnd: () => void
  /** The server is not worth listening to. */
  readonly giveUp: (because: string) => void
}

export const makeNotifications = (options: NotificationOptions): Notifications => {
  const { giveUp, mostEarlySize, subscription } = options
  let id: SubscriptionId | undefined
  let early: Array<{ readonly id: Json.Json; readonly item: Json.Json; readonly size: number }> = []
  let earlySize = 0
  let earlyMissed = 0
  let strangers = 0
  let isOver = false
  let unwanted = 0

  const skip = () => {
    strangers++
    if (strangers > mostStrangers) giveUp("the server sent too much that is not an event")
  }
  const deliver = (item: Json.Json, size: number) => {
    strangers = 0
    if (!isOver) {
      if (!options.onItem(item, size)) isOver = true
      return
    }
    options.onUnwanted()
    if (++unwanted >= mostUnwanted) giveUp("the server went on after the last event")
  }
  const keepEarly = (ownId: Json.Json, item: Json.Json, size: number) => {
    if (early.length >= mostEarly || earlySize + size > mostEarlySize) {
      earlyMissed++
      if (earlyMissed > mostStrangers) giveUp("the server sent too many events before its reply")
    } else {
      early.push({ id: ownId, item, size })
      earlySize += size
    }
  }

  return {
    receive: ({ method, params }, size) => {
      if (method !== subscription.notification || !Json.isObject(params)) return skip()
      const ofId = params[subscription.idMember]
      const { result: item } = params
      if (!isSubscriptionId(ofId) || (id !== undefined && ofId !== id)) return skip()
      if (id === undefined) return item === undefined ? skip() : keepEarly(ofId, item, size)
      return item === undefined ? options.onEnd() : deliver(item, size)
    },
    skip,
    begin: (own) => {
      id = own
      const kept = early
      early = []
      for (const event of kept) {
        if (event.id === own) deliver(event.item, event.size)
      }
      if (earlyMissed > 0) options.onMissed(earlyMissed)
    },
    hasBegun: () => id !== undefined,
    early: () => (id === undefined ? early.length + earlyMissed : 0),
    missEarly: () => {
      earlyMissed++
    },
    enough: () => {
      isOver = true
    },
  }
}

/** Events that may come before the id. */
const mostEarly = 100

/** Events that are counted while the server ends the subscription; they fit into the buffers of a connection. */
const mostUnwanted = 10_000

/** Messages in a row that are not events of the subscription. */
const mostStrangers = 1_000
