/**
 * What is known of how densely the items of a scan lie: stretches of blocks with the items found in each.
 *
 * Invariant: the stretches are in ascending order and do not overlap; where two do not touch, nothing is known between.
 */
import { type ForecastTuning, tuning } from "./tuning.ts"

/** Blocks `from` to `to`, both included, and the items in them. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly items: number
}

/** How items lie along the blocks, as the answers showed. */
export type Profile = ReadonlyArray<Stretch>

/** How many items make a stretch: the marks of an answer stand this many items apart. */
export const markDistance = (limit: number, { stretchesPerCall } = tuning): number =>
  Math.max(1, Math.ceil(limit / stretchesPerCall))

/** An answered range. `marks` are the blocks of every item that completes a stretch, in order. */
export interface Answered extends Stretch {
  readonly marks?: ReadonlyArray<number>
}

/** The profile without what lies too far before a block to be of use. */
export const forget = (profile: Profile, before: number, tuning: ForecastTuning): Profile => {
  const { callsRemembered, stretchesPerCall } = tuning
  const first = profile.findIndex((stretch) => stretch.to >= before)
  const surplus = (first === -1 ? profile.length : first) - callsRemembered * stretchesPerCall
  return surplus > stretchesPerCall ? profile.slice(surplus) : profile
}

/** The profile with an answered range in it. Without marks its items are taken to lie evenly. */
export const withAnswer = (profile: Profile, answer: Answered, distance: number): Profile => {
  const added = stretchesOf(answer, distance)
  const index = profile.findLastIndex((stretch) => stretch.to < answer.from) + 1
  return [...profile.slice(0, index), ...added, ...profile.slice(index)]
}

const stretchesOf = ({ from, items, marks = [], to }: Answered, distance: number): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  let start = from
  let waiting = 0
  let left = items
  for (const [index, mark] of marks.entries()) {
    waiting += distance
    // Several marks inside one block are one stretch; a mark at the end would leave an empty one behind it.
    if (mark === marks[index + 1] || mark < start || mark >= to || waiting > left) continue
    found.push({ from: start, to: mark, items: waiting })
    left -= waiting
    waiting = 0
    start = mark + 1
  }
  return [...found, { from: start, to, items: left }]
}
