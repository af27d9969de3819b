/**
 * How many blocks the next call may cover: several simple forecasts of the density ahead are tried against what was
 * already scanned, and the one that would have done best there is used, with the errors it would have made.
 */
import type { Profile } from "./profile.ts"
import type { ForecastTuning } from "./tuning.ts"

export interface Forecast {
  /** Blocks that are expected to hold as many items as one call answers. */
  readonly capacity: number
  /** Errors of the same forecast so far: the logarithm of the true capacity over the expected one, newest last. */
  readonly errors: ReadonlyArray<number>
}

/** Forecasts that could be compared with what came: for the next call, and for one some calls later. */
export interface Trials {
  readonly near: ReadonlyArray<Trial>
  readonly far: ReadonlyArray<Trial>
}

export const noTrials: Trials = { near: [], far: [] }

/** How accurate each way to forecast was, at one block. */
export interface Trial {
  /** The block that the forecasts were made for. */
  readonly at: number
  /** An error per forecaster. */
  readonly errors: ReadonlyArray<number>
}

/** The forecast at a block, from everything known to the left of it; `undefined` while no item was found there. */
export const forecastAt = (
  profile: Profile,
  trials: ReadonlyArray<Trial>,
  block: number,
  limit: number,
  tuning: ForecastTuning,
): Forecast | undefined => {
  const end = profile.findLastIndex((stretch) => stretch.to < block) + 1
  const guesses = guessesAt(profile, end, limit, tuning)
  if (guesses === undefined) return undefined
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let forecaster = 0; forecaster < guesses.length; forecaster++) {
    const loss = lossOf(trials, forecaster, tuning)
    if (loss < least) [best, least] = [forecaster, loss]
  }
  return {
    capacity: limit / Math.exp(guesses[best] ?? 0),
    errors: trials.map((trial) => trial.errors[best] ?? 0),
  }
}

/** The trials that an answered range makes possible: those whose outcome lies inside what is known now. */
export const moreTrials = (trials: Trials, profile: Profile, limit: number, tuning: ForecastTuning): Trials => ({
  near: tried(trials.near, profile, limit, 0, tuning),
  far: tried(trials.far, profile, limit, tuning.farCalls, tuning),
})

const tried = (
  trials: ReadonlyArray<Trial>,
  profile: Profile,
  limit: number,
  calls: number,
  tuning: ForecastTuning,
): ReadonlyArray<Trial> => {
  const last = trials.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  const added: Array<Trial> = []
  const first = profile.findIndex((stretch) => stretch.from > last)
  for (let index = first; index >= 0 && index < profile.length; index++) {
    const stretch = profile[index]
    const previous = added.at(-1)?.at ?? last
    if (stretch === undefined || itemsBetween(profile, previous, index) < limit / tuning.trialsPerCall) continue
    const distance = calls === 0 ? 0 : blocksHolding(profile, index, calls * limit)
    const both = distance === undefined ? undefined : blocksHolding(profile, index, (calls + 1) * limit)
    if (distance === undefined || both === undefined) break
    const capacity = Math.max(1, both - distance)
    const guesses = guessesAt(profile, index, limit, tuning)
    if (guesses === undefined) continue
    added.push({
      at: stretch.from,
      errors: guesses.map((guess) => rounded(clamp(Math.log(capacity) - (Math.log(limit) - guess), tuning.errorBound))),
    })
  }
  return added.length === 0 ? trials : [...trials, ...added].slice(-tuning.trialsKept)
}

/** Short, because a checkpoint holds it. */
const rounded = (error: number): number => Math.round(error * 10_000) / 10_000

const lossOf = (
  trials: ReadonlyArray<Trial>,
  forecaster: number,
  { lossBound, trialFading }: ForecastTuning,
): number => {
  let sum = 0
  let weight = 1
  for (let index = trials.length - 1; index >= 0; index--) {
    sum += weight * Math.min(lossBound, Math.abs(trials[index]?.errors[forecaster] ?? 0))
    weight *= 1 - trialFading
  }
  return sum
}

/** Logarithms of items per block, one for each forecaster, from the stretches before `end`. */
const guessesAt = (
  profile: Profile,
  end: number,
  limit: number,
  tuning: ForecastTuning,
): ReadonlyArray<number> | undefined => {
  const windows = tuning.looks.map((share) => windowBefore(profile, end, share * limit))
  const [nearest] = windows
  if (nearest === undefined || nearest.items === 0) return undefined
  const levels = windows.map(({ blocks, items }) => Math.log(items / blocks))
  const [near = 0, , middle = near, far = near] = levels
  return [
    ...levels,
    recurring(profile, end, windows[1], far, tuning),
    (near + far) / 2,
    trend(profile, end, windows[1], middle, tuning),
    trend(profile, end, windows[2], middle, tuning),
  ]
}

