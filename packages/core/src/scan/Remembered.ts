/**
 * What scans keep about one method of one endpoint, from one scan to the next: what the endpoint answers, which numbers its
 * tags had, and the profile of each query. Plain data, and never more than some kilobytes for each query.
 */
import { Json, type Method } from "@dotrpc/spec"
import { countsOf, present } from "../internal/members.ts"
import { decodeEndpoint, type Endpoint, isSame, lasting } from "./Endpoint.ts"
import { decodeProfile, encodeProfile, joined, merged, mostRows, type Profile } from "./profile.ts"

/** The facts that a scan passes on to the next one of the same endpoint. */
export interface Remembered extends Endpoint {
  /** The block that each tag named when it was looked up last. */
  readonly heads?: Readonly<Record<string, Head>> | undefined
  /** What is known of queries, newest first. */
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

/** What is known of a query, whichever blocks it is asked for. */
export interface SeenQuery extends Pick<Endpoint, "limit" | "quick" | "slow"> {
  /** See `queryKey`. */
  readonly query: string
  /** How densely its items lie; where a call read them, in stretches that fill one. */
  readonly profile: Profile
  /** Pages in which the whole profile was read, of a method that answers page by page. */
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

/** What is known of a query, where anything is. */
export const seenOf = (known: Remembered | undefined, method: Method, params: Json.Json): SeenQuery | undefined => {
  const key = queryKey(method, params)
  return known?.queries?.find(({ query }) => query === key)
}

/** Blocks were read, or a sample of them: what is new takes the place of what was known of the same blocks. */
export const withQuery = (known: Remembered, seen: SeenQuery, limit = Infinity): Remembered => {
  const { queries = [] } = known
  const before = queries.find(({ query }) => query === seen.query)
  if (seen.query.length > longestQuery || (seen.profile.length === 0 && before === undefined)) return known
  const profile = seen.pages === undefined ? joined(merged(seen.profile, before?.profile ?? []), limit) : seen.profile
  const next = { ...before, ...seen, profile: profile.slice(-mostRows) }
  if (before !== undefined && Json.stringify(encodeQuery(before)) === Json.stringify(encodeQuery(next))) return known
  return { ...known, queries: [next, ...queries.filter(({ query }) => query !== seen.query)].slice(0, mostQueries) }
}

/** Words turned out to be about the range. */
export const withWords = (known: Remembered, words: string): Remembered =>
  known.words?.includes(words) === true
    ? known
    : { ...known, words: [words, ...(known.words ?? [])].slice(0, mostWords) }

/** The numbers that a tag may have by now: certainly, likely, and in all but one case of ten either way. */
export const headNow = (
  { at, number, perSecond }: Head,
  now: number,
): { readonly [Name in "least" | "low" | "likely" | "high" | "most"]: number } => {
  const seconds = Math.max(0, now - at) / 1_000
  const grown = (blocks: number) => number + Math.ceil(Math.max(0, blocks))
  const most = grown((perSecond === undefined ? fastestChain : 1.5 * perSecond) * seconds)
  if (perSecond === undefined) return { least: number, low: number, likely: number, high: most, most }
  const blocks = perSecond * seconds
  // A chain keeps its pace to within a tenth, and blocks come by chance.
  const spread = blocks / 10 + 1.28 * Math.sqrt(blocks)
  return {
    least: number,
    low: grown(blocks - spread),
    likely: grown(blocks),
    high: Math.min(most, grown(blocks + spread)),
    most,
  }
}

/** What is kept about an endpoint, as JSON. */
export const encodeRemembered = ({ heads, queries, words, ...endpoint }: Remembered): Json.JsonObject => ({
  ...endpoint,
  ...present({
    heads: heads === undefined ? undefined : Object.fromEntries(Object.entries(heads).map(encodeHead)),
    queries: queries?.map(encodeQuery),
    words,
  }),
})

const encodeHead = ([tag, head]: readonly [string, Head]) => [tag, present({ ...head })] as const

const encodeQuery = ({ profile, ...seen }: SeenQuery): Json.JsonObject => ({
  ...present(seen),
  profile: encodeProfile(profile),
})

/** What was kept about an endpoint, from JSON. What cannot be read is left out: it costs a scan calls, never items. */
export const decodeRemembered = (value: Json.JsonObject): Remembered => {
  const { heads = {}, queries = [], words = [] } = value
  const known = {
    heads: Json.isObject(heads) ? Object.entries(heads).flatMap(decodeHead) : [],
    queries: Json.isArray(queries) ? queries.flatMap(decodeQuery) : [],
    words: Json.isArray(words) ? words.filter((word) => typeof word === "string") : [],
  }
  return {
    ...decodeEndpoint(value),
    ...(known.heads.length === 0 ? {} : { heads: Object.fromEntries(known.heads) }),
    ...(known.queries.length === 0 ? {} : { queries: known.queries }),
    ...(known.words.length === 0 ? {} : { words: known.words }),
  }
}

const decodeHead = ([tag, value]: readonly [string, Json.Json]): ReadonlyArray<readonly [string, Head]> => {
  const { at, number } = countsOf(value, ["at", "number"])
  if (at === undefined || number === undefined || !Json.isObject(value)) return []
  const { perSecond } = value
  const isRate = typeof perSecond === "number" && perSecond >= 0 && Number.isFinite(perSecond)
  return [[tag, { number, at, ...(isRate ? { perSecond } : {}) }]]
}

const decodeQuery = (value: Json.Json): ReadonlyArray<SeenQuery> => {
  if (!Json.isObject(value) || typeof value.query !== "string" || !Json.isArray(value.profile ?? null)) return []
  return [
    {
      query: value.query,
      ...countsOf(value, ["limit", "quick", "slow"], 1),
      ...countsOf(value, ["pages"]),
      profile: decodeProfile(value.profile),
    },
  ]
}

/** Two numbers that were looked up within a minute say little about how fast blocks come. */
const shortestInterval = 60_000
/** Blocks in a second that few chains exceed. */
const fastestChain = 10
const mostQueries = 50
const mostWords = 20
/** Characters; filters with hundreds of contracts are not kept. */
const longestQuery = 2_000
