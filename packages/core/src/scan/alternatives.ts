/** How often each alternative of a query occurred lately, which decides how a block is best divided. */
import type { BlockRange, Division, Json } from "@dotrpc/spec"

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
