/** What several requests cost in one run, those that they need first included. Pure: nothing is sent to find out. */
import { Price } from "@dotrpc/spec"
import { type Analysis, type BoundRequest, requestAt, withDependencies } from "./Analysis.ts"
import { newPins, priceInRun } from "./Comparison.ts"
import { leastTogether, mostLostTogether, togetherIn } from "./Together.ts"

/** Positions of requests whose results are used instead of being paid for again; those that these need are among them. */
export interface Reused {
  readonly has: (index: number) => boolean
}

/** The requests that a run of the chosen ones sends, in their order: those that they need first, unless their results are used. */
export const runsWith = (
  analysis: Analysis,
  chosen: ReadonlyArray<BoundRequest>,
  reused: Reused,
): ReadonlyArray<BoundRequest> => {
  const indexes = chosen.map(({ index }) => index)
  return withDependencies(analysis, indexes).filter(({ index }) => indexes.includes(index) || !reused.has(index))
}

/** The requests whose results these read and do not pay for. */
export const reusedBy = (
  analysis: Analysis,
  running: ReadonlyArray<BoundRequest>,
  reused: Reused,
): ReadonlyArray<BoundRequest> => {
  const own = new Set(running.map(({ index }) => index))
  const read = [...new Set(running.flatMap(({ dependsOn }) => dependsOn))]
  return read
    .filter((index) => !own.has(index) && reused.has(index))
    .flatMap((index) => requestAt(analysis, index) ?? [])
}

/**
 * The price of several requests; those with errors are never sent and cost nothing. Those that go together may cost as little as one, or
 * one more than all of them.
 */
export const priceOfRun = (requests: ReadonlyArray<BoundRequest>): Price.PriceRange =>
  pricesOfRun(requests).reduce(Price.addRanges, free)

/** The parts of {@link priceOfRun}, each in one unit: `Price.showSum` shows them. */
export const pricesOfRun = (requests: ReadonlyArray<BoundRequest>): ReadonlyArray<Price.PriceRange> => {
  const pins = new Set<string>()
  return togetherIn(requests)
    .map((group) => group.filter((request) => request.errors.length === 0))
    .flatMap((group) => {
      const parts = group.flatMap((request) => partsInRun(request, pins))
      if (group.length < 2) return parts
      const sum = parts.reduce(Price.addRanges, free)
      const lost = mostLostTogether(group)
      const max = sum.max === undefined || lost === undefined ? undefined : sum.max + lost
      return [{ ...sum, min: leastTogether(group), max }]
    })
}

/** One price, unless the sides of a comparison count in different units. */
const partsInRun = (request: BoundRequest, pins: Set<string>): ReadonlyArray<Price.PriceRange> => {
  const { compare, network, price } = request
  if (price === undefined) return []
  if (compare === undefined || network?.prices?.unit.many === compare.network.prices?.unit.many)
    return [priceInRun(request, pins) ?? price]
  return [price, ...newPins(compare, pins).flatMap(({ prices }) => prices), compare.price]
}

const free: Price.PriceRange = { min: 0, max: 0, assumed: false }
