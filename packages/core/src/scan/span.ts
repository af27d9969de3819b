/**
 * How many blocks to ask for at a place of a plan, and at which place ahead of a query that is still in flight: from the
 * forecast there, what the endpoint allows, and what is known of a range that was refused.
 */
import { type Aim, aimAt } from "./aim.ts"
import * as Endpoint from "./Endpoint.ts"
import { afterFall } from "./fall.ts"
import { type Forecast, forecastAt } from "./forecast.ts"
import { spanToJump } from "./jump.ts"
import type { Cell, Gap, Heavy, ScanPlan } from "./ScanPlan.ts"
import type { ForecastTuning } from "./tuning.ts"

/** Blocks to ask for from `start` on, inside a gap. */
export const spanAt = (plan: ScanPlan, gap: Gap, start: number, bounded: boolean): number => {
  const rest = gap.to - start + 1
  const atStart = start === gap.from
  const cap = Endpoint.spanToTry(plan.endpoint, rest)
  if (atStart && gap.offer !== undefined && gap.offer - start + 1 <= cap) return gap.offer - start + 1
  const failed = atStart ? (gap.failed ?? Infinity) : Infinity
  const most = Math.min(rest, cap, failed - 1)
  const wanted = wantedAt(plan, gap, start, failed, rest, bounded)
  return Math.max(1, Math.min(most, Math.floor(wanted)))
}

/** Whether a query in flight is longer than any that was answered in time: what it finds out is waited for. */
export const isTrying = ({ cells, endpoint }: ScanPlan): boolean => {
  const settled = Endpoint.longestSpan(endpoint)
  return cells.some((cell) => cell._tag === "Flight" && cell.to - cell.from + 1 > settled)
}

const wantedAt = (plan: ScanPlan, gap: Gap, start: number, failed: number, rest: number, bounded: boolean): number => {
  if (plan.limit === Infinity) return rest
  const heavy = start === gap.from ? gap.heavy : undefined
  const known = plan.profile.findLast((stretch) => stretch.to < start)
  const isNear = known === undefined || known.to + 1 === start
  const usual = forecastAt(plan.profile, isNear ? plan.trials.near : plan.trials.far, start, plan.limit, plan.tuning)
  if (usual === undefined) return blindSpan(plan, start, heavy, failed, rest)
  const forecast = isNear ? afterFall(usual, plan.profile, start, plan.limit, plan.tuning) : usual
  if (isThinning(plan, start)) return rest
  const half = spanToJump(forecast, heavy, start, plan.limit, plan.tuning)
  if (half !== undefined) return half
  const aim = aimAt(forecast, {
    failed: Math.min(failed, capacityBound(plan, start, heavy)),
    bounded,
    hinted: Endpoint.hintChance(plan.endpoint),
    failureCost: plan.failureCost,
    tuning: plan.tuning,
  })
  return evened(aim, rest, failed, plan.tuning)
}

/** Where a refusal names what fits, asking for all costs one call more; growing towards it may cost several. */
const isThinning = ({ endpoint, limit, newest }: ScanPlan, start: number): boolean =>
  newest?.to === start - 1 && newest.items < limit / 4 && Endpoint.hintChance(endpoint) >= 1 / 2

/** Nothing was found yet: everything first, then less and less, and halves once there is an empty part. */
const blindSpan = (plan: ScanPlan, start: number, heavy: Heavy | undefined, failed: number, rest: number): number => {
  const { firstCut, heavyCut, laterCut } = plan.tuning
  const seen = plan.profile.some((stretch) => stretch.to < start)
  if (heavy !== undefined && seen) return (heavy.to - start + 1) / heavyCut
  if (failed === Infinity) return rest
  return failed === plan.to - plan.from + 1 ? failed / firstCut : failed / laterCut
}

