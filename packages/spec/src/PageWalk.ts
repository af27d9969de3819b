/**
 * Reading a method page by page, as a state that anyone who calls carries along: which page comes next, and where to begin
 * again when the server has forgotten the token it gave.
 *
 * Invariant: every item is given once, in order, however often the pages begin again.
 */
import { type Json, stringify } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { Reason } from "./RpcReason.ts"

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
  /** Why the reading cannot go on although there is a next page. */
  readonly stopped?: "stalled" | "reorganized"
}

/** Before the first page, which params with a token of the caller's make one in the middle. */
export const firstPlace = (method: Method, params: Json): PagePlace =>
  method.range?.of(params) === undefined ? { params, midway: true } : { params }

/** What a page gives, and the place after it. */
export const afterPage = (method: Method, place: PagePlace, result: Json): PageStep => {
  const all = method.range?.items(result) ?? [result]
  const { midway, resumed, skip = 0 } = place
  const items = all.slice(skip)
  if (skip > 0 && !beginsWith(method, place.reached, all[0])) return { items: [], stopped: "reorganized" }
  const params = method.pages?.next(place.params, result)
  if (params === undefined) return { items }
  const reached = reachedBy(method, place.reached, items)
  const next: PagePlace = {
    params,
    ...(skip > all.length ? { skip: skip - all.length } : {}),
    ...(reached === undefined ? {} : { reached }),
    ...(midway === true ? { midway } : {}),
    ...(resumed === true && items.length === 0 ? { resumed } : {}),
  }
  // An empty page that names itself would be charged forever.
  const isStalled = all.length === 0 && stringify(params) === stringify(place.params)
  return isStalled ? { items, stopped: "stalled" } : { items, next }
}

/** Where to begin again after an error; `undefined` when it is not about the token, or beginning again does not help. */
export const afterError = (method: Method, place: PagePlace, reason: Reason): PagePlace | undefined => {
  const { midway, reached, resumed } = place
  if (midway === true || resumed === true || reached?.number === unknownBlock) return undefined
  const params = method.pages?.restart?.(reason, place.params, reached?.number)
  if (params === undefined) return undefined
  return { params, resumed: true, ...(reached === undefined ? {} : { reached, skip: reached.items }) }
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
