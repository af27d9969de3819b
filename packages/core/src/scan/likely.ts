/** How many calls a range is likely to take: exactly as many as a scan will make where its profile is known, and by the density next to it elsewhere. */
import { answeredIn, type Endpoint, longestSpan, spanToTry } from "./Endpoint.ts"
import { countBefore, type Profile, type Stretch } from "./profile.ts"
import { fitting } from "./stepper.ts"

/** In one case of ten less than `low`, in one of ten more than `high`. */
export interface Band {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

export const nothing: Band = { low: 0, likely: 0, high: 0 }

/** What is known of a query on an endpoint. */
export interface Seen {
  readonly profile: Profile
  readonly endpoint: Endpoint
  /** The most items of a call; where nothing limits them, calls end by their span. */
  readonly limit: number | undefined
}

/** Blocks, both ends included. */
export interface Blocks {
  readonly from: number
  readonly to: number
}

/**
 * How many calls these blocks take, both ends included; `unread` are those of them that are to be read, all by default.
 *
 * @example
 * ```ts
 * const { likely } = RangeScan.callsOver({ from: 0, to: 999 }, {
 *   endpoint: RangeScan.unknownEndpoint,
 *   limit: 10_000,
 *   profile: [{ from: 0, to: 99, items: 500 }],
 * })
 * ```
 */
export const callsOver = (range: Blocks, seen: Seen, unread: ReadonlyArray<Blocks> = [range]): Band => {
  const parts = unread.filter(({ from, to }) => from <= to)
  if (parts.length === 0) return nothing
  const band = callsIn(range, seen, parts)
  // What took too long is tried again, and answered in about half of the cases.
  const low = Math.min(band.low, ...(seen.endpoint.slow === undefined ? [] : [callsIfAnswered(parts, seen.endpoint)]))
  const likely = band.likely === undefined || low === band.low ? band.likely : Math.round((low + band.likely) / 2)
  return { ...band, low, likely }
}

/** As a scan tries them where all of them are answered. */
const callsIfAnswered = (parts: ReadonlyArray<Blocks>, known: Endpoint): number => {
  let endpoint: Endpoint = { ...known, doubted: true }
  let calls = 0
  for (const { from, to } of parts)
    for (let left = to - from + 1; left > 0;) {
      const span = Math.min(left, spanToTry(endpoint, left))
      const isLongest = endpoint.quick !== undefined && span <= longestSpan(endpoint)
      calls += isLongest ? Math.ceil(left / span) : 1
      left = isLongest ? 0 : left - span
      endpoint = answeredIn(endpoint, span)
    }
  return calls
}

const callsIn = (range: Blocks, { endpoint, limit, profile }: Seen, parts: ReadonlyArray<Blocks>): Band => {
  const cap = longestSpan(endpoint)
  const floor = parts.reduce((sum, { from, to }) => sum + Math.max(1, Math.ceil((to - from + 1) / cap)), 0)
  if (limit === undefined) return { low: floor, likely: floor, high: floor }
  if (profile.length === 0) return { low: floor, likely: undefined, high: undefined }
  const { blocks, calls, known } = parts
    .map((part) => countOver(part, { cap, limit, profile }))
    .reduce((left, right) => ({
      blocks: left.blocks + right.blocks,
      calls: left.calls + right.calls,
      known: left.known + right.known,
    }))
  if (blocks === 0) return { low: known, likely: known, high: known }
  // The more of the range was read, the less can be otherwise; that it ends in fewer items is the likeliest of that.
  const share = Math.sqrt(blocks / (range.to - range.from + 1))
  const likely = calls + known < 1 ? calls : calls * refusals * hidden ** share
  return {
    low: Math.max(floor, Math.floor(known + likely / fewer ** Math.sqrt(share) - share)),
    likely: Math.max(floor, Math.round(known + likely)),
    high: Math.max(floor, Math.ceil(known + likely * more ** share + firstRefusals * share)),
  }
}

interface Counted {
  /** Calls over blocks whose density is known. */
  readonly known: number
  /** The other blocks, and the calls over them if these are as full as can be. */
  readonly blocks: number
  readonly calls: number
}

const countOver = (
  { from, to }: Blocks,
  { cap, limit, profile }: { readonly cap: number; readonly limit: number; readonly profile: Profile },
): Counted => {
  let [known, blocks, calls] = [0, 0, 0]
  for (let at = from; at <= to;) {
    const { end, isExact, items } = fitting(profile, at, limit)
    const last = Math.min(end, to, at + cap - 1)
    if (last >= at) {
      // Where what is known ends, the same call goes on.
      known += isExact || last === to || last < end ? 1 : Math.max(items / limit, (last - at + 1) / cap)
      at = last + 1
      continue
    }
    const next = profile[countBefore(profile, at)]
    const isJoined = next !== undefined && next.from <= at
    const stop = Math.min(to, isJoined ? next.to : (next?.from ?? Infinity) - 1)
    const near = isJoined ? [next] : [profile[countBefore(profile, at) - 1], next].filter((row) => row !== undefined)
    blocks += stop - at + 1
    calls += guess(stop - at + 1, near, limit, cap)
    at = stop + 1
  }
  return { known, blocks, calls }
}

/** Calls as full as can be. Between two densities it is taken to go from one to the other by equal factors. */
const guess = (blocks: number, near: ReadonlyArray<Stretch>, limit: number, cap: number): number => {
  const logs = near.map(({ from, items, to }) => Math.log((items + 0.5) / (to - from + 1)))
  const [first = 0, last = first] = logs
  // The mean of what grows from one to the other by equal factors.
  const density = Math.abs(first - last) < 0.01 ? Math.exp(first) : (Math.exp(first) - Math.exp(last)) / (first - last)
  return Math.max((blocks * density) / limit, blocks / cap)
}

/** What refusals, and answers that are not full, add to calls as full as can be. */
const refusals = 1.3

/** By how much more than its ends say a range holds: the median, and one case in ten either way, over the chains of `tooling/scan-worlds`. */
const [hidden, fewer, more] = [1.5, 2.1, 13]

/** Calls that are refused at most before a scan has found the density that it starts with. */
const firstRefusals = 3
