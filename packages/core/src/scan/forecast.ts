/** What can be said of a scan before it runs from what is remembered alone: its blocks, the calls that read them, and those that look blocks up. */
import {
  type BlockRef,
  type CountBounds,
  type Method,
  type Network,
  type Price,
  PriceSheet,
  type ScanCalls,
  scanCalls,
  type ScanStanding,
} from "@dotrpc/spec"
import { present } from "../internal/members.ts"
import type { Scanned } from "./ask.ts"
import { type Kept, keptBlocks, keptLookUps, keptWords, unkept } from "./kept.ts"
import { type Band, type Blocks, callsOver, nothing } from "./likely.ts"
import { defaultReorgDepth, type ScanOptions } from "./options.ts"
import type { Piece } from "./Piece.ts"
import type { Profile } from "./profile.ts"
import { type Head, headNow, type Remembered, seenOf, type SeenQuery } from "./Remembered.ts"

/** A scan of which something is to be said. */
export interface Asked {
  readonly scanned: Scanned
  readonly bounds: { readonly from: BlockRef; readonly to: BlockRef }
  /** Milliseconds since 1970. */
  readonly now: number
  readonly resumed: Pick<ScanOptions, "ahead" | "checkpoint" | "reorgDepth">
  /** What earlier scans have kept, where this one keeps what it reads. */
  readonly kept?: Kept | undefined
}

export interface Forecast {
  readonly blocks: Blocks | undefined
  readonly reads: Band
  readonly lookUps: LookUps
  /** What it costs however its items lie. */
  readonly certain: ScanCalls
  readonly assumption: string
  /** What would make it better: the number of a tag, or the density of these blocks. */
  readonly toAsk: ToAsk | undefined
}

export type ToAsk = { readonly tag: string } | Blocks

/** How often blocks are looked up, and by which method. */
export interface LookUps {
  readonly times: CountBounds
  readonly method: Method | undefined
}

const noLookUps: LookUps = { times: { low: 0, high: 0 }, method: undefined }

/** Of a query that covers no range of blocks. */
export const withoutRange = ({ pages }: Method): Forecast => {
  const isMany = pages !== undefined
  const count = isMany ? undefined : 1
  return {
    blocks: undefined,
    reads: { low: 1, likely: count, high: count },
    lookUps: noLookUps,
    certain: { reads: 1, lookUps: noLookUps.times },
    assumption: isMany ? "all pages are read; their number is not known" : "one call",
    toAsk: undefined,
  }
}

export const forecastFrom = (asked: Asked, known: Remembered): Forecast => {
  const { bounds, kept, now, resumed, scanned } = asked
  const { method, params, range } = scanned
  const { checkpoint } = resumed
  if (checkpoint !== undefined && checkpoint.unplaced !== true) return ofRest(asked, known, checkpoint)
  // A scan that was stopped between the look-ups of its ends knows its last block.
  const begun: ScanStanding = checkpoint === undefined ? {} : { tags: 1, blocks: { low: 0, high: checkpoint.to + 1 } }
  const tags = [bounds.to, bounds.from].filter((end) => typeof end === "string")
  const unknownTag = tags.find((tag) => known.heads?.[tag] === undefined)
  if (unknownTag !== undefined) {
    const found = lookingUp(asked, begun)
    return {
      blocks: undefined,
      reads: { low: found.certain.reads, likely: undefined, high: undefined },
      ...found,
      assumption: `the block of "${unknownTag}" is not known: no scan has looked it up yet`,
      toAsk: { tag: unknownTag },
    }
  }
  const first = numbersOf(known, bounds.from, now)
  const from = first.least
  const isOne = bounds.from === bounds.to
  const ends = isOne ? exactly(from) : numbersOf(known, bounds.to, now)
  const to = ends.likely
  const reads = {
    low: readsOver(asked, known, { from, to: ends.low }).low,
    likely: readsOver(asked, known, { from, to }).likely,
    high: readsOver(asked, known, { from, to: ends.high }).high,
  }
  const blocks = isOne ? { low: 1, high: 1 } : { low: ends.least - first.most + 1, high: ends.most - first.least + 1 }
  const pieces = kept?.pieces ?? []
  const left = { low: unread(pieces, first.most, ends.least), high: unread(pieces, first.least, ends.most) }
  const saved = keptBlocks(pieces, from, to)
  const heads = tags.map(
    (tag) =>
      `"${tag}" was block ${headOf(known, tag).number} on ${new Date(headOf(known, tag).at).toISOString().slice(0, 10)}`,
  )
  const seen = seenOf(known, method, params)
  const isLimited = range.limit !== undefined && method.pages === undefined
  const stale = tags.find((tag) => now - headOf(known, tag).at > headAge)
  return {
    blocks: { from, to },
    reads,
    ...lookingUp(asked, { blocks, left: kept === undefined ? undefined : left, ...begun }),
    assumption: [...heads, ...(saved === 0 ? [] : [keptWords(saved)]), densityAssumed(method, seen, reads)].join("; "),
    toAsk:
      (isLimited ? endOf({ from, to: ends.least }, seen?.profile ?? []) : undefined) ??
      (stale === undefined ? undefined : { tag: stale }),
  }
}

