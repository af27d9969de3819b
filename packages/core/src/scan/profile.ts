/**
 * What is known of how densely the items of a query lie: stretches of blocks with the items found in each, short ones where the scan
 * reads, and behind it long ones that each fill a call. A plan, a scan and the memory of scans share it.
 *
 * Invariant: the stretches are in ascending order and do not overlap; where two do not touch, nothing is known between.
 */
import { Json } from "@dotrpc/spec"
import { isCount } from "../internal/members.ts"
import { stretchesPerCall, stretchesTried } from "./numbers.ts"

/** Blocks `from` to `to`, both included, and the items in them. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly items: number
}

/** How items lie along the blocks, as the answers showed. */
export type Profile = ReadonlyArray<Stretch>

/** How many items make a stretch of an answer. */
export const stretchItems = (limit: number): number => Math.max(1, Math.ceil(limit / stretchesPerCall))

/** An answered range, and where its items lie in it: without that they are taken to lie evenly. */
export interface Answered extends Stretch {
  readonly stretches?: Profile | undefined
}

/** An answer as stretches of whole blocks, each with about so many items, by the blocks of its items in order. */
export const stretchesOf = (
  { from, to }: Pick<Stretch, "from" | "to">,
  blocks: ReadonlyArray<number>,
  size: number,
): Profile => {
  const found: Array<Stretch> = []
  let [start, first] = [from, 0]
  while (blocks.length - first > size) {
    const block = blocks[first + size - 1] ?? to
    if (block >= to) break
    let next = first + size
    while (blocks[next] === block) next++
    found.push({ from: start, to: block, items: next - first })
    start = block + 1
    first = next
  }
  return [...found, { from: start, to, items: blocks.length - first }]
}

/** Where a block lies, or would: the number of stretches that end before it. */
export const countBefore = (profile: Profile, block: number): number => {
  let [low, high] = [0, profile.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((profile[middle]?.to ?? Infinity) < block) low = middle + 1
    else high = middle
  }
  return low
}

/** The profile with an answered range in it. */
export const withAnswer = (profile: Profile, { from, items, stretches, to }: Answered): Profile => {
  const index = countBefore(profile, from)
  return [...profile.slice(0, index), ...(stretches ?? [{ from, to, items }]), ...profile.slice(index)]
}

/** The profile in which what lies far before a block is joined to stretches that fill a call. */
export const joinedBefore = (profile: Profile, block: number, limit: number): Profile => {
  const last = countBefore(profile, block) - stretchesTried
  return last <= 0 ? profile : [...joined(profile.slice(0, last), limit), ...profile.slice(last)]
}

/** Stretches that touch, joined as long as a call answers their items; of very many, pairs are joined. */
export const joined = (profile: Profile, limit: number): Profile => {
  const rows: Array<Stretch> = []
  for (const next of profile) {
    const last = rows.at(-1)
    if (last !== undefined && last.to + 1 === next.from && last.items + next.items <= limit)
      rows[rows.length - 1] = { from: last.from, to: next.to, items: last.items + next.items }
    else rows.push(next)
  }
  return rows.length > mostRows && rows.length < profile.length ? joined(rows, 2 * limit) : rows
}

/** Rows of a profile that are kept, which is tens of kilobytes at most. */
export const mostRows = 2_048

/** What both profiles know; where they overlap, the first one counts. */
export const merged = (profile: Profile, other: Profile): Profile =>
  [...profile, ...other.flatMap((stretch) => outside(profile, stretch))].toSorted(
    (left, right) => left.from - right.from,
  )

/** The parts of a stretch that a profile does not cover, each with its share of the items. */
const outside = (profile: Profile, { from, items, to }: Stretch): Profile => {
  const found: Array<Stretch> = []
  let start = from
  const add = (end: number) => {
    if (end >= start)
      found.push({ from: start, to: end, items: Math.round((items * (end - start + 1)) / (to - from + 1)) })
  }
  for (let index = countBefore(profile, from); (profile[index]?.from ?? Infinity) <= to; index++) {
    add((profile[index]?.from ?? 0) - 1)
    start = (profile[index]?.to ?? 0) + 1
  }
  add(to)
  return found
}

/** As JSON: rows of numbers instead of objects, because there are many. */
export const encodeProfile = (profile: Profile): ReadonlyArray<Json.Json> =>
  profile.map(({ from, items, to }) => [from, to, items])

/** From JSON, without rows that are not in order. */
export const decodeProfile = (rows: Json.Json | undefined): Profile => {
  let next = 0
  return (Json.isArray(rows ?? null) ? (rows as ReadonlyArray<Json.Json>) : []).flatMap((row) => {
    const [from, to, items] = Json.isArray(row) ? row : []
    if (!isCount(from) || !isCount(to) || !isCount(items) || from < next || from > to) return []
    next = to + 1
    return [{ from, to, items }]
  })
}
