/**
 * A fall of the density that the forecasts have not followed yet: they are tried on items, so where there are few of them they
 * would learn of it many calls later.
 */
import type { Forecast } from "./forecast.ts"
import type { Profile } from "./profile.ts"
import type { ForecastTuning } from "./tuning.ts"

/** The forecast, or one by the newest stretch alone when that holds far fewer items than was expected of it. */
export const afterFall = (
  forecast: Forecast,
  profile: Profile,
  block: number,
  limit: number,
  { fallFactor, fallNeeds }: ForecastTuning,
): Forecast => {
  const newest = profile.findLast((stretch) => stretch.to < block)
  if (newest === undefined) return forecast
  const blocks = newest.to - newest.from + 1
  const expected = (blocks / forecast.capacity) * limit
  if (expected < fallNeeds * limit || newest.items * fallFactor > expected) return forecast
  // As many items as there may well be in the next such stretch: a few say little about the density.
  const items = newest.items + 2 * Math.sqrt(newest.items) + 2
  return { capacity: (limit * blocks) / items, errors: [] }
}
