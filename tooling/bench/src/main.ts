/**
 * `pnpm bench`: measures every contender in fresh processes, in rounds, and writes the tables of `docs/benchmarks.md`
 * and of the README beside it between their markers. `pnpm bench calls` measures one suite; `--rounds 9` makes the medians steadier.
 *
 * `pnpm bench replay --logs 10000000` measures programs that read so many logs. `--ponder FOLDER` adds ponder, which is not in the lockfile:
 * `npm install ponder hono viem` in any folder installs it. `--only viem --only backfill` measures some programs, and writes no table.
 */
import { parseArgs } from "node:util"
import * as accounts from "./accounts.ts"
import * as backfillCalls from "./backfillCalls.ts"
import * as calls from "./calls.ts"
import * as decode from "./decode.ts"
import { machine, table, writeSection } from "./document.ts"
import * as files from "./files.ts"
import * as ledgers from "./ledgers.ts"
import * as longReplies from "./longReplies.ts"
import { inRounds, measureApart, median } from "./measure.ts"
import * as pace from "./pace.ts"
import * as plan from "./plan.ts"
import * as replay from "./replay.ts"
import * as scaling from "./scaling.ts"
import * as scan from "./scan.ts"
import * as start from "./start.ts"
import * as storeLoad from "./storeLoad.ts"

type Figures = ReadonlyMap<string, ReadonlyArray<number>>

const callsText = async (rounds: number): Promise<string> => {
  const parts = [`${machine()}; ${medians(rounds)}; in each cell Node 20 · Node 24.`]
  for (const way of ["http", "ws"] as const) parts.push(table(calls.columns, await calls.rows(way, rounds)))
  parts.push(table(calls.memoryColumns, await calls.memoryRows()))
  return parts.join("\n\n")
}

const decodeTable = (figures: Figures): string => {
  const [alike, distinct] = decode.likenesses
  const names = byMedian(figures).flatMap((name) => (name.endsWith(`: ${alike}`) ? [name.split(": ")[0] ?? ""] : []))
  const cell = (name: string, likeness: string) => ratio(figures, `${name}: ${likeness}`, `JSON.parse: ${likeness}`)
  return table(
    [
      "contender",
      `× JSON.parse, ${alike}`,
      `× JSON.parse, ${distinct}`,
      "CPU",
      "checks every value",
      "keeps every digit",
    ],
    names.map((name) => [
      name,
      cell(name, alike),
      cell(name, distinct),
      `${(median(figures.get(`${name}: ${alike}`) ?? []) / 1_000).toFixed(0)} ms`,
      decode.checks.has(name) ? "yes" : "no",
      name === "dotrpc" ? "yes" : "no",
    ]),
  )
}

const accountsTable = (figures: Figures): string =>
  table(
    ["contender", "reads", "× dotrpc", "CPU per account"],
    accounts.kinds.flatMap((kind) =>
      byMedian(figures)
        .filter((name) => name.endsWith(`: ${kind}`))
        .map((name) => [
          name.split(": ")[0] ?? "",
          kind,
          ratio(figures, name, `dotrpc: ${kind}`),
          `${median(figures.get(name) ?? []).toFixed(1)} µs`,
        ]),
    ),
  )

const ledgersTable = (figures: Figures): string =>
  table(
    ["ledger", "CPU per call", "spread"],
    byMedian(figures).map((name) => [
      name,
      `${median(figures.get(name) ?? []).toFixed(1)} µs`,
      spread(figures.get(name) ?? []),
    ]),
  )

const filesTable = (figures: Figures): string => {
  const [small, large] = files.sizes
  const cpu = (name: string) => `${(median(figures.get(name) ?? []) / 1_000).toFixed(0)} ms`
  return table(
    ["feature", `${small.toLocaleString("en")} sections`, `${large.toLocaleString("en")} sections`, "growth"],
    files.features.map((name) => [
      name,
      cpu(`${name}: ${small}`),
      cpu(`${name}: ${large}`),
      ratio(figures, `${name}: ${large}`, `${name}: ${small}`),
    ]),
  )
}

const startTable = (figures: Figures): string =>
  table(
    ["process", "× node -e 0", "CPU", "spread"],
    byMedian(figures).map((name) => [
      `\`${name}\``,
      ratio(figures, name, start.bare),
      `${(median(figures.get(name) ?? []) / 1_000).toFixed(0)} ms`,
      spread((figures.get(name) ?? []).map((micros) => micros / 1_000)),
    ]),
  )

const byMedian = (figures: Figures): ReadonlyArray<string> =>
  [...figures.keys()].toSorted((left, right) => median(figures.get(left) ?? []) - median(figures.get(right) ?? []))

