/** What a scan is likely to cost, before it is run: from what earlier scans have learned, and from one call at most. */
import {
  type BlockRef,
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
  type ScanCalls,
  scanCalls,
  type ScanStanding,
} from "@dotrpc/spec"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeAllowance, withAllowance } from "../Allowance.ts"
import { RetryTimes } from "../CallSettings.ts"
import type * as FinalResults from "../FinalResults.ts"
import { scriptParams } from "../internal/scriptParams.ts"
import { askOnce, type Scanned } from "./ask.ts"
import { type Band, costOf, type LookUps, noLookUps, type PriceOfCall } from "./costs.ts"
import { spanRefused, unknownEndpoint } from "./Endpoint.ts"
import { learn, type Memory, memoryKey, memoryOfProcess } from "./Memory.ts"
import { defaultReorgDepth, type ScanOptions } from "./options.ts"
import {
  type Head,
  headNow,
  queryKey,
  type Remembered,
  seenOf,
  type SeenQuery,
  withEndpoint,
  withHead,
  withQuery,
} from "./Remembered.ts"
import { type Kept, keptBlocks, keptLookUps, keptWords, readKept, unkept } from "./kept.ts"
import { callsOver } from "./likely.ts"
import type { Profile } from "./profile.ts"
import { readsOfRest, restOf, unplaced } from "./rest.ts"

export type { Band, PriceOfCall } from "./costs.ts"

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

/** The band for a method that answers page by page, by the pages of an earlier scan. */
const pagesFor = (
  { from, to }: Blocks,
  { pages, profile }: SeenQuery | { pages?: undefined; profile: Profile },
): Band => {
  const [row] = profile
  const blocks = to - from + 1
  if (pages === undefined || row === undefined || blocks <= 0) return { low: 1, likely: undefined, high: undefined }
  const seen = row.to - row.from + 1
  const shared = Math.max(0, Math.min(to, row.to) - Math.max(from, row.from) + 1)
  const spread = Math.exp(1.28 * Math.sqrt(Math.max(0, 1 - shared / Math.max(blocks, seen))))
  const calls = (factor: number) => Math.max(1, Math.ceil((pages / seen) * blocks * factor))
  return { low: calls(1 / spread), likely: calls(1), high: calls(spread) }
}

interface Blocks {
  readonly from: number
  readonly to: number
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

/** What a scan is likely to take; all three are the same of a range that was read before. */
export interface LikelyCost {
  readonly calls: Band
  /** In the unit of the network's prices. */
  readonly credits: Band
  /** The credits that the scan costs however its items lie. */
  readonly least: number
}

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
  const { certain, lookUps, reads } = forecastFrom(asked, known)
  if (reads.likely === undefined) return undefined
  const cost = (band: Band, times: LookUps["times"]) => costOf(method, usualOn(network), band, { ...lookUps, times })
  const least = cost({ low: certain.reads, likely: undefined, high: undefined }, certain.lookUps).low
  const calls = costOf(method, () => oneCall, reads, lookUps)
  return { calls, credits: cost(reads, lookUps.times), least }
}

const estimateOf = (
  method: Method,
  given: Json.Json,
  { announce, kept: store, memory: learned = memoryOfProcess(), probe = false, ...resumed }: EstimateOptions,
): Effect.Effect<Omit<ScanEstimate, "sent">, RpcError, RpcClient> =>
  Effect.gen(function* () {
    const memory = forgiving(learned)
    const client = yield* RpcClient
    const network = yield* client.networkOf(method)
    const range = rangeOn(method, network)
    // The client says what is wrong with those that are not JSON.
    const params = Result.getOrElse(scriptParams(given), () => given)
    const bounds = range?.of(params)
    const price = PriceSheet.usualPrice(method, network)
    const usual = (called: Method) => PriceSheet.usualPrice(called, network)
    const ofUsual = usualOn(network)
    const priced = (reads: Band, lookUps: LookUps, certain: ScanCalls) => {
      const costBy: ScanEstimate["costBy"] = (priceOf) => costOf(method, priceOf, reads, lookUps)
      const least = { low: certain.reads, likely: certain.reads, high: certain.reads }
      const fewest = { ...lookUps, times: certain.lookUps }
      return {
        calls: costBy(() => oneCall),
        credits: {
          min: costOf(method, ofUsual, least, fewest).low,
          max: costBy(ofUsual).high,
          assumed:
            price.assumed || (lookUps.times.high > 0 && lookUps.method !== undefined && usual(lookUps.method).assumed),
        },
        costBy,
      }
    }
    if (range === undefined || bounds === undefined) {
      yield* client.prepare(method, params)
      const many = method.pages !== undefined
      const count = many ? undefined : 1
      return {
        range: undefined,
        ...priced({ low: 1, likely: count, high: count }, noLookUps, { reads: 1, lookUps: noLookUps.times }),
        assumption: many ? "all pages are read; their number is not known" : "one call",
        probe: undefined,
      }
    }
    yield* client.prepare(method, range.span === undefined ? params : range.narrow(params, 0, 0))
    const scanned: Scanned = { method, network, range, params }
    const key = memoryKey(method, network)
    const now = yield* Clock.currentTimeMillis
    const kept = store === undefined ? undefined : yield* readKept(scanned, store)
    const asked: Asked = { scanned, bounds, now, resumed, kept }
    const before = forecastFrom(asked, (yield* memory.read(key)) ?? unknownEndpoint)
    const found = before.toAsk === undefined ? undefined : probeOf(scanned, before.toAsk)
    let forecast = before
    if (probe && found !== undefined) {
      yield* announce?.(found.call) ?? Effect.void
      const change = yield* found.send(now)
      yield* learn(memory, key, change)
      forecast = forecastFrom(asked, change((yield* memory.read(key)) ?? unknownEndpoint))
    }
    const { assumption, blocks, certain, lookUps, reads } = forecast
    return { range: blocks, ...priced(reads, lookUps, certain), assumption, probe: found?.call }
  })

