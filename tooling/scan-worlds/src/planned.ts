/** What is planned for a scan of a made-up chain, and what it takes. */
import { type Planner, simulate } from "./simulate.ts"
import { itemsIn, type World } from "./worlds.ts"

/** Blocks with the items in them, as a scan has seen them. */
interface Row {
  readonly from: number
  readonly to: number
  readonly items: number
}

type Rows = ReadonlyArray<Row>

interface Band {
  readonly low: number
  readonly likely: number | undefined
  readonly high: number | undefined
}

/** What is asked of a planner that plans; `RangeScan` of `@dotrpc/core` is one. */
export interface Foreseeing<
  Plan extends { readonly profile: Rows; readonly stretchItems: number },
  Endpoint,
> extends Omit<Planner<Plan>, "plan"> {
  readonly plan: (options: Parameters<Planner<Plan>["plan"]>[0] & { readonly profile?: Rows }) => Plan
  readonly callsOver: (
    blocks: { readonly from: number; readonly to: number },
    seen: { readonly profile: Rows; readonly endpoint: Endpoint; readonly limit: number },
  ) => Band
  readonly joined: (profile: Rows, limit: number) => Rows
  readonly unknownEndpoint: Endpoint
}

/** Calls of a scan, and those that were planned for it. */
export interface Planned {
  readonly calls: number
  /** Calls over the fewest possible. */
  readonly ratio: number
  readonly low: number
  readonly likely: number
  readonly high: number
}

const limit = 10_000

/** A scan after a look at both ends of its range, a thousandth each. */
export const plannedByEnds = <Plan extends { readonly profile: Rows; readonly stretchItems: number }, Endpoint>(
  planner: Foreseeing<Plan, Endpoint>,
  world: World,
): Planned => {
  const look = Math.floor(world.blocks / 1_024)
  const ends = [0, world.blocks - look].map((from): Row => {
    const to = from + look - 1
    // A look that is refused tells only that there are more items than one answer has.
    const items = itemsIn(world, from, to)
    return { from, to, items: items > limit ? 2 * limit : items }
  })
  return plannedBy(planner, world, ends)
}

/** A scan of a range that was scanned before: all of it, or up to a block, such as to a tag that has moved on. */
export const plannedAgain = <Plan extends { readonly profile: Rows; readonly stretchItems: number }, Endpoint>(
  planner: Foreseeing<Plan, Endpoint>,
  world: World,
  share = 1,
): Planned => {
  let seen: Rows = []
  const settle: typeof planner.settle = (plan, query, answer) => {
    const settled = planner.settle(plan, query, answer)
    seen = settled.profile
    return settled
  }
  simulate({ ...planner, settle }, { ...world, blocks: Math.max(1, Math.floor(share * world.blocks)) })
  return plannedBy(planner, world, planner.joined(seen, limit))
}

const plannedBy = <Plan extends { readonly profile: Rows; readonly stretchItems: number }, Endpoint>(
  planner: Foreseeing<Plan, Endpoint>,
  world: World,
  profile: Rows,
): Planned => {
  const blocks = { from: 0, to: world.blocks - 1 }
  const planned = planner.callsOver(blocks, { profile, endpoint: planner.unknownEndpoint, limit })
  const { calls, ratio } = simulate({ ...planner, plan: (options) => planner.plan({ ...options, profile }) }, world)
  return { calls, ratio, low: planned.low, likely: planned.likely ?? Infinity, high: planned.high ?? Infinity }
}
