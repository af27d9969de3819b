/**
 * A request whose method opens a subscription: how long it listens, and what that costs at most. Pure: nothing is opened to find out.
 */
import {
  eventCredits,
  isStream,
  type Json,
  type Method,
  type Network,
  Price,
  rangeOn,
  PriceSheet,
  type Subscription,
  subscriptionIn,
  Table,
} from "@dotrpc/spec"
import type { Settings } from "./Settings.ts"

/** What ends a request that listens, whichever comes first. */
export interface StreamBounds {
  readonly millis: number
  readonly events: number
  /** How often its connection may be opened again within an hour. */
  readonly reopens: number
}

/** Without `# @for` an hour, without `# @limit` this many events, and without `# @retry` this many connections again. */
const defaults = { millis: 3_600_000, events: 10_000, reopens: 3 } as const

/** When a request that listens ends. */
export const streamBounds = ({ limit, listen, retry }: Settings): StreamBounds => ({
  millis: listen?.millis ?? defaults.millis,
  events: limit ?? defaults.events,
  reopens: retry ?? defaults.reopens,
})

/** What listening costs on a network. */
export interface StreamPrice {
  /** All of it. Events that the server sends until it has ended the subscription count as well, and are not in it. */
  readonly range: Price.PriceRange
  /** Each event. */
  readonly event: number
  /** Opening the connection once more, and reading what was missed. */
  readonly reopening: Price.PriceRange
}

/** @param params where they are known */
export const streamPrice = (
  method: Method,
  network: Network,
  settings: Settings,
  params: Json.Json | undefined,
): StreamPrice | undefined => {
  if (!isStream(method)) return undefined
  const found = params === undefined ? undefined : subscriptionIn(method, params)
  const prices = (found === undefined ? method.subscriptions : [found]).map((each) => priceOf(each, network, settings))
  const [first, ...others] = prices
  return first === undefined ? undefined : others.reduce(either, first)
}

/** A request, as far as it listens. */
export interface Listening {
  readonly network?: Network | undefined
  readonly settings: Settings
  readonly stream?: StreamPrice | undefined
}

/** When a request that listens ends, and what events and broken connections cost: sentences for people. `undefined` for other requests. */
export const streamWords = ({ network, settings, stream: price }: Listening): string | undefined => {
  if (price === undefined) return undefined
  const { events, millis, reopens } = streamBounds(settings)
  const unit = network?.prices?.unit
  const each = price.event === 0 ? "Events cost nothing" : `Each event costs ${Price.showCredits(price.event, unit)}`
  const again =
    reopens === 0
      ? "a broken connection ends it"
      : `a broken connection is opened again, up to ${reopens === 1 ? "once" : `${reopens} times`} an hour, for ${Price.show({ ...price.reopening, unit })} each time`
  return `Listens for ${showDuration(millis)} or ${Table.groupDigits(events)} events, whichever comes first. ${each}; ${again}.`
}

/** `500 ms`, `90 s`, `10 min`, `2 h`: in the largest unit of which it is a whole number. */
export const showDuration = (millis: number): string => {
  const [size, unit] = durations.find(([size]) => millis % size === 0) ?? ([1, "ms"] as const)
  return `${Table.groupDigits(millis / size)} ${unit}`
}

const durations = [
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const

const priceOf = (subscription: Subscription, network: Network, settings: Settings): StreamPrice => {
  const { close, open, refill } = subscription
  const { events, millis, reopens } = streamBounds(settings)
  const event = eventCredits(subscription, network)
  const opening = callPrice(open, network)
  const closing = callPrice(close, network)
  const way = (refill && rangeOn(refill.method, network))?.lookUp?.("latest")
  const head = way === undefined ? free : callPrice(way.method, network)
  const read = refill === undefined ? free : callPrice(refill.method, network)
  const begun = Price.addRanges(opening, head)
  const reopening = [opening, head, head, read].reduce(Price.addRanges)
  const times = reopens * Math.max(1, Math.ceil(millis / 3_600_000))
  const once = Price.addRanges(begun, closing)
  const all = sumOf(once, reopening, times)
  const range = {
    ...all,
    min: begun.min,
    max: all.max === undefined ? undefined : rounded(all.max + events * event, network),
  }
  const { budget } = settings
  return {
    event,
    reopening,
    // A budget ends it earlier.
    range:
      budget === undefined || budget < range.min ? range : { ...range, max: Math.min(budget, range.max ?? budget) },
  }
}

const sumOf = (once: Price.PriceRange, again: Price.PriceRange, times: number): Price.PriceRange => {
  const sum = Price.addRanges(once, again)
  return {
    ...sum,
    max: once.max === undefined || again.max === undefined ? undefined : once.max + times * again.max,
  }
}

/** Covers both: the least that either costs, and the most. */
const either = (left: StreamPrice, right: StreamPrice): StreamPrice => ({
  event: Math.max(left.event, right.event),
  reopening: (right.reopening.max ?? Infinity) > (left.reopening.max ?? Infinity) ? right.reopening : left.reopening,
  range: {
    ...left.range,
    min: Math.min(left.range.min, right.range.min),
    max:
      left.range.max === undefined || right.range.max === undefined
        ? undefined
        : Math.max(left.range.max, right.range.max),
    assumed: left.range.assumed || right.range.assumed,
  },
})

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }

const callPrice = (method: Method, network: Network): Price.PriceRange => {
  if (network.prices !== undefined)
    return { ...PriceSheet.priceOf(network.prices, { method, network, params: undefined }), unit: network.prices.unit }
  const { assumed, credits } = Price.priceOf(method, network)
  return { min: credits, max: credits, assumed }
}

/** No more decimals than the unit has: binary cannot hold every sum of fractions. */
const rounded = (amount: number, { prices }: Network): number => Number(amount.toFixed(prices?.unit.decimals ?? 0))