/** By this price, a cost is a number of calls. */
const oneCall: PriceOfCall = { min: 1, max: 1 }

const usualOn =
  (network: Network) =>
  (called: Method): PriceOfCall => {
    const { credits } = PriceSheet.usualPrice(called, network)
    return { min: credits, max: credits }
  }

interface Asked {
  readonly scanned: Scanned
  readonly bounds: { readonly from: BlockRef; readonly to: BlockRef }
  readonly now: number
  readonly resumed: Resuming
  /** What earlier scans have kept, where this one keeps what it reads. */
  readonly kept?: Kept | undefined
}

type Resuming = Pick<EstimateOptions, "ahead" | "checkpoint" | "reorgDepth">

interface Forecast {
  readonly blocks: { readonly from: number; readonly to: number } | undefined
  readonly reads: Band
  readonly lookUps: LookUps
  readonly certain: ScanCalls
  readonly assumption: string
  /** What would make it better: the number of a tag, or the density of these blocks. */
  readonly toAsk: ToAsk | undefined
}

type ToAsk = { readonly tag: string } | { readonly from: number; readonly to: number }

/** What can be said from what is remembered alone. */
const forecastFrom = ({ bounds, kept, now, resumed, scanned }: Asked, known: Remembered): Forecast => {
  const { method, params, range } = scanned
  const { ahead = [], checkpoint, reorgDepth = defaultReorgDepth } = resumed
  const rested = checkpoint?.unplaced === true ? undefined : checkpoint
  const pieces = kept?.pieces ?? []
  const tags = [bounds.to, bounds.from].filter((end) => typeof end === "string")
  const seen = seenOf(known, method, params)
  const readsOf = (first: number, last: number): Band => {
    const over = { from: first, to: last }
    if (method.pages !== undefined) return pagesFor(over, seen ?? { profile: [] })
    const { limit, profile = [], quick, slow } = seen ?? {}
    const span = Math.min(range.span ?? Infinity, known.span ?? Infinity)
    const what = {
      profile,
      endpoint: { ...known, span, ...(slow === undefined ? {} : { slow }), ...(quick === undefined ? {} : { quick }) },
      limit: range.limit === undefined ? undefined : Math.min(range.limit, limit ?? Infinity),
    }
    return callsOver(over, what, unkept(pieces, first, last))
  }
  const leftOf = (first: number, last: number) =>
    unkept(pieces, first, last).reduce((sum, gap) => sum + gap.to - gap.from + 1, 0)
  const looking = (standing: ScanStanding): Pick<Forecast, "certain" | "lookUps"> => {
    // Pages are followed without looking up where they end.
    if (method.pages !== undefined)
      return { lookUps: noLookUps, certain: { reads: standing.left?.low === 0 ? 0 : 1, lookUps: noLookUps.times } }
    const calls = scanCalls(range, bounds, { reorgDepth, ...standing })
    const { high, low } = calls.lookUps
    const keeping = kept === undefined ? noLookUps.times : keptLookUps(scanned, bounds, kept, rested?.to)
    // Where there is no block to read, nothing is looked up for what was kept.
    const fewest =
      rested === undefined ? (standing.blocks?.low ?? (tags.length === 0 ? 1 : 0)) : rested.to - rested.next + 1
    const certain = {
      ...calls,
      lookUps: { low: low + (fewest > 0 ? keeping.low : 0), high: high + keeping.high },
    }
    return { lookUps: { times: certain.lookUps, method: range.lookUp?.(bounds.to)?.method }, certain }
  }
  if (rested !== undefined) {
    const { next, to } = rested
    const own = pieces.map((piece) => ({
      ...piece,
      from: Math.max(next, piece.from),
      to: Math.min(to, piece.to),
    }))
    const rest = restOf(method, rested, [...ahead, ...own.filter((piece) => piece.from <= piece.to)])
    const reads = readsOfRest(rest, readsOf(next, to))
    return {
      blocks: next > to ? undefined : { from: next, to },
      reads,
      ...looking(rest),
      assumption: densityAssumed(method, seen, reads),
      toAsk: undefined,
    }
  }
  const begun = checkpoint === undefined ? {} : unplaced(checkpoint)
  const unknownTag = tags.find((tag) => known.heads?.[tag] === undefined)
  if (unknownTag !== undefined) {
    const found = looking(begun)
    return {
      blocks: undefined,
      reads: { low: found.certain.reads, likely: undefined, high: undefined },
      ...found,
      assumption: `the block of "${unknownTag}" is not known: no scan has looked it up yet`,
      toAsk: { tag: unknownTag },
    }
  }
  const numbersOf = (end: BlockRef) =>
    typeof end === "number" ? { low: end, likely: end, high: end } : headNow(headOf(known, end), now)
  const first = numbersOf(bounds.from)
  const from = first.low
  const ends = bounds.from === bounds.to ? { low: from, likely: from, high: from } : numbersOf(bounds.to)
  const to = ends.likely
  const reads = {
    low: readsOf(from, ends.low).low,
    likely: readsOf(from, to).likely,
    high: readsOf(from, ends.high).high,
  }
  const blocks =
    bounds.from === bounds.to
      ? { low: 1, high: 1 }
      : { low: ends.low - first.high + 1, high: ends.high - first.low + 1 }
  const left = { low: leftOf(first.high, ends.low), high: leftOf(first.low, ends.high) }
  const saved = keptBlocks(pieces, from, to)
  const heads = tags.map((tag) => {
    const { low } = numbersOf(tag)
    return `"${tag}" was block ${low} on ${new Date(headOf(known, tag).at).toISOString().slice(0, 10)}`
  })
  const isLimited = range.limit !== undefined && method.pages === undefined
  const stale = tags.find((tag) => now - headOf(known, tag).at > headAge)
  return {
    blocks: { from, to },
    reads,
    ...looking({ blocks, left: kept === undefined ? undefined : left, ...begun }),
    assumption: [...heads, ...(saved === 0 ? [] : [keptWords(saved)]), densityAssumed(method, seen, reads)].join("; "),
    toAsk:
      (isLimited ? endOf({ from, to: ends.low }, seen?.profile ?? []) : undefined) ??
      (stale === undefined ? undefined : { tag: stale }),
  }
}

