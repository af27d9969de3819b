/** How close to the fewest possible calls the planner comes, failed calls counted, and whether that is what a plan says. */
import { isDeep } from "@dotrpc/vitest/depth"
import { describe, expect, it } from "vitest"
import {
  askAll,
  bisection,
  contracts,
  fewestCalls,
  growingStep,
  plannedAgain,
  plannedByEnds,
  proportional,
  searchCost,
  simulate,
  type SimulationOptions,
  type World,
  worlds,
} from "@dotrpc/scan-worlds"
import { RangeScan } from "../../src/index.ts"

const seed = 107

/** Ratios to the fewest calls: one lane, eight lanes, and the same with hints. */
type Bounds = readonly [number, number, number, number]

const modes: ReadonlyArray<SimulationOptions> = [
  { lanes: 1 },
  { lanes: 8 },
  { lanes: 1, hints: true },
  { lanes: 8, hints: true },
]

/** Those that a landing tries: a chain that is steady, one that changes once, one of bursts, and two with few items. */
const worldsInLanding = new Set(["uniform", "empty, then dense", "spikes", "sparse", "fits"])

/** And contracts of each kind. Any other takes seconds. */
const contractsInLanding = new Set(["name service", "price feed", "airdrop", "lending market"])

const check = (name: string, bounds: Bounds) => {
  if (!isDeep && !worldsInLanding.has(name)) return
  it(`${name}: at most ${bounds.join(" / ")}`, () => {
    const world = worlds[name]?.(seed)
    if (world === undefined) throw new Error(`there is no world ${name}`)
    const runs = modes.map((mode) => simulate(RangeScan, world, mode))
    for (const [index, run] of runs.entries()) expect(run.ratio).toBeLessThanOrEqual(bounds[index] ?? 0)
    // A fixed length may be the right one by luck; ways that adapt are always behind.
    const others = [bisection, growingStep].map((way) => way(world, {}).ratio)
    expect(runs[0]?.ratio).toBeLessThanOrEqual(Math.min(...others))
  })
}

describe("calls over the fewest possible", () => {
  check("uniform", [1.12, 1.12, 1.08, 1.12])
  check("empty, then dense", [1.3, 1.35, 1.15, 1.35])
  check("growth", [1.25, 1.5, 1.25, 1.5])
  check("diurnal", [1.3, 1.5, 1.25, 1.5])
  check("slow waves", [1.45, 1.55, 1.3, 1.5])
  check("fast waves", [1.9, 2, 1.5, 1.75])
  check("decay", [1.15, 1.25, 1.15, 1.25])
  check("bursty regimes", [2.3, 2.3, 1.75, 1.75])
  check("long regimes", [1.75, 1.75, 1.5, 1.5])
  check("bursty blocks", [2, 2, 1.75, 1.75])
  check("spikes", [2.5, 2.5, 1.75, 1.75])
  check("short regimes", [2.8, 2.9, 1.9, 2])
  check("sparse", [1.5, 1.5, 1.5, 1.5])
  check("fits", [1, 1, 1, 1])
})

describe("on chains made after real contracts, with one lane", () => {
  for (const [name, { kind, make }] of Object.entries(contracts).filter(
    ([name]) => isDeep || contractsInLanding.has(name),
  ))
    it(`${name}: near what is possible`, () => {
      const world = make(seed)
      const alone = simulate(RangeScan, world)
      const hinted = simulate(RangeScan, world, { hints: true })
      // A few calls may be spent to learn that the hints are good.
      expect(hinted.calls).toBeLessThanOrEqual(askAll(world, {}).calls + 4)
      if (kind === "drifts") {
        expect(alone.ratio).toBeLessThanOrEqual(2)
        expect(hinted.ratio).toBeLessThanOrEqual(1.65)
      } else expect(alone.calls).toBeLessThanOrEqual(1.3 * (fewestCalls(world, 10_000) + searchCost(world)))
    })
})

const makers: ReadonlyArray<readonly [string, (seed: number) => World]> = [
  ...Object.entries(worlds),
  ...Object.entries(contracts).map(([name, { make }]) => [name, make] as const),
]

const meanOf = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

