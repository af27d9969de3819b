/** Drives a plan, or another way of scanning, over a made-up world, and counts its calls. */
import * as Plan from "../../src/scan/Plan.ts"
import { markDistance } from "../../src/scan/profile.ts"
import { blockOfItem, fewestCalls, itemsIn, lastWithin, type World } from "./worlds.ts"

export interface SimulationOptions {
  readonly lanes?: number
  readonly limit?: number
  readonly hints?: boolean
  /** Without marks the planner is told how many items an answer held, and not where. */
  readonly marks?: boolean
  readonly span?: number
  /** The limit that the planner is told, when it is not the server's. */
  readonly assumed?: number
}

export interface Simulation {
  readonly calls: number
  readonly failed: number
  /** Rounds of calls that were under way together: what the scan takes, in latencies. */
  readonly rounds: number
  readonly ratio: number
}

/** What a server with these limits answers. */
export const answer = (
  world: World,
  query: { readonly from: number; readonly to: number },
  options: SimulationOptions,
): Plan.Outcome => {
  const { hints = false, limit = 10_000, marks = true, span = Infinity } = options
  if (query.to - query.from + 1 > span) return { _tag: "TooLarge", cause: "span", hint: { span } }
  const items = itemsIn(world, query.from, query.to)
  if (items <= limit) {
    if (!marks) return { _tag: "Answered", items }
    const first = world.sums[query.from] ?? 0
    const distance = markDistance(options.assumed ?? limit)
    const places: Array<number> = []
    for (let item = distance - 1; item < items; item += distance) places.push(blockOfItem(world, first + item))
    return { _tag: "Answered", items, marks: places }
  }
  const to = lastWithin(world, query.from, limit)
  if (!hints || to < query.from) return { _tag: "TooLarge", cause: "results" }
  return { _tag: "TooLarge", cause: "results", hint: { from: query.from, to } }
}

/** Runs the planner; calls take one latency each, in rounds when there are several lanes. */
export const simulate = (world: World, options: SimulationOptions = {}): Simulation => {
  const { lanes = 1, limit = 10_000 } = options
  let plan = Plan.plan({ from: 0, to: world.blocks - 1, limit: options.assumed ?? limit, lanes })
  let [calls, failed, rounds] = [0, 0, 0]
  while (!Plan.isDone(plan)) {
    const queries: Array<Plan.Query> = []
    for (let step = Plan.next(plan); step !== undefined; step = Plan.next(plan)) {
      queries.push(step.query)
      plan = step.plan
    }
    if (queries.length === 0) throw new Error("the plan neither ends nor goes on")
    rounds++
    for (const query of queries) {
      const outcome = answer(world, query, options)
      calls++
      if (outcome._tag === "TooLarge") failed++
      plan = Plan.settle(plan, query, outcome)
      plan = Plan.take(plan).plan
    }
  }
  return { calls, failed, rounds, ratio: calls / fewestCalls(world, limit, options.span) }
}
