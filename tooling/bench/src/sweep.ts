/**
 * `pnpm --filter @dotrpc/bench sweep`: how many calls a scan of made-up chains takes with each number of the forecast at half
 * and at twice what was chosen, on chains that it was not chosen on. Writes the table of `docs/benchmarks.md`, after some
 * minutes; `--seeds 1,2` are the chains it was chosen on, and names of numbers try those alone. Both print and write nothing.
 */
import { parseArgs } from "node:util"
import { RangeScan } from "@dotrpc/core"
import { type Planner, simulate, worlds } from "@dotrpc/scan-worlds"
import { table, writeSection } from "./document.ts"

type Tuning = RangeScan.ForecastTuning

/** One number of the forecast. */
interface Knob {
  readonly name: string
  readonly chosen: number
  readonly set: (value: number) => Tuning
}

const { tuning } = RangeScan.plan({ from: 0, to: 0 })

const knobs: ReadonlyArray<Knob> = Object.entries(tuning).flatMap(([name, value]: [string, unknown]) => {
  if (typeof value === "number") return [{ name, chosen: value, set: (other) => ({ ...tuning, [name]: other }) }]
  return tuning.looks.map((chosen, index): Knob => ({
    name: `looks[${index}]`,
    chosen,
    set: (other) => {
      const [nearest, short, middle, long] = tuning.looks.with(index, other) as [number, number, number, number]
      return { ...tuning, looks: [nearest, short, middle, long] }
    },
  }))
})

/** The same planner with other numbers. */
const plannerWith = (tuning: Tuning): Planner<RangeScan.ScanPlan> => ({
  ...RangeScan,
  plan: (options) => ({
    ...RangeScan.plan(options),
    tuning,
    markDistance: Math.max(1, Math.ceil(options.limit / tuning.stretchesPerCall)),
  }),
})

/** Half and twice a number that counts something stay whole. */
const scaled = ({ chosen }: Knob, factor: number): number | undefined => {
  const value = chosen * factor
  if (!Number.isInteger(chosen)) return value
  const whole = Math.max(1, Math.round(value))
  return whole === chosen ? undefined : whole
}

interface Figures {
  /** Calls over the fewest possible. */
  readonly alone: number
  readonly lanes: number
  /** Calls in flight together, with 8 lanes. */
  readonly together: number
}

/** Chains of which the fewest calls are a few tell nothing here. */
const left = new Set(["sparse", "fits"])

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "101,102" } },
})
const seeds = values.seeds.split(",").map(Number)
const tried = knobs.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

const variants = new Map<string, Tuning>([["chosen", tuning]])
for (const knob of tried)
  for (const [name, factor] of [
    ["half", 1 / 2],
    ["twice", 2],
  ] as const) {
    const value = scaled(knob, factor)
    if (value !== undefined) variants.set(`${knob.name} ${name}`, knob.set(value))
  }

/** One chain at a time, as each takes 16 MB. */
const sums = new Map<string, Figures>()
let chains = 0
for (const [name, make] of Object.entries(worlds)) {
  if (left.has(name)) continue
  for (const seed of seeds) {
    const world = make(seed)
    chains++
    for (const [variant, tuning] of variants) {
      const planner = plannerWith(tuning)
      const alone = simulate(planner, world, { lanes: 1 })
      const lanes = simulate(planner, world, { lanes: 8 })
      const sum = sums.get(variant) ?? { alone: 0, lanes: 0, together: 0 }
      sums.set(variant, {
        alone: sum.alone + alone.ratio,
        lanes: sum.lanes + lanes.ratio,
        together: sum.together + lanes.calls / lanes.rounds,
      })
    }
    process.stderr.write(`${name}, seed ${seed}\n`)
  }
}

const cells = (variant: string): ReadonlyArray<string> => {
  const sum = sums.get(variant)
  const base = sums.get("chosen")
  if (sum === undefined || base === undefined) return ["–", "–", "–"]
  const change = (of: (figures: Figures) => number) => {
    const percent = (of(sum) / of(base) - 1) * 100
    return Math.abs(percent) < 0.05 ? "0" : `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)}`
  }
  return [change(({ alone }) => alone), change(({ lanes }) => lanes), change(({ together }) => together)]
}

const shown = (value: number | undefined): string => (value === undefined ? "–" : String(Number(value.toPrecision(3))))

const rows = tried.map((knob) => {
  const half = cells(`${knob.name} half`)
  const twice = cells(`${knob.name} twice`)
  const names = [`\`${knob.name}\``, shown(scaled(knob, 1 / 2)), shown(knob.chosen), shown(scaled(knob, 2))]
  return [...names, ...half.flatMap((cell, index) => [cell, twice[index] ?? "–"])]
})
const base = sums.get("chosen") ?? { alone: Number.NaN, lanes: Number.NaN, together: Number.NaN }
const mean = (sum: number) => (sum / chains).toFixed(3)
const columns = [
  "number",
  "half",
  "chosen",
  "twice",
  "1 lane: half",
  "twice",
  "8 lanes: half",
  "twice",
  "together: half",
  "twice",
]
const written = [
  `As chosen, over ${chains} chains: ${mean(base.alone)} times the fewest calls in 1 lane, ${mean(base.lanes)} in 8 lanes, and ${mean(base.together)} calls in flight together there.`,
  table(columns, rows),
].join("\n\n")
process.stdout.write(`${written}\n`)
if (positionals.length === 0 && values.seeds === "101,102") writeSection("sweep", written)