/** The median of the ratios of each round, whose two figures were taken shortly after each other. */
const ratio = (figures: Figures, name: string, base: string): string => {
  const against = figures.get(base) ?? []
  const ratios = (figures.get(name) ?? []).map((figure, round) => figure / (against[round] ?? Number.NaN))
  const value = median(ratios)
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

const spread = (values: ReadonlyArray<number>): string =>
  `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`

const medians = (rounds: number): string => (rounds === 1 ? "one round" : `medians of ${rounds} rounds`)

/** Measures every contender of a suite and shows the figures. */
const measured =
  (suite: string, contenders: ReadonlyArray<string>, show: (figures: Figures) => string) => async (rounds: number) => {
    const figures = await inRounds(rounds, contenders, (name) => measureApart(suite, name))
    return `${machine()}; ${medians(rounds)}.\n\n${show(figures)}`
  }

/** Writes a section with each row as it comes: where that takes an hour, what was measured stays, whatever happens to the rest. */
const written = async (
  name: string | undefined,
  head: string,
  columns: ReadonlyArray<string>,
  rows: AsyncIterable<ReadonlyArray<string>>,
): Promise<string> => {
  const found: Array<ReadonlyArray<string>> = []
  let text = head
  for await (const row of rows) {
    found.push(row)
    process.stdout.write(`${row.join(" | ")}\n`)
    text = `${head}\n\n${table(columns, found)}`
    if (name !== undefined) writeSection(name, text)
  }
  return text
}

/** Each number of logs has its own section. One of some programs is not written: ratios are those of one run. */
const replaySection = (): string | undefined =>
  values.only.length > 0 ? undefined : `replay of ${logs.toLocaleString("en")} logs`

const suites: Readonly<Record<string, (rounds: number) => string | Promise<string>>> = {
  calls: callsText,
  decode: measured("decode", decode.contenders, decodeTable),
  replies: async (rounds) =>
    `${machine()}; ${medians(rounds)}.\n\n${table(longReplies.columns, await longReplies.rows(rounds))}`,
  accounts: measured("accounts", accounts.contenders, accountsTable),
  ledgers: measured("ledgers", ledgers.contenders(), ledgersTable),
  files: measured("files", files.contenders, filesTable),
  start: async (rounds) => {
    const figures = await start.withHome((measure) => inRounds(rounds, start.contenders, measure))
    return `${machine()}; ${medians(rounds)}.\n\n${startTable(figures)}`
  },
  pace: async () =>
    [
      table(pace.refusalColumns, await pace.refusalRows()),
      table(pace.latencyColumns, await pace.latencyRows()),
      table(pace.returnColumns, await pace.returnRows()),
    ].join("\n\n"),
  scan: () => table(scan.columns, scan.rows()),
  contracts: () => table(scan.contractColumns, scan.contractRows()),
  plan: () => table(plan.columns, plan.rows()),
  lanes: () => table(scan.laneColumns, scan.laneRows()),
  replay: () => {
    const head = `${machine()}; one round, ${logs.toLocaleString("en")} logs, each call answered after ${replayMillis} ms at the earliest.`
    const programs = replay.selected(values)
    return written(replaySection(), head, replay.columns, replay.rows(programs, logs, replayMillis))
  },
  scaling: () => {
    const head = `${machine()}; one round, each call answered after ${scaling.millis} ms.`
    return written("scaling", head, scaling.columns, scaling.rows())
  },
  stores: () => written("stores", `${machine()}; one round.`, storeLoad.columns, storeLoad.rows()),
  backfill: async () => table(backfillCalls.columns, await backfillCalls.rows()),
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    logs: { type: "string", default: "1000000" },
    only: { type: "string", multiple: true, default: [] },
    ponder: { type: "string" },
  },
})
/** Logs of the chain that several programs read. */
const logs = Number(values.logs)
/** As a server in the same data centre. */
const replayMillis = 20
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new RangeError(`--rounds must be at least 1; it is ${values.rounds}.`)
/** Measures and writes by itself, without rounds of processes. */
const parser = "parser"
const names = [...Object.keys(suites), parser]
const unknown = positionals.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`There is no suite "${unknown}"; there are ${names.join(", ")}.`)

for (const [name, run] of Object.entries(suites)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  process.stdout.write(`${name} …\n`)
  const written = await run(rounds)
  process.stdout.write(`${written}\n\n`)
  // It has written its sections itself.
  if (name !== "replay") writeSection(name, written)
}

if (positionals.length === 0 || positionals.includes(parser)) await import("./parser.ts")
