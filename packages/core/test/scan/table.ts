/**
 * Calls over the fewest possible, world by world, for the planner and for other ways to scan. Run as a program it prints
 * the table of `docs/scan.md`: `node --conditions=dotrpc-source packages/core/test/scan/table.ts`.
 */
import { pathToFileURL } from "node:url"
import { simulate } from "./simulate.ts"
import { bisection, fixed, growingStep } from "./strategies.ts"
import { fewestCalls, type World, worlds } from "./worlds.ts"

export interface Row {
  readonly world: string
  /** The fewest calls, on average. */
  readonly fewest: number
  /** Ratios, in the order of `columns`. */
  readonly ratios: ReadonlyArray<number>
}

export const columns = [
  "planner, 1 lane",
  "8 lanes",
  "hints, 1 lane",
  "hints, 8 lanes",
  "fixed 2,000",
  "fixed 10,000",
  "bisection",
  "growing step",
] as const

const ways: ReadonlyArray<(world: World) => number> = [
  (world) => simulate(world, { lanes: 1 }).ratio,
  (world) => simulate(world, { lanes: 8 }).ratio,
  (world) => simulate(world, { lanes: 1, hints: true }).ratio,
  (world) => simulate(world, { lanes: 8, hints: true }).ratio,
  (world) => fixed(2_000)(world, {}).ratio,
  (world) => fixed(10_000)(world, {}).ratio,
  (world) => bisection(world, {}).ratio,
  (world) => growingStep(world, {}).ratio,
]

/** One row per world, averaged over the seeds. */
export const table = (seeds: ReadonlyArray<number>, names = Object.keys(worlds)): ReadonlyArray<Row> =>
  names.map((name) => {
    const made = seeds.flatMap((seed) => worlds[name]?.(seed) ?? [])
    const mean = (of: (world: World) => number) => made.reduce((sum, world) => sum + of(world), 0) / made.length
    return { world: name, fewest: mean((world) => fewestCalls(world, 10_000)), ratios: ways.map(mean) }
  })

/** As Markdown. */
export const show = (rows: ReadonlyArray<Row>): string =>
  [
    `| world | fewest calls | ${columns.join(" | ")} |`,
    `|---|--:|${columns.map(() => "--:").join("|")}|`,
    ...rows.map(
      ({ fewest, ratios, world }) =>
        `| ${world} | ${Math.round(fewest)} | ${ratios.map((ratio) => ratio.toFixed(ratio < 10 ? 2 : 0)).join(" | ")} |`,
    ),
  ].join("\n")

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.stdout.write(`${show(table([101, 102, 103, 104, 105]))}\n`)
