/**
 * `pnpm test:chaos`: plays the rounds of a landing of every suite, ten times as many where `TEST_DEEP` is set, and prints what they
 * counted. A broken promise fails it and says with which seed. `--seed 7` takes other choices, `--rounds 20` plays so many of each
 * suite and `--minutes 120` all that fit in that time, `--suite ledgers` plays one suite and `--round 4` one of its rounds.
 */
import { appendFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { inspect, parseArgs } from "node:util"
import { forMinutes } from "./deep/minutes.ts"
import { randomFrom } from "./Random.ts"
import type { Round } from "./Suite.ts"
import { type NamedSuite, suites } from "./suites.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    rounds: { type: "string" },
    minutes: { type: "string" },
    suite: { type: "string" },
    round: { type: "string" },
  },
})

/** A number that was written as an option, or `undefined` where none was. */
const numberOf = (name: keyof typeof values, isFit: (value: number) => boolean, expected: string) => {
  const text = values[name]
  const value = text === undefined ? undefined : Number(text)
  if (value !== undefined && !isFit(value)) throw new Error(`Write --${name} with ${expected}.`)
  return value
}
const isWhole = (value: number) => Number.isSafeInteger(value) && value >= 0
const seed = numberOf("seed", Number.isSafeInteger, "a whole number") ?? 1
const rounds = numberOf("rounds", (value) => isWhole(value) && value > 0, "a whole number, 1 or more")
const minutes = numberOf("minutes", (value) => value > 0, "a number above 0")
const only = numberOf("round", isWhole, "a whole number, 0 or more")
const chosen = suites.filter(({ name }) => values.suite === undefined || name === values.suite)
if (chosen.length === 0)
  throw new Error(`There is no suite "${values.suite}"; expected one of ${suites.map(({ name }) => name).join(", ")}.`)

const isDeep = (process.env["TEST_DEEP"] ?? "") !== ""

/** Suites that are played at a time: most rounds wait for their processes, or for a lease to end. */
const lanes = 2

/** Whether a suite plays another round. */
const choice = (suite: NamedSuite): ((number: number) => boolean) => {
  if (only !== undefined) return (number) => number === only
  if (minutes === undefined) {
    const all = rounds ?? (isDeep ? 10 * suite.rounds : suite.rounds)
    return (number) => number < all
  }
  const isTime = forMinutes((minutes * Math.min(lanes, chosen.length)) / chosen.length)
  return (number) => number === 0 || isTime()
}

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

/** Ends what hangs. The longest round takes half a minute; this is twenty times that. */
const longestRound = 600_000

const patiently = (suite: string, number: number, round: Promise<Round>): Promise<Round> =>
  Promise.race([
    round,
    wait(longestRound, undefined, { ref: false }).then(() => {
      throw new Error(`${suite}, --seed ${seed} --round ${number} does not end.`)
    }),
  ])

const play = async (named: NamedSuite): Promise<ReadonlyArray<Round>> => {
  const isNext = choice(named)
  const suite = await named.open()
  const played: Array<Round> = []
  try {
    for (let number = only ?? 0; isNext(number); number++) {
      const choices = randomFrom(seed * 1_000_003 + number)
      const round = await patiently(named.name, number, suite.round(number, choices))
      played.push(round)
      for (const promise of round.broken)
        process.stderr.write(`${named.name}, --seed ${seed} --round ${number}, ${round.row}: ${promise}\n`)
      if (round.broken.length > 0) process.stderr.write(`after ${round.events.join(", ")}\n`)
    }
  } finally {
    await suite.close()
  }
  process.stdout.write(`\n${named.name}, --seed ${seed}\n\n${tableOf(played)}`)
  return played
}

/** Adds what was counted to the file that `TEST_TALLY` names, as the suites of vitest do: `passed failed again`. */
const tally = (passed: number, failed: number): void => {
  const file = process.env["TEST_TALLY"] ?? ""
  if (file !== "") appendFileSync(file, `${passed} ${failed} 0\n`)
}

const left = [...chosen]
const played: Array<Round> = []
/** What a round died of: it counts as one that failed. */
const errors: Array<unknown> = []
const lane = async (): Promise<void> => {
  for (let next = left.shift(); next !== undefined; next = left.shift())
    try {
      played.push(...(await play(next)))
    } catch (error) {
      errors.push(error)
    }
}
await Promise.all(Array.from({ length: lanes }, lane))
for (const error of errors) process.stderr.write(`${inspect(error)}\n`)
const broken = played.filter(({ broken }) => broken.length > 0).length
tally(played.length - broken, broken + errors.length)
// A round that does not end must not keep the process.
process.exit(broken + errors.length > 0 ? 1 : 0)