describe("a stepper that aims at 80 % of the limit by the density of the last answer", () => {
  const seeds = isDeep ? [101, 102, 103, 104, 105, 107, 108, 109] : [101]
  for (const [name, make] of makers.filter(([name]) => isDeep || worldsInLanding.has(name)))
    it(`takes hardly ever fewer calls than the planner: ${name}`, () => {
      const made = seeds.map((seed) => make(seed))
      const stepper = meanOf(made.map((world) => proportional(world, {}).ratio))
      expect(meanOf(made.map((world) => simulate(RangeScan, world).ratio))).toBeLessThanOrEqual(1.04 * stepper)
    })
})

describe("what is planned", () => {
  const seeds = isDeep ? [201, 202, 203, 204, 205, 206, 207] : [201]
  const tried = makers.filter(([name]) => isDeep || worldsInLanding.has(name) || contractsInLanding.has(name))

  it("is what a scan takes that has seen the ends of its range, in 75 to 85 cases of 100", () => {
    const scans = tried.flatMap(([, make]) => seeds.map((seed) => plannedByEnds(RangeScan, make(seed))))
    const inside = scans.filter(({ calls, high, low }) => low <= calls && calls <= high).length / scans.length
    const ratios = scans.map(({ calls, likely }) => calls / likely).toSorted((left, right) => left - right)
    const median = ratios[Math.floor(ratios.length / 2)] ?? 0
    if (!isDeep) return expect(inside).toBeGreaterThan(0.5)
    expect(inside).toBeGreaterThanOrEqual(0.75)
    expect(inside).toBeLessThanOrEqual(0.85)
    expect(median).toBeGreaterThanOrEqual(0.9)
    expect(median).toBeLessThanOrEqual(1.1)
  })

  it("is exactly what a scan takes of a range that was read before, at most 1.1 times the fewest calls, or one more", () => {
    for (const [name, make] of tried)
      for (const seed of seeds) {
        const again = plannedAgain(RangeScan, make(seed))
        expect([name, again.low, again.likely, again.high]).toEqual([name, again.calls, again.calls, again.calls])
        const fewest = again.calls / again.ratio
        expect(again.calls).toBeLessThanOrEqual(Math.max(1.1 * fewest, fewest + 1))
      }
  })
})

describe("lanes", () => {
  it("make a steady world several times as fast, and a wild one no dearer than its target", () => {
    const steady = simulate(RangeScan, worlds.uniform?.(seed) ?? never(), { lanes: 4 })
    expect(steady.calls / steady.rounds).toBeGreaterThan(3)
    const capped = simulate(RangeScan, worlds.sparse?.(seed) ?? never(), { lanes: 8, span: 10_000 })
    expect(capped.ratio).toBeLessThanOrEqual(1.02)
    expect(capped.calls / capped.rounds).toBeGreaterThan(4)
  })
})

describe("lanes take at most 1.5 times the shortest possible time on a steady chain", () => {
  const checkTime = (offered: number, lanes: number, span?: number) =>
    it(`${offered} of ${lanes} lanes are used, with ${span ?? "no"} blocks at most`, () => {
      const world = worlds.uniform?.(seed) ?? never()
      const options = span === undefined ? {} : { span }
      const { rounds } = simulate(RangeScan, world, { lanes, ...options })
      const shortest = (count: number) => Math.ceil(fewestCalls(world, 10_000, span) / count)
      expect(rounds).toBeLessThanOrEqual(1.5 * shortest(offered))
      expect(rounds).toBeGreaterThan(shortest(2 * offered))
      expect(rounds).toBeLessThanOrEqual(simulate(RangeScan, world, { lanes: offered, ...options }).rounds)
    })
  checkTime(2, 2)
  checkTime(4, 4)
  checkTime(4, 8)
  checkTime(8, 8, 2_000)
  checkTime(16, 16, 2_000)
})

describe("an endpoint that is not as documented", () => {
  it("with a lower limit is learned", () => {
    const run = simulate(RangeScan, worlds.uniform?.(seed) ?? never(), { limit: 7_000, assumed: 10_000 })
    expect(run.ratio).toBeLessThanOrEqual(1.4)
  })
  it("whose answers do not show where their items lie costs little more", () => {
    const run = simulate(RangeScan, worlds.diurnal?.(seed) ?? never(), { stretches: false })
    expect(run.ratio).toBeLessThanOrEqual(1.45)
  })
})

const never = (): never => {
  throw new Error("there is no such world")
}