/** Blocks that would hold a full call if the items of a heavy part lay evenly in it: there are that many or fewer. */
const capacityBound = (plan: ScanPlan, start: number, heavy: Heavy | undefined): number => {
  if (heavy === undefined || heavy.moreThan <= 0) return Infinity
  return ((heavy.to - start + 1) * plan.limit) / heavy.moreThan
}

/** When few calls are left, they are made alike; one less is tried when that is likely to do. */
const evened = (aim: Aim, rest: number, failed: number, { evenedCalls }: ForecastTuning): number => {
  const calls = Math.ceil(rest / aim.span)
  if (calls > evenedCalls) return aim.span
  if (calls > 1 && rest / (calls - 1) < failed && aim.chance(rest / (calls - 1)) > 1 - 1 / (2 * (calls - 1)))
    return rest / (calls - 1)
  return rest / calls
}

/**
 * Lanes that are used where calls end by their items: more of them would take over 1.5 times the shortest possible time even where
 * the density is the same everywhere, as a plan learns it with one lane. Where calls end by their span all lanes are used.
 */
export const lanesByItems = 4

/** Whether calls from a block on end by their span, long before they are full. */
export const endsBySpan = ({ endpoint, limit, profile, trials, tuning }: ScanPlan, block: number): boolean => {
  if (limit === Infinity) return true
  if (!profile.some((stretch) => stretch.to < block)) return false
  const forecast = forecastAt(profile, trials.far, block, limit, tuning)
  return Endpoint.longestSpan(endpoint) < (forecast?.capacity ?? Infinity) / tuning.spanLimited
}

/**
 * Where to ask inside a gap while the query before it is in flight; `undefined` when that should be waited for. Where
 * densities are steady the next query starts right there, else some calls further on, so that the lane before it has
 * room to learn. What lies before the place must fit into the buffer.
 */
export const startAhead = (plan: ScanPlan, gap: Gap, index: number): number | undefined => {
  if (plan.limit === Infinity) return gap.from
  const before = plan.cells.slice(0, index)
  if (gap.heavy !== undefined || before.some((cell) => heavyOf(cell) !== undefined)) return undefined
  // Nothing is to be learned by waiting.
  if (endsBySpan(plan, gap.from)) return gap.from
  const forecast = forecastAt(plan.profile, plan.trials.far, gap.from, plan.limit, plan.tuning)
  if (forecast === undefined) return undefined
  const calls = callsBetween(forecast, plan.tuning)
  if (calls === undefined) return undefined
  const waiting = before.reduce((sum, cell) => sum + itemsExpected(plan, cell, forecast), 0)
  if (waiting + calls * plan.limit > plan.buffer) return undefined
  const start = gap.from + Math.floor((calls - 1) * forecast.capacity)
  return gap.to - start + 1 < forecast.capacity * (calls === 1 ? 0 : calls) ? undefined : start
}

const heavyOf = (cell: Cell): Heavy | undefined =>
  cell._tag === "Answer" ? undefined : cell._tag === "Flight" ? cell.facts.heavy : cell.heavy

const itemsExpected = (plan: ScanPlan, cell: Cell, { capacity }: Forecast): number => {
  if (cell._tag === "Answer") return cell.items
  if (cell._tag === "Flight") return plan.limit
  return ((cell.to - cell.from + 1) / capacity) * plan.limit
}

/**
 * Calls for one lane before the next one starts: the worse the far forecasts, the more. Where they are wild, what is asked
 * ahead is mostly refused or half empty, and the lanes are better waited for.
 */
const callsBetween = ({ errors }: Forecast, tuning: ForecastTuning): number | undefined => {
  const recent = errors.slice(-tuning.laneErrors)
  if (recent.length < tuning.laneErrorsNeeded) return tuning.callsUnknown
  const spread = recent.reduce((sum, error) => sum + Math.min(1, Math.abs(error)), 0) / recent.length
  if (spread > tuning.wildSpread) return undefined
  if (spread < tuning.steadySpread) return tuning.callsSteady
  return spread < tuning.middlingSpread ? tuning.callsMiddling : tuning.callsRough
}
