/**
 * `pnpm bench`: measures every contender in fresh processes, in rounds, and writes the tables of `docs/benchmarks.md`
 * between their markers. `pnpm bench calls` measures one suite; `--rounds 9` makes the medians steadier.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as accounts from "./accounts.ts"
import * as calls from "./calls.ts"
import * as decode from "./decode.ts"
import { inRounds, measureApart, median } from "./measure.ts"
import * as scan from "./scan.ts"

const document = join(import.meta.dirname, "../../../docs/benchmarks.md")

type Figures = ReadonlyMap<string, ReadonlyArray<number>>

const callsTable = (figures: Figures): string =>
  table(
    ["contender", "× fetch", "CPU per call", "spread"],
    byMedian(figures).map((name) => [
      name,
      ratio(figures, name, "fetch and JSON.parse"),
      `${median(figures.get(name) ?? []).toFixed(0)} µs`,
      spread(figures.get(name) ?? []),
    ]),
  )

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

const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [
    `| ${columns.join(" | ")} |`,
    `|---|${columns
      .slice(1)
      .map(() => "--:|")
      .join("")}`,
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n")

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

const machine = (rounds: number): string =>
  `Node ${process.version.slice(1)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), medians of ${rounds} rounds.`

const suites: Readonly<Record<string, (rounds: number) => Promise<string>>> = {
  calls: async (rounds) =>
    `${machine(rounds)}\n\n${callsTable(await inRounds(rounds, calls.contenders, (name) => measureApart("calls", name)))}`,
  decode: async (rounds) =>
    `${machine(rounds)}\n\n${decodeTable(await inRounds(rounds, decode.contenders, (name) => measureApart("decode", name)))}`,
  accounts: async (rounds) =>
    `${machine(rounds)}\n\n${accountsTable(await inRounds(rounds, accounts.contenders, (name) => measureApart("accounts", name)))}`,
  scan: async () => table(scan.columns, scan.rows()),
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new RangeError(`--rounds must be at least 1; it is ${values.rounds}.`)
const unknown = positionals.find((name) => !(name in suites))
if (unknown !== undefined)
  throw new Error(`There is no suite "${unknown}"; there are ${Object.keys(suites).join(", ")}.`)

for (const [name, run] of Object.entries(suites)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  process.stdout.write(`${name} …\n`)
  const written = await run(rounds)
  process.stdout.write(`${written}\n\n`)
  const text = readFileSync(document, "utf8")
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no ${begin} … ${end}`)
  writeFileSync(document, `${text.slice(0, from + begin.length)}\n${written}\n${text.slice(to)}`)
}
