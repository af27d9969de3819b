/** What a scan is likely to cost, before it is run: from what earlier scans have learned, and from one call at most. */
import {
  forgiving,
  type Json,
  type Method,
  type Network,
  type Price,
  PriceSheet,
  rangeOn,
  RpcClient,
  type RpcError,
  type RpcRequest,
} from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeAllowance, withAllowance } from "../Allowance.ts"
import { RetryTimes } from "../CallSettings.ts"
import type * as FinalResults from "../FinalResults.ts"
import { scriptParams } from "../internal/scriptParams.ts"
import { askOnce, type Scanned } from "./ask.ts"
import { spanRefused, unknownEndpoint } from "./Endpoint.ts"
import {
  type Asked,
  costOf,
  type Forecast,
  forecastFrom,
  type LikelyCost,
  type PriceOfCall,
  type ToAsk,
  usualCost,
  withoutRange,
} from "./forecast.ts"
import { readKept } from "./kept.ts"
import type { Band, Blocks } from "./likely.ts"
import { learn, type Memory, memoryKey, memoryOfProcess } from "./Memory.ts"
import type { ScanOptions } from "./options.ts"
import { queryKey, type Remembered, withEndpoint, withHead, withQuery } from "./Remembered.ts"

/** What a scan would cost, before it starts. */
export interface ScanEstimate {
  /**
   * The blocks that would be scanned, tags as they are likely to be now; `undefined` for a query that covers no range, and
   * where the number of a tag is not known.
   */
  readonly range: { readonly from: number; readonly to: number } | undefined
  /**
   * Calls in one case of ten fewer than `low`, in one of ten more than `high`; `undefined` when nothing bounds them. The look-ups
   * of blocks are among them.
   */
  readonly calls: Band
  /** The same in credits; `min` is certain: the scan costs so much, however its items lie. */
  readonly credits: Price.PriceRange
  /** The band by other prices, such as those of another provider: of one call of each method that the scan calls. */
  readonly costBy: (priceOf: (method: Method) => PriceOfCall) => Band
  /** What is assumed, in a sentence. */
  readonly assumption: string
  /** The call that `probe` sent or, without it, would send; `undefined` where no call would improve the estimate. */
  readonly probe: Probe | undefined
  /** What was sent to find this out. `credits` are those that a `CreditBudget` around the transport charged for it. */
  readonly sent: { readonly calls: number; readonly credits: number }
}

/** A single call that makes an estimate better, and its price. */
export interface Probe {
  readonly method: string
  readonly params: Json.Json
  readonly credits: number
  /** Whether the price is not documented. */
  readonly assumed: boolean
}

/** What an estimate may cost, and which scan it is about. */
export interface EstimateOptions extends Pick<ScanOptions, "ahead" | "checkpoint" | "kept" | "reorgDepth"> {
  /** Whether to send the one call that improves the estimate most; false by default, and then nothing is sent. */
  readonly probe?: boolean | undefined
  /** What earlier scans have learned; what the call tells is added to it. */
  readonly memory?: Memory | undefined
  /** Gets the call before it is sent. A failure keeps it from being sent. */
  readonly announce?: ((probe: Probe) => Effect.Effect<void, RpcError>) | undefined
}

/**
 * What a scan is likely to cost, from what earlier scans learned: nothing is sent. With `probe` the one call is sent that improves
 * the estimate most: it looks up a tag whose block is not known or, where all are known, reads a part of the range whose density is
 * not known.
 *
 * @example
 * ```ts
 * const { credits } = yield* RangeScan.estimate(Evm.GetLogs, [{ fromBlock: "0x0", toBlock: "0xffff" }], { memory })
 * ```
 */
export const estimate = (
  method: Method,
  given: Json.Json,
  options: EstimateOptions = {},
): Effect.Effect<ScanEstimate, RpcError, RpcClient> =>
  Effect.suspend(() => {
    const meter = makeAllowance({ name: "the estimate" })
    return estimateOf(method, given, options).pipe(
      withAllowance(meter),
      Effect.map((found) => ({ ...found, sent: { calls: meter.calls, credits: meter.spent } })),
    )
  })

/**
 * The bands of {@link estimate}, at once: from what is remembered, which an editor or a plan of many requests has at hand; `undefined`
 * where that does not say.
 *
 * @param now milliseconds since 1970
 */
export const likelyCost = (
  method: Method,
  network: Network,
  params: Json.Json,
  known: Remembered,
  now: number,
): LikelyCost | undefined => {
  const asked = askedOf(method, network, params, now)
  return asked === undefined ? undefined : likelyFrom(asked, known)
}

/** As {@link likelyCost}, of a scan that reads nothing that `store` keeps; `undefined` where nothing of it is kept. */
export const keptCost = Effect.fnUntraced(function* (
  store: FinalResults.Memory,
  { method, network, params }: Pick<RpcRequest, "method" | "network" | "params">,
  known: Remembered,
  now: number,
): Effect.fn.Return<LikelyCost | undefined> {
  const asked = askedOf(method, network, params, now)
  const kept = asked === undefined ? undefined : yield* readKept(asked.scanned, store)
  return asked === undefined || kept?.anchor === undefined ? undefined : likelyFrom({ ...asked, kept }, known)
})

