/**
 * Where values stand along an axis, and the values that are written at it.
 *
 * Invariant: every finite value has a finite place within the axis, larger values do not stand before smaller ones, and every tick is
 * written as a number. The difference of two values may be too large for a number, so the largest ones are divided first.
 */
import { nice, ticks } from "d3-array"

export interface AmountScale {
  readonly place: (value: number) => number
  readonly ticks: ReadonlyArray<{ readonly place: number; readonly text: string }>
}

/**
 * @param ends the places of the smallest and the largest value
 * @param count how many values are written at the axis, about
 */
export const amountScale = (
  values: ReadonlyArray<number>,
  ends: readonly [number, number],
  count = mostTicks,
): AmountScale => {
  let [low, high] = [0, 0]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const largest = Math.max(-low, high)
  const exponent = largest > 1e300 ? Math.floor(Math.log10(largest)) : 0
  const shrunk = (value: number): number => (Math.abs(value) < smallest ? 0 : value / 10 ** exponent)
  const [first, last] = nice(shrunk(low), shrunk(high), count)
  const placeOf = (amount: number): number => {
    const share = first === last ? 0.5 : (amount - first) / (last - first)
    return ends[0] + Math.max(0, Math.min(1, share)) * (ends[1] - ends[0])
  }
  return {
    place: (value) => placeOf(shrunk(value)),
    ticks: ticks(first, last, count).map((tick) => ({
      place: placeOf(tick),
      text: exponent === 0 || tick === 0 ? axisNumber(tick) : `${tick}e${exponent}`,
    })),
  }
}

export const mostTicks = 4

/** What is nearer to zero is drawn as zero: its reciprocal may be too large for a number. */
const smallest = 1e-300

/** Numbers that are longer would not fit beside an axis. */
const longest = 1e21

/** A number of an axis with all of its digits: `9,600,000,000,000,000,000`. */
export const axisNumber = (value: number): string => {
  if (Math.abs(value) >= longest) return value.toExponential().replace("+", "")
  return Number.isInteger(value) ? BigInt(value).toLocaleString("en-US") : String(value)
}
