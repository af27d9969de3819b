/**
 * `pnpm test:chaos`: runs rounds of every suite until the time is up and prints what they counted. A broken promise fails it and
 * says with which seed. `--seed 7` takes other choices, `--minutes 120` takes longer, `--suite ledgers` runs one suite and
 * `--round 4` one of its rounds.
 */
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { randomFrom } from "./Random.ts"
import type { Round } from "./Suite.ts"
import { suites } from "./suites.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "1.2" },
    suite: { type: "string" },
    round: { type: "string" },
  },
})
const [seed, minutes] = [Number(values.seed), Number(values.minutes)]
if (!Number.isSafeInteger(seed) || !(minutes > 0))
  throw new Error("Write --seed with a whole number, and --minutes with a number above 0.")
const chosen = suites.filter(({ name }) => values.suite === undefined || name === values.suite)
if (chosen.length === 0)
  throw new Error(`There is no suite "${values.suite}"; expected one of ${suites.map(({ name }) => name).join(", ")}.`)

const tableOf = (rounds: ReadonlyArray<Round>): string => {
  const columns = [...new Set(rounds.flatMap(({ figures }) => Object.keys(figures)))]
  const names = [...new Set(rounds.map(({ row }) => row))].toSorted()
  const rows = names.map((row) => {
    const of = rounds.filter((round) => round.row === row)
    const cells = columns.map((column) => {
      const all = of.flatMap(({ figures }) => figures[column] ?? [])
      const figure = column.startsWith("most") ? Math.max(0, ...all) : all.reduce((sum, one) => sum + one, 0)
      return (Number.isInteger(figure) ? figure : Number(figure.toFixed(2))).toLocaleString("en-US")
    })
    return `| ${[row, of.length, ...cells].join(" | ")} |`
  })
  const ruler = `|---|${"---:|".repeat(columns.length + 1)}`
  return [`| | ${["rounds", ...columns].join(" | ")} |`, ruler, ...rows, ""].join("\n")
}

/** A round takes seconds, and minutes on a machine that is busy with other things. */
const patiently = (number: number, round: Promise<Round>): Promise<Round> =>
  Promise.race([
    round,
    wait(180_000, undefined, { ref: false }).then(() => {
      throw new Error(`Round ${number} of --seed ${seed} does not end.`)
    }),
  ])

let isBroken = false
for (const make of chosen) {
  const suite = await make.open()
  const rounds: Array<Round> = []
  const end = performance.now() + (minutes * 60_000) / chosen.length
  try {
    const first = Number(values.round ?? 0)
    for (let number = first; number === first || (values.round === undefined && performance.now() < end); number++) {
      const round = await patiently(number, suite.round(number, randomFrom(seed * 1_000_003 + number)))
      rounds.push(round)
      for (const promise of round.broken) {
        isBroken = true
        process.stderr.write(`${make.name}, --seed ${seed} --round ${number}, ${round.row}: ${promise}\n`)
      }
      if (round.broken.length > 0) process.stderr.write(`after ${round.events.join(", ")}\n`)
    }
  } finally {
    await suite.close()
  }
  process.stdout.write(`\n${make.name}, --seed ${seed}\n\n${tableOf(rounds)}`)
}
process.exitCode = isBroken ? 1 : 0
