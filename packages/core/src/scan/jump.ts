/**
 * A rise of the density inside a range that was refused, far above what is forecast: it may begin anywhere in the range, and is
 * found by halving.
 */
import type { Forecast } from "./forecast.ts"
import type { Heavy } from "./ScanPlan.ts"
import type { ForecastTuning } from "./tuning.ts"

/** Half of a range that holds many more items than are forecast for it; `undefined` where it does not. */
export const spanToJump = (
  { capacity }: Forecast,
  heavy: Heavy | undefined,
  start: number,
  limit: number,
  { jumpFactor }: ForecastTuning,
): number | undefined => {
  if (heavy === undefined) return undefined
  const blocks = heavy.to - start + 1
  const forecast = (blocks / capacity) * limit
  return heavy.moreThan > 0 && heavy.moreThan >= jumpFactor * forecast ? blocks / 2 : undefined
}
