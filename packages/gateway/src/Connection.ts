/**
 * Connections that events can be sent to: what each has subscribed to, and the events of a new block or slot to all of them.
 *
 * Invariant: no event is sent before the id of its subscription, nor one that was not paid. A connection whose client does not read
 * is ended, and no other waits for it.
 */
import { eventCredits, Json, type Network, PriceSheet, type SubscriptionId } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import type { Balances, Limits } from "./metering/Balances.ts"
import type { Metrics } from "./metering/Metrics.ts"
import type { Added, Subscriber, Wanted } from "./methods/Subscriber.ts"

/** The client of a connection. */
export interface ConnectionOptions {
  readonly network: string
  readonly key: string
  /** Sends a message; false when so much waits for the client that it is too slow. */
  readonly deliver: (message: string) => boolean
  /** Ends the connection, for a reason in words: no more is sent. */
  readonly end: (why: string) => void
  /** Asked before a subscription is kept that takes so many bytes; false refuses it. There is always room by default. */
  readonly takeRoom?: ((bytes: number) => boolean) | undefined
  /** Such a subscription has ended. */
  readonly giveRoom?: ((bytes: number) => void) | undefined
}

/** The most subscriptions of one connection. */
export const SUBSCRIPTIONS_LIMIT = 100

/** What a gateway keeps of a connection. */
export interface Client extends ConnectionOptions {
  readonly open: Map<SubscriptionId, Opened>
  /** How many subscriptions it has had: the last number that was an id. */
  numbered: number
  isOver: boolean
}

interface Opened extends Wanted {
  /** Whether its id has been sent. */
  isActive: boolean
}

/** A message of a connection, whose subscriptions begin when its reply was sent. */
export interface MessageSubscriber extends Subscriber {
  readonly begin: () => void
}

export const makeClient = (options: ConnectionOptions): Client => ({
  ...options,
  open: new Map(),
  numbered: 0,
  isOver: false,
})

/** No more events, and nothing is kept. */
export const forget = (client: Client): void => {
  client.isOver = true
  for (const { size } of client.open.values()) client.giveRoom?.(bytesOf(size))
  client.open.clear()
}

export const subscriberOf = (client: Client): MessageSubscriber => {
  const begun: Array<Opened> = []
  return {
    open: (wanted) => {
      if (client.open.size >= SUBSCRIPTIONS_LIMIT)
        return { refused: `a connection may have at most ${SUBSCRIPTIONS_LIMIT} subscriptions: end one of them` }
      if (client.isOver || client.takeRoom?.(bytesOf(wanted.size)) === false)
        return { refused: "the gateway is busy: try again in a second" }
      const opened = { ...wanted, isActive: false }
      const id = wanted.ids === "numbers" ? ++client.numbered : randomId()
      client.open.set(id, opened)
      begun.push(opened)
      return { id }
    },
    end: (id) => {
      const opened = client.open.get(id)
      if (opened !== undefined) client.giveRoom?.(bytesOf(opened.size))
      return client.open.delete(id)
    },
    begin: () => {
      for (const opened of begun) opened.isActive = true
    },
  }
}

/** What sending the events of a network needs. */
export interface Emitting {
  readonly network: Network
  readonly prices: PriceSheet.PriceSheet | undefined
  readonly balances: Balances
  readonly limits: Limits
  readonly metrics: Metrics
}

/** Sends the events that a network's growth brings to a connection, once they are paid. */
export const emit = Effect.fnUntraced(function* (
  client: Client,
  added: Added,
  { balances, limits, metrics, network, prices }: Emitting,
) {
  for (const [id, { eventsIn, isActive, kind }] of client.open) {
    if (!isActive) continue
    const price =
      prices === undefined ? eventCredits(kind, network) : PriceSheet.eventPrice(prices, { method: kind.open, network })
    for (const result of eventsIn(added)) {
      if (client.isOver || !client.open.has(id)) break
      const charge = { method: kind.notification, credits: price }
      if (price > 0) {
        const paid = yield* Effect.result(balances.admit(client.key, [charge], { daily: limits.daily }))
        if (Result.isFailure(paid)) return refuse(client, "the balance cannot be read: events cannot be paid")
        if (!paid.success.admitted)
          return refuse(client, "the credits are spent: events cannot be paid until the balance resets")
      }
      metrics.observe({ network: client.network, method: kind.notification, status: "200", credits: price, seconds: 0 })
      const params = { [kind.idMember]: id, result }
      if (!client.deliver(Json.stringify({ jsonrpc: "2.0", method: kind.notification, params })))
        return refuse(client, "too slow: events were not read")
    }
  }
})

const refuse = (client: Client, why: string): void => {
  forget(client)
  client.end(why)
}

/** A filter takes more room as values than as text. */
const bytesOf = (size: number): number => 1_024 + size * 8

const randomId = (): string =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`
