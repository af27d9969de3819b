/** What the calls of a scan cost, those that read and those that look blocks up, by any prices. */
import type { CountBounds, Method, Price } from "@dotrpc/spec"

/** In one case of ten less than `low`, in one of ten more than `high`. */
export interface Band {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

/** What one call costs at least, and at most where that is known. */
export type PriceOfCall = Pick<Price.PriceRange, "max" | "min">

export const nothing: Band = { low: 0, likely: 0, high: 0 }

/** How often blocks are looked up, and how. */
export interface LookUps {
  readonly times: CountBounds
  /** The methods that may be asked, in this order. */
  readonly ways: ReadonlyArray<Method>
  /** How many of them are asked each time; `undefined` where that is not known. */
  readonly calls: number | undefined
}

export const noLookUps: LookUps = { times: { low: 0, high: 0 }, ways: [], calls: undefined }

/** What calls cost: the first of the ways to look a block up is likely to work, and each of them may be asked. */
export const costOf = (
  method: Method,
  priceOf: (method: Method) => PriceOfCall,
  reads: Band,
  { calls, times, ways }: LookUps,
): Band => {
  const read = priceOf(method)
  const prices = ways.slice(0, calls).map(priceOf)
  const cheapest = ways.length === 0 ? 0 : Math.min(...ways.map((way) => priceOf(way).min))
  const usually = sum(prices.slice(0, calls ?? 1).map(({ min }) => min))
  return {
    low: reads.low * read.min + times.low * cheapest,
    likely: sum([product(reads.likely, read.min), product(times.low, usually)]),
    high: sum([product(reads.high, read.max), product(times.high, sum(prices.map(({ max }) => max)))]),
  }
}

/** `undefined` where nothing bounds a part of it. */
const sum = (all: ReadonlyArray<number | undefined>): number | undefined =>
  all.reduce((total, one) => (total === undefined || one === undefined ? undefined : total + one), 0)

const product = (count: number | undefined, each: number | undefined): number | undefined => {
  if (count === 0 || each === 0) return 0
  return count === undefined || each === undefined ? undefined : count * each
}
