/** Calls for a scan of logs over the fewest possible, on made-up chains that the planner was not tuned on. */
import { RangeScan } from "@dotrpc/core"
import { bisection, fewestCalls, fixed, growingStep, simulate, type World, worlds } from "@dotrpc/scan-worlds"

const seeds = [101, 102, 103, 104, 105]

const ways: Readonly<Record<string, (world: World) => number>> = {
  "planner, 1 lane": (world) => simulate(RangeScan, world, { lanes: 1 }).ratio,
  "8 lanes": (world) => simulate(RangeScan, world, { lanes: 8 }).ratio,
  "hints, 1 lane": (world) => simulate(RangeScan, world, { lanes: 1, hints: true }).ratio,
  "hints, 8 lanes": (world) => simulate(RangeScan, world, { lanes: 8, hints: true }).ratio,
  "fixed 2,000": (world) => fixed(2_000)(world, {}).ratio,
  "fixed 10,000": (world) => fixed(10_000)(world, {}).ratio,
  bisection: (world) => bisection(world, {}).ratio,
  "growing step": (world) => growingStep(world, {}).ratio,
}

/** A row per world, averaged over the seeds: its name, the fewest calls, then calls over them for each way. */
export const rows = (): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(worlds).map(([name, make]) => {
    const made = seeds.map((seed) => make(seed))
    const mean = (of: (world: World) => number) => made.reduce((sum, world) => sum + of(world), 0) / made.length
    const ratios = Object.values(ways).map((way) => mean((world) => way(world)))
    const fewest = mean((world) => fewestCalls(world, 10_000))
    return [name, fewest.toFixed(0), ...ratios.map((ratio) => ratio.toFixed(ratio < 10 ? 2 : 0))]
  })

export const columns = ["world", "fewest calls", ...Object.keys(ways)]
