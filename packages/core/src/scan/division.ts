/**
 * One block that holds too many items for a call is asked for in parts: some of the alternatives that its query lists at
 * a time, packed by how many items each of them had lately. Pure: anyone who drives it sends the parts.
 *
 * Invariant: the parts that were answered and those still waiting are disjoint and cover all alternatives; the same part
 * is never given again.
 */
import type { BlockRange, Division, Json } from "@dotrpc/spec"

export interface Parts {
  /** Alternatives that were not answered, most frequent first. */
  readonly waiting: ReadonlyArray<number>
  /** How much of all items each alternative is expected to have; they add up to 1. */
  readonly shares: ReadonlyArray<number>
  /** All items of the block, going by the newest part. */
  readonly expected: number
  readonly limit: number
}

/** Alternatives with the items each of them had in answers so far. */
export const partsOf = (seen: ReadonlyArray<number>, limit: number): Parts => {
  const total = seen.reduce((sum, items) => sum + items + 1, 0)
  const shares = seen.map((items) => (items + 1) / total)
  return {
    waiting: shares.map((_, index) => index).toSorted((left, right) => (shares[right] ?? 0) - (shares[left] ?? 0)),
    shares,
    // It is known to hold more than the limit, and nothing else.
    expected: 2.5 * limit,
    limit,
  }
}

/** The alternatives to ask for next; `undefined` when all were answered. */
export const nextPart = ({ expected, limit, shares, waiting }: Parts): ReadonlyArray<number> | undefined => {
  if (waiting.length === 0) return undefined
  const room = (fill * limit) / expected
  const part: Array<number> = []
  let taken = 0
  for (const index of waiting) {
    const share = shares[index] ?? 0
    if (part.length > 0 && taken + share > room) continue
    part.push(index)
    taken += share
  }
  return part
}

/** How full an answer is meant to be. */
const fill = 0.9

/** A part was answered, or was divided further and is done with. */
export const partAnswered = (parts: Parts, part: ReadonlyArray<number>, items: number): Parts => ({
  ...parts,
  waiting: parts.waiting.filter((index) => !part.includes(index)),
  // Those that come next may be more like this part than like the ones before it; a part may also be empty by chance.
  expected: Math.max(items / shareOf(parts, part), parts.expected / 4),
})

/** A part of several alternatives was too large. */
export const partRefused = (parts: Parts, part: ReadonlyArray<number>): Parts => ({
  ...parts,
  expected: Math.max(parts.expected, parts.limit / shareOf(parts, part)) * 1.6,
})

const shareOf = ({ shares }: Parts, part: ReadonlyArray<number>): number =>
  part.reduce((sum, index) => sum + (shares[index] ?? 0), 0)

/** Items for each alternative, for every level on which a block of the query can be divided. */
export type Counts = ReadonlyArray<ReadonlyArray<number>>

/** Counts the items of an answer. A query that lists nothing has no levels. */
export const countsIn = (range: BlockRange, params: Json.Json, items: ReadonlyArray<Json.Json>): Counts =>
  levelsOf(range, params).map((division) => {
    const seen = nothingSeen(division)
    for (const item of items) {
      const index = division.indexOf(item)
      if (index !== undefined) seen[index] = (seen[index] ?? 0) + 1
    }
    return seen
  })

/** Of a division on this level. */
export const countsFor = (division: Division, counts: Counts, level: number): ReadonlyArray<number> => {
  const seen = counts[level]
  return seen?.length === division.alternatives ? seen : nothingSeen(division)
}

/** The levels below are taken to be those of the first alternative: a filter lists the same for each of them. */
const levelsOf = (range: BlockRange, params: Json.Json): ReadonlyArray<Division> => {
  const division = range.divide?.(params)
  return division === undefined ? [] : [division, ...levelsOf(range, division.pick([0]))]
}

const nothingSeen = ({ alternatives }: Division): Array<number> => Array.from({ length: alternatives }, () => 0)