/** Of what a scan that was stopped has left. */
const ofRest = (asked: Asked, known: Remembered, checkpoint: NonNullable<ScanOptions["checkpoint"]>): Forecast => {
  const { kept, resumed, scanned } = asked
  const { method, params } = scanned
  const { next, to } = checkpoint
  const own = (kept?.pieces ?? []).flatMap((piece) => {
    const part = { ...piece, from: Math.max(next, piece.from), to: Math.min(to, piece.to) }
    return part.from <= part.to ? [part] : []
  })
  const rest = restOf(method, checkpoint, [...(resumed.ahead ?? []), ...own])
  const { high, likely, low } = readsOver(asked, known, { from: next, to })
  // What lies between the parts that were read takes calls of its own.
  const reads =
    rest.left.high <= 0
      ? nothing
      : { low: Math.min(low, rest.left.low), likely, high: high === undefined ? undefined : high + rest.pieces }
  return {
    blocks: next > to ? undefined : { from: next, to },
    reads,
    ...lookingUp(asked, rest),
    assumption: densityAssumed(method, seenOf(known, method, params), reads),
    toAsk: undefined,
  }
}

/** What is left, as far as the checkpoint says, and how many parts of it were read. */
const restOf = (
  method: Method,
  { anchor, from, next, page, refusedParts = [], to }: NonNullable<ScanOptions["checkpoint"]>,
  ahead: ReadonlyArray<Piece>,
): ScanStanding & { readonly left: CountBounds; readonly pieces: number } => {
  const blocks = { low: to - from + 1, high: to - from + 1 }
  const known = { tags: 0, blocks, isAnchored: anchor !== undefined || next !== from }
  if (method.pages !== undefined) {
    const left = Math.max(to - next + 1, page === undefined ? 0 : 1)
    return { ...known, left: { low: left, high: left }, pieces: 0 }
  }
  const read = ahead.filter((piece) => piece.from >= next && piece.to <= to)
  const whole = read.filter(({ part }) => part === undefined)
  const left = to - next + 1 - whole.reduce((sum, piece) => sum + piece.to - piece.from + 1, 0)
  // All parts of a block may have been read that was refused as a whole.
  const isDivided = read.length > whole.length || refusedParts.length > 0
  return { ...known, left: { low: isDivided ? 0 : left, high: left }, pieces: read.length + refusedParts.length }
}

/** The calls that read these blocks without those that were kept. */
const readsOver = ({ kept, scanned }: Asked, known: Remembered, over: Blocks): Band => {
  const { method, params, range } = scanned
  const seen = seenOf(known, method, params)
  if (method.pages !== undefined) return pagesOver(over, seen)
  const { limit, profile = [], quick, slow } = seen ?? {}
  const span = Math.min(range.span ?? Infinity, known.span ?? Infinity)
  const what = {
    profile,
    endpoint: { ...known, span, ...present({ quick, slow }) },
    limit: range.limit === undefined ? undefined : Math.min(range.limit, limit ?? Infinity),
  }
  return callsOver(over, what, unkept(kept?.pieces ?? [], over.from, over.to))
}

const unread = (pieces: ReadonlyArray<Piece>, from: number, to: number): number =>
  unkept(pieces, from, to).reduce((sum, gap) => sum + gap.to - gap.from + 1, 0)

