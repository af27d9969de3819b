/**
 * What scans keep about one method of one endpoint, from one scan to the next: what the endpoint answers, which numbers its
 * tags had, and how densely the items of each query lay. Plain data, and never larger than a few kilobytes.
 */
import { Json, type Method } from "@dotrpc/spec"
import { type Endpoint, isSame, lasting } from "./Endpoint.ts"

/** The facts that a scan passes on to the next one of the same endpoint. */
export interface Remembered extends Endpoint {
  /** The block that each tag named when it was looked up last. */
  readonly heads?: Readonly<Record<string, Head>> | undefined
  /** How densely the items of queries lay, newest first. */
  readonly queries?: ReadonlyArray<SeenQuery> | undefined
  /** Words in which it refuses ranges that are too long, newest first: see `Wordings.ts`. */
  readonly words?: ReadonlyArray<string> | undefined
}

/** The block of a tag at a time. */
export interface Head {
  readonly number: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Blocks in a second, once it was looked up twice. */
  readonly perSecond?: number | undefined
}

/** Blocks `from` to `to`, both included, that a query was answered for. */
export interface SeenQuery {
  /** See `queryKey`. */
  readonly query: string
  readonly from: number
  readonly to: number
  readonly items: number
  /** Whether it was refused: then it has so many items or more. */
  readonly refused?: boolean | undefined
  /** Pages that were read, of a method that answers page by page. */
  readonly pages?: number | undefined
}

/** Names a query apart from its range: contract, topics and what else its params have. */
export const queryKey = (method: Method, params: Json.Json): string =>
  Json.stringify(method.range?.narrow(params, 0, 0) ?? params)

export const withEndpoint = (known: Remembered, endpoint: Endpoint): Remembered =>
  isSame(known, endpoint) ? known : { ...known, ...lasting(endpoint) }

/** A tag was looked up. */
export const withHead = (known: Remembered, tag: string, number: number, at: number): Remembered => {
  const before = known.heads?.[tag]
  if (before !== undefined && at - before.at < shortestInterval) return known
  const grown = before === undefined ? undefined : ((number - before.number) * 1_000) / (at - before.at)
  const head: Head = { number, at, perSecond: grown === undefined || grown < 0 ? before?.perSecond : grown }
  return { ...known, heads: { ...known.heads, [tag]: head } }
}

/** Blocks were read. Of two readings of a query the one of more blocks says more. */
export const withQuery = (known: Remembered, seen: SeenQuery): Remembered => {
  const { queries = [] } = known
  const before = queries.find(({ query }) => query === seen.query)
  if (seen.query.length > longestQuery || (before !== undefined && isEqual(before, seen))) return known
  const isWider = before !== undefined && before.refused !== true && before.to - before.from > seen.to - seen.from
  if (isWider) return known
  return { ...known, queries: [seen, ...queries.filter(({ query }) => query !== seen.query)].slice(0, mostQueries) }
}

/** Words turned out to be about the range. */
export const withWords = (known: Remembered, words: string): Remembered =>
  known.words?.includes(words) === true
    ? known
    : { ...known, words: [words, ...(known.words ?? [])].slice(0, mostWords) }

const isEqual = (left: SeenQuery, right: SeenQuery): boolean =>
  left.from === right.from &&
  left.to === right.to &&
  left.items === right.items &&
  left.refused === right.refused &&
  left.pages === right.pages

/** The numbers that a tag may have by now: at least, most likely, at most. */
export const headNow = (
  { at, number, perSecond }: Head,
  now: number,
): { readonly low: number; readonly likely: number; readonly high: number } => {
  const seconds = Math.max(0, now - at) / 1_000
  const grown = (rate: number) => number + Math.ceil(rate * seconds)
  return perSecond === undefined
    ? { low: number, likely: number, high: grown(fastestChain) }
    : { low: number, likely: grown(perSecond), high: grown(perSecond * 1.5) }
}

/** Two numbers that were looked up within a minute say little about how fast blocks come. */
const shortestInterval = 60_000
/** Blocks in a second that few chains exceed. */
const fastestChain = 10
const mostQueries = 50
const mostWords = 20
/** Characters; filters with hundreds of contracts are not kept. */
const longestQuery = 2_000
