/**
 * Where a scan stands, as a small JSON value: what a scan that was stopped is resumed from. Everything before it was
 * emitted, nothing behind it was.
 */
import { Json, type ReachedBlock } from "@dotrpc/spec"
import type { Endpoint } from "./Endpoint.ts"
import type { Stretch } from "./profile.ts"

export interface Checkpoint {
  readonly method: string
  readonly network: string
  /** The query without its range, as text: only the same query is resumed. */
  readonly query: string
  /** The first block of the whole scan. */
  readonly from: number
  /** The last block, pinned when the scan began. */
  readonly to: number
  /** The hash of the last block when it was pinned, where it may still change. */
  readonly toHash?: string
  /** The first block that was not emitted, or whose pages follow `page`. */
  readonly next: number
  /** Items emitted so far. */
  readonly items: number
  /** A range that is read page by page: the params of its next page. The scan goes on at `next` after it. */
  readonly page?: Page
  /** What was learned about the endpoint. */
  readonly endpoint?: Endpoint
  /** How densely the items before `next` lie. */
  readonly seen?: ReadonlyArray<Stretch>
}

export interface Page {
  readonly params: Json.Json
  /** Items from this block on belong to the next range. */
  readonly before?: number
  /** What of the pages before was emitted last, to begin there when the page is no longer known. */
  readonly reached?: ReachedBlock
  /** Items of the page that were emitted already. */
  readonly skip?: number
}

/** A checkpoint as JSON. */
export const encode = (checkpoint: Checkpoint): Json.Json => {
  const { endpoint, page, seen, ...rest } = checkpoint
  return {
    version: 1,
    ...rest,
    ...(page === undefined ? {} : { page: pageJson(page) }),
    ...(endpoint === undefined ? {} : { endpoint: { ...endpoint } }),
    ...(seen === undefined ? {} : { seen: seen.map(({ from, items, to }) => [from, to, items]) }),
  }
}

/** Reads a checkpoint, or says in words why it is none. */
export const decode = (value: Json.Json): Checkpoint | { readonly problem: string } => {
  if (!Json.isObject(value)) return { problem: "a checkpoint is a JSON object" }
  if (value.version !== 1)
    return { problem: `version ${Json.stringify(value.version ?? null)} of a checkpoint is not known` }
  const { endpoint, from, items, method, network, next, page, query, seen, to, toHash } = value
  if (typeof method !== "string" || typeof network !== "string" || typeof query !== "string")
    return { problem: '"method", "network" and "query" must be texts' }
  if (!isBlock(from) || !isBlock(to) || !isBlock(next) || !isBlock(items))
    return { problem: '"from", "to", "next" and "items" must be whole numbers, zero or more' }
  if (from > next || next > to + 1) return { problem: `"next" must lie between ${from} and ${to + 1}; it is ${next}` }
  return {
    method,
    network,
    query,
    from,
    to,
    next,
    items,
    ...(typeof toHash === "string" ? { toHash } : {}),
    ...(Json.isObject(page) && page.params !== undefined ? { page: pageFrom(page, page.params) } : {}),
    ...(Json.isObject(endpoint) ? { endpoint: endpointOf(endpoint) } : {}),
    ...(Json.isArray(seen) ? { seen: seen.flatMap(stretchOf) } : {}),
  }
}

const pageJson = ({ reached, ...page }: Page): Json.Json => ({
  ...page,
  ...(reached === undefined ? {} : { reached: { ...reached } }),
})

const pageFrom = ({ before, reached, skip }: Json.JsonObject, params: Json.Json): Page => ({
  params,
  ...(isBlock(before) ? { before } : {}),
  ...(isBlock(skip) ? { skip } : {}),
  ...(Json.isObject(reached) && isBlock(reached.number) && isBlock(reached.items)
    ? {
        reached: {
          number: reached.number,
          items: reached.items,
          ...(typeof reached.hash === "string" ? { hash: reached.hash } : {}),
        },
      }
    : {}),
})

const stretchOf = (value: Json.Json): ReadonlyArray<Stretch> => {
  const [from, to, items] = Json.isArray(value) ? value : []
  return isBlock(from) && isBlock(to) && isBlock(items) && from <= to ? [{ from, to, items }] : []
}

/** What was learned about an endpoint, from JSON; members that are no such numbers are left out. */
export const endpointOf = (value: Json.JsonObject): Endpoint => {
  const share = (member: Json.Json | undefined, otherwise: number) =>
    typeof member === "number" && member >= 0 && member <= 1 ? member : otherwise
  const count = (name: "limit" | "quick" | "slow" | "span") => {
    const member = value[name]
    return isBlock(member) && member > 0 ? { [name]: member } : {}
  }
  return {
    hints: share(value.hints, 0),
    trust: share(value.trust, 1),
    ...count("limit"),
    ...count("quick"),
    ...count("slow"),
    ...count("span"),
  }
}

const isBlock = (value: Json.Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
