/**
 * Reading a method page by page, as a state that anyone who calls carries along: which page comes next, where to begin
 * again when the server has forgotten the token it gave, and when to stop because pages repeat.
 *
 * Invariant: every item is given once, in order, however often the pages begin again, and no page is asked for twice unless
 * they do.
 */
import { type Json, stringify } from "./Json.ts"
import { findingDifferences } from "./JsonDifferences.ts"
import type { Method } from "./Method.ts"
import type { Reason } from "./RpcReason.ts"
import { atOnce } from "./Steps.ts"

/** Before a page is read. */
export interface PagePlace {
  readonly params: Json
  /** Items that come first and were given before. */
  readonly skip?: number
  /** The last block that items were given of; absent before the first. */
  readonly reached?: ReachedBlock
  /** True when the first page was one in the middle: what came before it is not known, so it cannot begin again. */
  readonly midway?: boolean
  /** True until new items have come since the pages began again: a token that is lost at once is lost for good. */
  readonly resumed?: boolean
  /** What was read on the way here; absent where the pages begin, or begin again. */
  readonly way?: PagesBefore
}

/** The pages that were asked for and named, which only {@link afterPage} reads and writes. */
export interface PagesBefore {
  /** How many pages came before this one. */
  readonly step: number
  /** By a digest of its params, as there may be a million: the place of a page in the order, and a digest of the items of the page that named it. */
  readonly named: Map<string, { readonly step: number; readonly by: string | undefined }>
}

/** The last block that pages have reached. */
export interface ReachedBlock {
  readonly number: number
  readonly hash?: string
  /** How many of its items were given. */
  readonly items: number
}

/** What a page added, and what follows it. */
export interface PageStep {
  /** Those of the page that were not given before. */
  readonly items: ReadonlyArray<Json>
  /** Absent after the last page. */
  readonly next?: PagePlace
  /** Why the reading cannot go on although the page names another one. */
  readonly stopped?: PageStop
  /** What was unexpected about the end of the pages. */
  readonly note?: string
}

/** Why pages end before the last one, in words for a person. */
export interface PageStop {
  readonly cause: "repeated" | "reorganized"
  readonly said: string
}

/** Before the first page, which params with a token of the caller's make one in the middle. */
export const firstPlace = (method: Method, params: Json): PagePlace =>
  method.range?.of(params) === undefined ? { params, midway: true } : { params }

/** What a page gives, and the place after it. */
export const afterPage = (method: Method, place: PagePlace, result: Json): PageStep => {
  const all = method.range?.items(result) ?? [result]
  const { midway, resumed, skip = 0 } = place
  const items = all.slice(skip)
  if (skip > 0 && !beginsWith(method, place.reached, all[0])) return { items: [], stopped: stops.reorganized }
  const params = method.pages?.next(place.params, result)
  if (params === undefined) return { items }
  if (hasEmptyToken(place.params, params)) return { items, note: emptyToken }
  const page = digestOf(stringify(params))
  const { named, step } = place.way ?? {
    step: 0,
    named: new Map([[digestOf(stringify(place.params)), { step: 0, by: undefined }]]),
  }
  const by = digestOfItems(all)
  const before = named.get(page)
  // A page that names what it named before, with the same items, is that page once more.
  if (before !== undefined && before.step <= step)
    return { items: before.by === by ? [] : items, stopped: stops.repeated }
  named.set(page, { step: step + 1, by })
  const reached = reachedBy(method, place.reached, items)
  const next: PagePlace = {
    params,
    way: { step: step + 1, named },
    ...(skip > all.length ? { skip: skip - all.length } : {}),
    ...(reached === undefined ? {} : { reached }),
    ...(midway === true ? { midway } : {}),
    ...(resumed === true && items.length === 0 ? { resumed } : {}),
  }
  return { items, next }
}

/** Where to begin again after an error; `undefined` when it is not about the token, or beginning again does not help. */
export const afterError = (method: Method, place: PagePlace, reason: Reason): PagePlace | undefined => {
  const { midway, reached, resumed } = place
  if (midway === true || resumed === true || reached?.number === unknownBlock) return undefined
  const params = method.pages?.restart?.(reason, place.params, reached?.number)
  if (params === undefined) return undefined
  return { params, resumed: true, ...(reached === undefined ? {} : { reached, skip: reached.items }) }
}

const stops = {
  repeated: {
    cause: "repeated",
    said: "the server named a page again that was read before: reading stopped there, and more pages may exist",
  },
  reorganized: {
    cause: "reorganized",
    said: "the server lost the token, and the blocks that were read are no longer part of the chain",
  },
} as const satisfies Readonly<Record<PageStop["cause"], PageStop>>

const emptyToken = "the server sent an empty token for the next page, which is taken for the end"

/** Whether nothing but empty text distinguishes the next page. */
const hasEmptyToken = (asked: Json, next: Json): boolean => {
  const changed = atOnce(findingDifferences(asked, next))
  return changed.length > 0 && changed.every(({ right }) => right === "" || right === null)
}

/** Of how many there are, the first and the last one. What has no range is one item, and that the whole page. */
const digestOfItems = (items: ReadonlyArray<Json>): string => {
  const [first = null] = items
  return digestOf(stringify(items.length > 1 ? [items.length, first, items.at(-1) ?? null] : [first]))
}

/** Of an item that is pending: nothing can be asked from there on. */
const unknownBlock = -1

const reachedBy = (
  method: Method,
  before: ReachedBlock | undefined,
  items: ReadonlyArray<Json>,
): ReachedBlock | undefined => {
  const last = items.at(-1)
  if (last === undefined) return before
  const place = method.range?.blockOf(last)
  if (place === undefined) return { number: unknownBlock, items: 0 }
  const { hash, number } = place
  const inBlock = items.filter((item) => method.range?.blockOf(item)?.number === number).length
  return {
    number,
    ...(hash === undefined ? {} : { hash }),
    items: inBlock + (before?.number === number ? before.items : 0),
  }
}

/** Whether the first item of a page is of the block that it was asked from: another hash is another chain. */
const beginsWith = (method: Method, reached: ReachedBlock | undefined, first: Json | undefined): boolean => {
  if (first === undefined || reached === undefined) return true
  const place = method.range?.blockOf(first)
  return place?.number === reached.number && (reached.hash === undefined || place.hash === reached.hash)
}

/**
 * A digest of a text, which is kept instead of it: 64 bits, so that of a million texts hardly two have the same one. It is
 * easy to make two texts with the same one on purpose.
 */
const digestOf = (text: string): string => {
  let [high, low] = [0xdead_beef, 0x41c6_ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x9e37_79b1)
    low = Math.imul(low ^ code, 0x5f35_6495)
  }
  const [mixedHigh, mixedLow] = [mixed(high, low), mixed(low, high)]
  return String.fromCharCode(mixedHigh >>> 16, mixedHigh & 0xffff, mixedLow >>> 16, mixedLow & 0xffff)
}

const mixed = (own: number, other: number): number =>
  Math.imul(own ^ (own >>> 16), 0x85eb_ca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2_ae35)