const askedOf = (method: Method, network: Network, params: Json.Json, now: number): Asked | undefined => {
  const range = rangeOn(method, network)
  const bounds = range?.of(params)
  return range === undefined || bounds === undefined
    ? undefined
    : { scanned: { method, network, range, params }, bounds, now, resumed: {} }
}

const likelyFrom = (asked: Asked, known: Remembered): LikelyCost | undefined => {
  const { method, network } = asked.scanned
  const forecast = forecastFrom(asked, known)
  return forecast.reads.likely === undefined ? undefined : usualCost(method, network, forecast)
}

const estimateOf = Effect.fnUntraced(function* (
  method: Method,
  given: Json.Json,
  { announce, kept: store, memory: learned = memoryOfProcess(), probe = false, ...resumed }: EstimateOptions,
): Effect.fn.Return<Omit<ScanEstimate, "sent">, RpcError, RpcClient> {
  const memory = forgiving(learned)
  const client = yield* RpcClient
  const network = yield* client.networkOf(method)
  const range = rangeOn(method, network)
  // The client says what is wrong with those that are not JSON.
  const params = Result.getOrElse(scriptParams(given), () => given)
  const bounds = range?.of(params)
  if (range === undefined || bounds === undefined) {
    yield* client.prepare(method, params)
    return estimateBy(method, network, withoutRange(method), undefined)
  }
  yield* client.prepare(method, range.span === undefined ? params : range.narrow(params, 0, 0))
  const scanned: Scanned = { method, network, range, params }
  const key = memoryKey(method, network)
  const known = Effect.map(memory.read(key), (found = unknownEndpoint) => found)
  const now = yield* Clock.currentTimeMillis
  const kept = store === undefined ? undefined : yield* readKept(scanned, store)
  const asked: Asked = { scanned, bounds, now, resumed, kept }
  const forecast = forecastFrom(asked, yield* known)
  const found = forecast.toAsk === undefined ? undefined : probeOf(scanned, forecast.toAsk)
  if (!probe || found === undefined) return estimateBy(method, network, forecast, found?.call)
  yield* announce?.(found.call) ?? Effect.void
  const change = yield* found.send(now)
  yield* learn(memory, key, change)
  return estimateBy(method, network, forecastFrom(asked, change(yield* known)), found.call)
})

const estimateBy = (
  method: Method,
  network: Network,
  forecast: Forecast,
  probe: Probe | undefined,
): Omit<ScanEstimate, "sent"> => {
  const { assumption, blocks, lookUps } = forecast
  const { calls, credits, least } = usualCost(method, network, forecast)
  const isAssumed = (called: Method) => PriceSheet.usualPrice(called, network).assumed
  const looksUp = lookUps.times.high > 0 && lookUps.method !== undefined
  return {
    range: blocks,
    calls,
    credits: {
      min: least,
      max: credits.high,
      assumed: isAssumed(method) || (looksUp && isAssumed(lookUps.method)),
    },
    costBy: (priceOf) => costOf(method, priceOf, forecast),
    assumption,
    probe,
  }
}

/** A call that can be announced, and what its answer adds to the memory. */
interface Probing {
  readonly call: Probe
  readonly send: (now: number) => Effect.Effect<(known: Remembered) => Remembered, RpcError, RpcClient>
}

const probeOf = (scanned: Scanned, toAsk: ToAsk): Probing | undefined =>
  "tag" in toAsk ? tagProbe(scanned, toAsk.tag) : densityProbe(scanned, toAsk)

const tagProbe = (scanned: Scanned, tag: string): Probing | undefined => {
  const way = scanned.range.lookUp?.(tag)
  if (way === undefined) return undefined
  return {
    call: callOf(scanned, way.method, way.params),
    send: Effect.fnUntraced(function* (now) {
      const result = yield* Effect.provideService(RpcClient.call(way.method, way.params), RetryTimes, 0)
      // The client has checked it against the method's schema.
      const place = way.read(result as Json.Json)
      return (known) => (place === undefined ? known : withHead(known, tag, place.number, now))
    }),
  }
}

const densityProbe = (scanned: Scanned, { from, to }: Blocks): Probing => {
  const { method, params, range } = scanned
  return {
    call: callOf(scanned, method, range.narrow(params, from, to)),
    send: Effect.fnUntraced(function* () {
      const reply = yield* askOnce(scanned, { from, to })
      const query = queryKey(method, params)
      switch (reply._tag) {
        case "Answered":
          return (known) => withQuery(known, { query, profile: [{ from, to, items: reply.items.length }] })
        case "Failed":
          return yield* reply.error
        case "TooLarge": {
          const { cause, hint } = reply
          if (cause === "span") return (known) => withEndpoint(known, spanRefused(known, to - from + 1, hint?.span))
          if (cause !== "results") return (known) => known
          const limit = range.limit ?? 1
          const isHinted = hint?.to !== undefined && hint.to >= from && hint.to < to
          // Without a hint it has more than a call answers, and nobody knows how many.
          const row = isHinted ? { from, to: hint.to, items: limit } : { from, to, items: 2 * limit }
          return (known) => withQuery(known, { query, profile: [row] })
        }
      }
    }),
  }
}

const callOf = ({ network }: Scanned, method: Method, params: Json.Json): Probe => ({
  method: method.name,
  params,
  ...PriceSheet.usualPrice(method, network),
})