const lookingUp = (
  { bounds, kept, resumed, scanned }: Asked,
  standing: ScanStanding,
): Pick<Forecast, "certain" | "lookUps"> => {
  const { checkpoint, reorgDepth = defaultReorgDepth } = resumed
  const { method, range } = scanned
  // Pages are followed without looking up where they end.
  if (method.pages !== undefined)
    return { lookUps: noLookUps, certain: { reads: standing.left?.low === 0 ? 0 : 1, lookUps: noLookUps.times } }
  const { lookUps, reads } = scanCalls(range, bounds, { reorgDepth, ...standing })
  const rested = checkpoint?.unplaced === true ? undefined : checkpoint
  const keeping = kept === undefined ? noLookUps.times : keptLookUps(scanned, bounds, kept, rested?.to)
  // Where there is no block to read, nothing is looked up for what was kept.
  const isCertain =
    rested === undefined
      ? (standing.blocks?.low ?? (typeof bounds.from === "string" || typeof bounds.to === "string" ? 0 : 1)) > 0
      : rested.to >= rested.next
  const times = { low: lookUps.low + (isCertain ? keeping.low : 0), high: lookUps.high + keeping.high }
  return { lookUps: { times, method: range.lookUp?.(bounds.to)?.method }, certain: { reads, lookUps: times } }
}

/** The band for a method that answers page by page, by the pages of an earlier scan. */
const pagesOver = ({ from, to }: Blocks, seen: SeenQuery | undefined): Band => {
  const { pages, profile: [row] = [] } = seen ?? {}
  const blocks = to - from + 1
  if (pages === undefined || row === undefined || blocks <= 0) return { low: 1, likely: undefined, high: undefined }
  const read = row.to - row.from + 1
  const shared = Math.max(0, Math.min(to, row.to) - Math.max(from, row.from) + 1)
  const spread = Math.exp(1.28 * Math.sqrt(Math.max(0, 1 - shared / Math.max(blocks, read))))
  const calls = (factor: number) => Math.max(1, Math.ceil((pages / read) * blocks * factor))
  return { low: calls(1 / spread), likely: calls(1), high: calls(spread) }
}

const numbersOf = (known: Remembered, end: BlockRef, now: number) =>
  typeof end === "number" ? exactly(end) : headNow(headOf(known, end), now)

const exactly = (block: number) => ({ least: block, low: block, likely: block, high: block, most: block })

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

/** What one call costs at least, and at most where that is known. */
export type PriceOfCall = Pick<Price.PriceRange, "max" | "min">

/** What the calls of a forecast cost by any prices. */
export const costOf = (
  method: Method,
  priceOf: (method: Method) => PriceOfCall,
  { lookUps, reads }: Pick<Forecast, "lookUps" | "reads">,
): Band => {
  const read = priceOf(method)
  const { times } = lookUps
  const look = lookUps.method === undefined ? { min: 0, max: 0 } : priceOf(lookUps.method)
  return {
    low: reads.low * read.min + times.low * look.min,
    likely: sum(product(reads.likely, read.min), times.low * look.min),
    high: sum(product(reads.high, read.max), product(times.high, look.max)),
  }
}

/** `undefined` where nothing bounds a part of it. */
const sum = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left + right

const product = (count: number | undefined, each: number | undefined): number | undefined => {
  if (count === 0 || each === 0) return 0
  return count === undefined || each === undefined ? undefined : count * each
}

/** What a scan is likely to take; all three are the same of a range that was read before. */
export interface LikelyCost {
  readonly calls: Band
  /** In the unit of the network's prices. */
  readonly credits: Band
  /** The credits that the scan costs however its items lie. */
  readonly least: number
}

/** By the prices of the network. */
export const usualCost = (method: Method, network: Network, forecast: Forecast): LikelyCost => {
  const usual = (called: Method): PriceOfCall => {
    const { credits } = PriceSheet.usualPrice(called, network)
    return { min: credits, max: credits }
  }
  const { certain, lookUps } = forecast
  const fewest = { reads: { ...nothing, low: certain.reads }, lookUps: { ...lookUps, times: certain.lookUps } }
  return {
    calls: costOf(method, () => oneCall, forecast),
    credits: costOf(method, usual, forecast),
    least: costOf(method, usual, fewest).low,
  }
}

/** By this price, a cost is a number of calls. */
const oneCall: PriceOfCall = { min: 1, max: 1 }
