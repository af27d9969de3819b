/** Drives a planner over a made-up chain, and counts its calls. */
import { type Answer, answer, type Query, type ServerOptions } from "./server.ts"
import { fewestCalls, type World } from "./worlds.ts"

/** What is asked of a planner; `RangeScan` of `@dotrpc/core` is one. */
export interface Planner<Plan extends { readonly stretchItems: number }> {
  readonly plan: (options: {
    readonly from: number
    readonly to: number
    readonly limit: number
    readonly lanes: number
  }) => Plan
  readonly next: (plan: Plan) => { readonly plan: Plan; readonly query: Planned } | undefined
  readonly settle: (plan: Plan, query: Planned, answer: Answer) => Plan
  readonly take: (plan: Plan) => { readonly plan: Plan }
  readonly isDone: (plan: Plan) => boolean
}

interface Planned extends Query {
  readonly id: number
}

export interface SimulationOptions extends ServerOptions {
  /** Calls in flight together; 1 by default. */
  readonly lanes?: number
  /** The limit that the planner gets, when it is not the server's. */
  readonly assumed?: number
  /** Without stretches the planner gets the number of items in an answer, and not their blocks. */
  readonly stretches?: boolean
}

export interface Simulation {
  readonly calls: number
  readonly failed: number
  /** Rounds of calls that were in flight together: what the scan takes, in latencies. */
  readonly rounds: number
  /** Calls over the fewest possible. */
  readonly ratio: number
}

/** Runs the planner; calls take one latency each, in rounds when there are several lanes. */
export const simulate = <Plan extends { readonly stretchItems: number }>(
  planner: Planner<Plan>,
  world: World,
  options: SimulationOptions = {},
): Simulation => {
  const { lanes = 1, limit = 10_000, stretches = true } = options
  let plan = planner.plan({ from: 0, to: world.blocks - 1, limit: options.assumed ?? limit, lanes })
  let [calls, failed, rounds] = [0, 0, 0]
  while (!planner.isDone(plan)) {
    const queries: Array<Planned> = []
    for (let step = planner.next(plan); step !== undefined; step = planner.next(plan)) {
      queries.push(step.query)
      plan = step.plan
    }
    if (queries.length === 0) throw new Error("the plan neither ends nor goes on")
    rounds++
    for (const query of queries) {
      const answered = answer(world, query, options, stretches ? plan.stretchItems : undefined)
      calls++
      if (answered._tag === "TooLarge") failed++
      plan = planner.take(planner.settle(plan, query, answered)).plan
    }
  }
  return { calls, failed, rounds, ratio: calls / fewestCalls(world, limit, options.span) }
}
