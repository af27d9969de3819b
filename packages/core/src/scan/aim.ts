/**
 * How many blocks to ask for, given how many would fill a call as far as one can tell. A call that asks for too many is
 * paid for nothing, one that asks for few is paid for little: the choice that gets the most out of each call in the long
 * run is found by weighing every span against what would be done after it failed.
 */
import type { Forecast } from "./forecast.ts"
import type { ForecastTuning } from "./tuning.ts"

export interface Aim {
  /** Blocks to ask for; a fraction is to be rounded down. */
  readonly span: number
  /** How likely a call over this many blocks succeeds. */
  readonly chance: (span: number) => number
}

export interface AimOptions {
  /** A call over this many blocks is known to fail. */
  readonly failed: number
  /** How likely a failure comes with a range that works and is nearly full, from 0 to 1. */
  readonly hinted: number
  /** True when the next query will start right behind this one: after a failure two calls fill the place of one. */
  readonly bounded: boolean
  /** What a failed call costs, as a share of the price of an answered one. */
  readonly failureCost: number
  readonly tuning: ForecastTuning
}

export const aimAt = (forecast: Forecast, options: AimOptions): Aim => {
  const masses = beliefIn(forecast, options)
  const chance = (span: number) => shareAbove(masses, Math.log(span / forecast.capacity))
  if (masses === undefined) return { span: options.failed / options.tuning.afterSurprise, chance: () => 0.5 }
  const cumulative = sums(masses)
  // The best worth of a call is the one at which the plan breaks even: halved nine times, to a five-hundredth.
  let [low, high] = [0.02, 1]
  let cell = 0
  for (let round = 0; round < 9; round++) {
    const worth = (low + high) / 2
    const best = bestCell(cumulative, worth, options)
    if (best.gain > 0) [low, cell] = [worth, best.cell]
    else high = worth
  }
  return { span: Math.exp(edgeOf(cell)) * forecast.capacity, chance }
}

/**
 * Cells of the logarithm of true over expected capacity: a hundredth wide around 0, wider far from it, and as many as reach
 * from a 15,000th of what is expected to 15,000 times that.
 */
const cells = 81
const half = (cells - 1) / 2
const edgeAt = (index: number): number => (0.01 * Math.sinh((index - half) * 0.14)) / 0.14
const edges = Float64Array.from({ length: cells + 1 }, (_, index) => edgeAt(index - 0.5))
const ratios = Float64Array.from({ length: cells }, (_, index) => Math.exp(-edgeAt(index)))
const spans = edges.map(Math.exp)
const edgeOf = (cell: number): number => edges[cell] ?? 0

/** Errors made so far, newer ones counting more, each blurred a little, and a little of everything else. */
const beliefIn = ({ capacity, errors }: Forecast, { failed, tuning }: AimOptions): Float64Array | undefined => {
  const masses = new Float64Array(cells)
  const weights = errors.map((_, index) => (1 - tuning.errorFading) ** (errors.length - 1 - index))
  const blur = Math.max(tuning.leastBlur, tuning.blurShare * spreadOf(errors))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, error] of errors.entries()) addBump(masses, error, blur, weights[index] ?? 0)
  // Before anything was forecast, a middling spread; later, a reminder that something new may come.
  addBump(masses, 0, tuning.priorWidth, Math.max(0, tuning.priorWeight - total))
  addBump(masses, 0, tuning.surpriseWidth, tuning.surpriseWeight + tuning.surpriseShare * total)
  const bound = Math.log(failed / capacity)
  let left = 0
  for (let cell = 0; cell < cells; cell++) {
    const [from, to] = [edgeOf(cell), edgeOf(cell + 1)]
    if (from >= bound) masses[cell] = 0
    else if (to > bound) masses[cell] = ((masses[cell] ?? 0) * (bound - from)) / (to - from)
    left += masses[cell] ?? 0
  }
  return left < 1e-9 ? undefined : masses
}

const addBump = (masses: Float64Array, centre: number, width: number, weight: number): void => {
  if (weight <= 0) return
  let below = 0
  for (let cell = 0; cell < cells; cell++) {
    const above = cell === cells - 1 ? 1 : 1 / (1 + Math.exp((centre - edgeOf(cell + 1)) / width))
    masses[cell] = (masses[cell] ?? 0) + weight * (above - below)
    below = above
  }
}

/** A middle of the errors' sizes, which a few large ones do not move. */
const spreadOf = (errors: ReadonlyArray<number>): number => {
  if (errors.length === 0) return 0
  const sizes = errors.map(Math.abs).toSorted((left, right) => left - right)
  return sizes[Math.floor(sizes.length / 2)] ?? 0
}

interface Sums {
  /** Mass below each edge. */
  readonly mass: Float64Array
  /** Mass over capacity below each edge: what a span is worth, once multiplied with it. */
  readonly worth: Float64Array
}

const sums = (masses: Float64Array): Sums => {
  const mass = new Float64Array(cells + 1)
  const worth = new Float64Array(cells + 1)
  for (let cell = 0; cell < cells; cell++) {
    mass[cell + 1] = (mass[cell] ?? 0) + (masses[cell] ?? 0)
    worth[cell + 1] = (worth[cell] ?? 0) + (masses[cell] ?? 0) * (ratios[cell] ?? 0)
  }
  return { mass, worth }
}

/** With a call priced at `price` full answers: the best span for a capacity below the last edge, and what it gains. */
const bestCell = ({ mass, worth }: Sums, price: number, { bounded, failureCost, hinted }: AimOptions) => {
  const gains = new Float64Array(cells + 1)
  let cell = 0
  for (let bound = 1; bound <= cells; bound++) {
    let best = Number.NEGATIVE_INFINITY
    for (let index = 0; index < bound; index++) {
      const below = mass[index] ?? 0
      const answered =
        (spans[index] ?? 0) * ((worth[bound] ?? 0) - (worth[index] ?? 0)) - price * ((mass[bound] ?? 0) - below)
      const afterFailure = bounded
        ? below * (1 - 2 * price)
        : hinted * below * (1 - price) + (1 - hinted) * (gains[index] ?? 0)
      const gain = answered - price * failureCost * below + afterFailure
      if (gain > best) [best, cell] = [gain, index]
    }
    gains[bound] = best
  }
  return { gain: gains[cells] ?? 0, cell }
}

const shareAbove = (masses: Float64Array | undefined, edge: number): number => {
  if (masses === undefined) return 0.5
  let above = 0
  let total = 0
  for (let cell = 0; cell < cells; cell++) {
    const [from, to, mass] = [edgeOf(cell), edgeOf(cell + 1), masses[cell] ?? 0]
    total += mass
    if (from >= edge) above += mass
    else if (to > edge) above += (mass * (to - edge)) / (to - from)
  }
  return above / total
}
