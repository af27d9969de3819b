/** How many logs or events each block of a generated network holds: quiet stretches, steady ones, and short bursts. */
import type { Random } from "./random.ts"

/** A kind of stretch: how often it comes, how long it lasts, and how much is going on in its blocks. */
interface Stretch {
  readonly percent: number
  readonly shortest: number
  readonly longest: number
  readonly weight: number
}

const stretches: ReadonlyArray<Stretch> = [
  { percent: 25, shortest: 5, longest: 60, weight: 0 },
  { percent: 30, shortest: 10, longest: 60, weight: 3 },
  { percent: 30, shortest: 5, longest: 30, weight: 12 },
  { percent: 15, shortest: 1, longest: 5, weight: 100 },
]

/**
 * Splits a number of things over the blocks of a chain. The genesis block gets none, and the first block after it at
 * least one when there are any.
 *
 * @throws RangeError when there is something to hold and only the genesis block, which has no transactions.
 */
export const spreadOverBlocks = (blocks: number, things: number, random: Random): ReadonlyArray<number> => {
  if (blocks < 2) {
    if (things === 0) return [0]
    throw new RangeError("A chain of one block holds nothing: the genesis block has no transactions.")
  }
  const weights = [0, 1]
  while (weights.length < blocks) {
    const stretch = pick(random)
    const length = stretch.shortest + random.integer(stretch.longest - stretch.shortest + 1)
    for (let count = 0; count < length && weights.length < blocks; count++) {
      // A quiet stretch has single ones in it here and there.
      weights.push(stretch.weight === 0 ? (random.chance(5) ? 1 : 0) : 1 + random.integer(2 * stretch.weight))
    }
  }

  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const first = things === 0 ? 0 : Math.max(1, Math.floor(things / total))
  const counts: Array<number> = [0, first]
  // Rounding the running share, not each share, makes the counts add up.
  let weightSoFar = 1
  let given = first
  for (const weight of weights.slice(2)) {
    weightSoFar += weight
    const due = Math.max(given, Math.floor((things / total) * weightSoFar))
    counts.push(due - given)
    given = due
  }
  counts[counts.length - 1] = (counts.at(-1) ?? 0) + things - given
  return counts
}

const pick = (random: Random): Stretch => {
  let rest = random.integer(100)
  for (const stretch of stretches) {
    if (rest < stretch.percent) return stretch
    rest -= stretch.percent
  }
  throw new RangeError("The percentages of the stretches must add up to 100.")
}
