/** Calls for a scan of logs over the fewest possible, on made-up chains that the planner was not tuned on. */
import { RangeScan } from "@dotrpc/core"
import {
  askAll,
  bisection,
  type Contract,
  contracts,
  type ContractWorld,
  fewestCalls,
  fixed,
  growingStep,
  proportional,
  searchCost,
  simulate,
  type World,
  worlds,
} from "@dotrpc/scan-worlds"

const seeds = [301, 302, 303, 304, 305]
const limit = 10_000

const planned: Readonly<Record<string, (world: World) => number>> = {
  "planner, 1 lane": (world) => simulate(RangeScan, world, { lanes: 1 }).ratio,
  "8 lanes": (world) => simulate(RangeScan, world, { lanes: 8 }).ratio,
  "hints, 1 lane": (world) => simulate(RangeScan, world, { lanes: 1, hints: true }).ratio,
  "hints, 8 lanes": (world) => simulate(RangeScan, world, { lanes: 8, hints: true }).ratio,
}

const ways: Readonly<Record<string, (world: World) => number>> = {
  ...planned,
  stepper: (world) => proportional(world, {}).ratio,
  "fixed 2,000": (world) => fixed(2_000)(world, {}).ratio,
  "fixed 10,000": (world) => fixed(10_000)(world, {}).ratio,
  bisection: (world) => bisection(world, {}).ratio,
  "growing step": (world) => growingStep(world, {}).ratio,
}

const meanOver = <Made>(made: ReadonlyArray<Made>, of: (world: Made) => number): number =>
  made.reduce((sum, world) => sum + of(world), 0) / made.length

const shown = (ratio: number): string => ratio.toFixed(ratio < 10 ? 2 : 0)

/** A row per world, averaged over the seeds: its name, the fewest calls, then calls over them for each way. */
export const rows = (): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(worlds).map(([name, make]) => {
    const made = seeds.map((seed) => make(seed))
    const fewest = meanOver(made, (world) => fewestCalls(world, limit))
    return [name, fewest.toFixed(0), ...Object.values(ways).map((way) => shown(meanOver(made, way)))]
  })

export const columns = ["world", "fewest calls", ...Object.keys(ways)]

const contractSeeds = seeds.slice(0, 3)

const contractWays: Readonly<Record<string, (world: ContractWorld) => number>> = {
  "and a search": (world) => 1 + searchCost(world) / fewestCalls(world, limit),
  ...planned,
  "asks all, takes hints": (world) => askAll(world, {}).ratio,
  stepper: (world) => proportional(world, {}).ratio,
}

/** A row per contract: its kind, the fewest calls, then calls over them for each way. */
export const contractRows = (): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(contracts).map(([name, { kind, make }]) => {
    const made = contractSeeds.map((seed) => make(seed))
    const fewest = meanOver(made, (world) => fewestCalls(world, limit))
    const ratios = Object.values(contractWays).map((way) => shown(meanOver(made, way)))
    return [name, kind, fewest.toFixed(0), ...ratios]
  })

export const contractColumns = ["contract", "density", "fewest calls", ...Object.keys(contractWays)]

const lanes = [2, 4, 8]

/** A row per chain: how many times faster several lanes are than one, and how many times the calls they take. */
export const laneRows = (): ReadonlyArray<ReadonlyArray<string>> => {
  const uniform = (seed: number): World => worlds.uniform?.(seed) ?? never()
  const all: ReadonlyArray<[name: string, make: Contract["make"] | ((seed: number) => World), span?: number]> = [
    ["uniform", uniform],
    ["uniform, 2,000 blocks per call", uniform, 2_000],
    ...Object.entries(contracts).map(([name, { make }]): [string, Contract["make"]] => [name, make]),
  ]
  return all.map(([name, make, span]) => {
    const world = make(contractSeeds[0] ?? 1)
    const options = span === undefined ? {} : { span }
    const alone = simulate(RangeScan, world, { lanes: 1, ...options })
    const several = lanes.map((count) => simulate(RangeScan, world, { lanes: count, ...options }))
    const offered = (count: number) => (span === undefined ? Math.min(count, RangeScan.lanesByItems) : count)
    const shortest = (count: number) => Math.ceil(fewestCalls(world, limit, span) / offered(count))
    return [
      name,
      ...several.map(({ rounds }) => shown(alone.rounds / rounds)),
      ...several.map(({ calls }) => shown(calls / alone.calls)),
      ...several.map(({ rounds }, index) => shown(rounds / shortest(lanes[index] ?? 1))),
    ]
  })
}

export const laneColumns = [
  "chain",
  ...lanes.map((count) => `times faster: ${count} lanes`),
  ...lanes.map((count) => `times the calls: ${count}`),
  ...lanes.map((count) => `times the shortest: ${count}`),
]

const never = (): never => {
  throw new Error("there is no such world")
}