/** Milliseconds after which a tag is worth looking up again. */
const headAge = 3_600_000

const headOf = ({ heads = {} }: Remembered, tag: string): Head => heads[tag] ?? { number: 0, at: 0 }

/** A look at the first blocks of the range or, once those are known, at the last ones: `undefined` where both are. */
const endOf = ({ from, to }: Blocks, profile: Profile): ToAsk | undefined => {
  const all = to - from + 1
  const blocks = Math.max(1, Math.min(all, Math.max(Math.floor(all / 1_024), 16)))
  const ends = [from, to - blocks + 1].map((start) => ({ from: start, to: start + blocks - 1 }))
  return all < 1 ? undefined : ends.find((end) => !profile.some((row) => row.from <= end.to && row.to >= end.from))
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

const densityProbe = (scanned: Scanned, { from, to }: { readonly from: number; readonly to: number }): Probing => {
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

const densityAssumed = (method: Method, seen: SeenQuery | undefined, { high, low }: Band): string => {
  if (method.pages !== undefined)
    return seen?.pages === undefined
      ? "all pages are read; their number is not known"
      : `the range is assumed to be as dense as blocks ${seen.profile[0]?.from} to ${seen.profile[0]?.to}, which took ${seen.pages} pages`
  if (method.range?.limit === undefined) return "every call succeeds and covers as many blocks as allowed"
  if (high === 0) return "nothing is left to read"
  if (seen === undefined || seen.profile.length === 0) return "the density of the items is not known"
  if (low === high) return "all of it was read before"
  const read = seen.profile.reduce((sum, row) => sum + row.to - row.from + 1, 0)
  const items = seen.profile.reduce((sum, row) => sum + row.items, 0)
  return `what was not read yet is assumed to be as dense as the blocks next to it; ${read} blocks were, with ${items} items; one scan in ten takes fewer calls than shown, and one in ten more`
}