interface Window {
  readonly items: number
  readonly blocks: number
  readonly start: number
  readonly middle: number
}

const windowBefore = (profile: Profile, end: number, wanted: number): Window => {
  let items = 0
  let blocks = 0
  let index = end
  while (index > 0 && items < wanted) {
    index--
    const stretch = profile[index]
    if (stretch === undefined) break
    items += stretch.items
    blocks += stretch.to - stretch.from + 1
  }
  const first = profile[index]?.from ?? 0
  const last = profile[end - 1]?.to ?? 0
  return { items, blocks: Math.max(1, blocks), start: index, middle: (first + last) / 2 }
}

/** The change from the window before the given one goes on for as long as the next call lasts. */
const trend = (
  profile: Profile,
  end: number,
  window: Window | undefined,
  level: number,
  { trendBound, trendNeeds }: ForecastTuning,
): number => {
  if (window === undefined || window.items === 0) return level
  const before = windowBefore(profile, window.start, window.items)
  if (before.items < window.items * trendNeeds) return level
  const here = Math.log(window.items / window.blocks)
  const change = here - Math.log(before.items / before.blocks)
  const distance = Math.max(1, window.middle - before.middle)
  const ahead = (profile[end - 1]?.to ?? 0) - window.middle + window.blocks / 2
  return here + clamp((change * ahead) / distance, trendBound)
}

/** What followed when the densities last went as they went now: right where they repeat, as by day and night. */
const recurring = (
  profile: Profile,
  end: number,
  window: Window | undefined,
  level: number,
  { partsCompared, partsKept, partsNeeded, partsPerLook, shortestPeriod }: ForecastTuning,
): number => {
  const last = profile[end - 1]?.to
  if (window === undefined || last === undefined) return level
  let start = end - 1
  while (start > 0 && (profile[start - 1]?.to ?? 0) + 1 === profile[start]?.from) start--
  const first = profile[start]?.from ?? last
  const width = Math.ceil(window.blocks / partsPerLook)
  const steps = Math.floor((last - first + 1) / width)
  if (steps < partsNeeded) return level
  // Densities of equal parts, newest first.
  const parts: Array<number> = Array.from({ length: Math.min(steps, partsKept) }, () => 0)
  for (let index = end - 1; index >= start; index--) {
    const stretch = profile[index]
    if (stretch === undefined) break
    const blocks = stretch.to - stretch.from + 1
    for (let at = stretch.to; at >= stretch.from;) {
      const part = Math.floor((last - at) / width)
      if (part >= parts.length) break
      const edge = Math.max(stretch.from, last - (part + 1) * width + 1)
      parts[part] = (parts[part] ?? 0) + (stretch.items * (at - edge + 1)) / blocks
      at = edge - 1
    }
  }
  const logs = parts.map((items) => Math.log((items + 1) / width))
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let lag = shortestPeriod; lag + partsCompared <= logs.length; lag++) {
    let difference = 0
    for (let part = 0; part < partsCompared; part++) difference += Math.abs((logs[part] ?? 0) - (logs[part + lag] ?? 0))
    if (difference < least) [best, least] = [lag, difference]
  }
  if (best === 0) return level
  // What followed there, up to a call's worth.
  let items = 0
  let part = best
  const wanted = 2 * window.items
  while (part > 0 && items < wanted) items += parts[--part] ?? 0
  const surplus = items > wanted ? (items - wanted) / (parts[part] ?? 1) : 0
  return items === 0 ? level : Math.log(Math.min(items, wanted) / ((best - part - surplus) * width))
}

/** Items in the stretches from the one after block `after` up to `end`. */
const itemsBetween = (profile: Profile, after: number, end: number): number => {
  let items = 0
  for (let index = end - 1; index >= 0; index--) {
    const stretch = profile[index]
    if (stretch === undefined || stretch.from < after) break
    items += stretch.items
  }
  return items
}

/** Blocks from a stretch on that hold so many items; `undefined` when what is known ends or has a hole before. */
const blocksHolding = (profile: Profile, index: number, wanted: number): number | undefined => {
  const start = profile[index]?.from ?? 0
  let items = 0
  for (let at = index; at < profile.length; at++) {
    const stretch = profile[at]
    const previous = profile[at - 1]
    if (stretch === undefined || (at > index && previous !== undefined && previous.to + 1 !== stretch.from))
      return undefined
    if (items + stretch.items >= wanted) {
      const share = stretch.items === 0 ? 0 : (wanted - items) / stretch.items
      return Math.max(1, stretch.from - start + share * (stretch.to - stretch.from + 1))
    }
    items += stretch.items
  }
  return undefined
}

const clamp = (value: number, bound: number): number => Math.max(-bound, Math.min(bound, value))
