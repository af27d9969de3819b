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

/** How often blocks are looked up, and by which method. */
export interface LookUps {
  readonly times: CountBounds
  readonly method: Method | undefined
}

export const noLookUps: LookUps = { times: { low: 0, high: 0 }, method: undefined }

/** What calls cost. */
export const costOf = (
  method: Method,
  priceOf: (method: Method) => PriceOfCall,
  reads: Band,
  lookUps: LookUps,
): Band => {
  const read = priceOf(method)
  const { times } = lookUps
  const look = lookUps.method === undefined ? { min: 0, max: 0 } : priceOf(lookUps.method)
  return {
    low: reads.low * read.min + times.low * look.min,
    likely: sum(product(reads.likely, read.min), times.low * look.min),
    high: sum(product(reads.high, read.max), product(times.high, look.max)),
  }
}

/** `undefined` where nothing bounds a part of it. */
const sum = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : left + right

const product = (count: number | undefined, each: number | undefined): number | undefined => {
  if (count === 0 || each === 0) return 0
  return count === undefined || each === undefined ? undefined : count * each
}
