/**
 * Results on the screen that a run uses instead of paying for them again: of requests that it needs and nobody chose, as long as nothing has
 * changed that decides what they are answered.
 */
import { type Analysis, type BoundRequest, withDependencies } from "@dotrpc/analysis"
import {
  type FindResult,
  type RequestReport,
  resultsToReuse,
  reusedOf,
  reuseSources,
  type RunPlan,
  sourcesIn,
} from "@dotrpc/runner"
import { Effect } from "effect"

/** The report that is shown of a request, unless that is outdated or running again. */
export type ShownReport = (request: BoundRequest) => RequestReport | undefined

const findIn =
  (shown: ShownReport): FindResult =>
  (request, call) => {
    const report = shown(request)
    return Effect.succeed(report === undefined ? undefined : reusedOf(report, call))
  }

/** When the results came that a click uses, in words, by the positions of their requests. */
export const reusedResults = (
  analysis: Analysis,
  shown: ShownReport,
  timeZone?: string | undefined,
): ReadonlyMap<number, string> => {
  const sources = withDependencies(analysis, sourcesIn(analysis)).filter((request) => shown(request) !== undefined)
  // Where nothing has run, this takes no time.
  if (sources.length === 0) return new Map()
  const times = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", timeZone })
  const reused = Effect.runSync(resultsToReuse(analysis, sources, findIn(shown)))
  return new Map([...reused].map(([index, { at }]) => [index, times.format(at)]))
}

/** The plan that uses what is shown of requests that nobody chose; all are chosen when there are none. */
export const withShown = (plan: RunPlan, chosen: ReadonlyArray<number>, shown: ShownReport): RunPlan =>
  chosen.length === 0 ? plan : Effect.runSync(reuseSources(plan, ({ index }) => chosen.includes(index), findIn(shown)))
