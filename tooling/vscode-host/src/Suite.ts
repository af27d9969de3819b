/**
 * Runs files of flows by Node's own test runner, tries those that failed once more, and counts.
 *
 * A busy machine may make a flow fail that nothing is wrong with: it has to pass when it is tried again, in a window that no
 * other one has used. What had to be tried again is counted all the same, as many of them are a defect, of the flows or of what
 * they test: more than {@link mostAgain} fail the run.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"

import { longest } from "./Patience.ts"

export { findFlows } from "./Depth.ts"
export { longest, patience } from "./Patience.ts"

/** Files whose flows follow one another in one process, so that their windows share servers and browsers. */
export interface Batch {
  /** Stands before each line that is printed. */
  readonly mark: string
  /** Paths of files of `node:test`. */
  readonly files: ReadonlyArray<string>
  /** Arguments of `node --test` that choose flows by their names; all of them unless told. */
  readonly filter?: ReadonlyArray<string>
}

export interface Suite {
  /** Lanes run beside each other, and the batches of a lane one after the other. */
  readonly lanes: ReadonlyArray<ReadonlyArray<Batch>>
  /** Run afterwards, while nothing else is: what a clock measures. */
  readonly alone?: ReadonlyArray<Batch>
  /** Variables that flows see, besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** How many flows of a run may be tried again. */
const mostAgain = 2

/** When more than these fail, they have a reason in common, and trying them again only takes time. */
const mostTries = 12

/**
 * Runs a suite and says whether it passed. Adds `passed failed again` to the file that `TEST_TALLY` names: how many flows
 * passed and failed in the end, and how many were tried again.
 */
export async function runSuite({ lanes, alone = [], environment = {} }: Suite): Promise<boolean> {
  const env = { ...process.env, ...environment }
  const inTurn = async (batches: ReadonlyArray<Batch>): Promise<ReadonlyArray<Outcome>> => {
    const outcomes = new Array<Outcome>()
    for (const batch of batches) outcomes.push(await runBatch(batch, env))
    return outcomes
  }
  const beside = await Promise.all(lanes.map(inTurn))
  const outcomes = [...beside.flat(), ...(await inTurn(alone))]
  const failures = outcomes.flatMap(({ batch, failed }) => [...failed].map((name) => ({ batch, name })))
  const tried = failures.length > mostTries ? [] : failures
  const healed = new Array<string>()
  for (const { batch, name } of tried) if (await passesAgain(batch, name, env)) healed.push(name)
  const passed = outcomes.reduce((sum, { passed }) => sum + passed.size, 0) + healed.length
  // A process that ends by itself has not run all of its flows, and names none that failed.
  const failed = failures.length - healed.length + outcomes.filter(({ isBroken }) => isBroken).length
  report(passed, failed, tried.length)
  return failed === 0 && tried.length <= mostAgain
}

interface Outcome {
  readonly batch: Batch
  /** Names of flows. */
  readonly passed: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  /** Whether the process failed for another reason than a flow. */
  readonly isBroken: boolean
}

/** One process for all files. A test that hangs fails, and keeps nothing from ending. */
const isolation = ["--test-isolation=none", `--test-timeout=${2 * longest}`, "--test-force-exit"]

async function runBatch(batch: Batch, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { mark, files, filter = [] } = batch
  const passed = new Set<string>()
  const failed = new Set<string>()
  if (files.length === 0) return { batch, passed, failed, isBroken: false }
  const child = spawn(process.execPath, ["--test", ...isolation, ...filter, ...files], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    process.stdout.write(`${mark} ${line}\n`)
    const [, sign, name] = /^([✔✖]) (.+) \(\d[\d.]*ms\)$/.exec(stripVTControlCharacters(line)) ?? []
    if (name !== undefined) (sign === "✔" ? passed : failed).add(name)
  })
  const read = once(lines, "close")
  const [code] = await once(child, "exit")
  // A program that outlives the tests may hold the pipe: what they had to say was said.
  await Promise.race([read, pause(5_000, undefined, { ref: false })])
  return { batch, passed, failed, isBroken: code !== 0 && failed.size === 0 }
}

async function passesAgain(batch: Batch, name: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const pattern = `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`
  const alone = { ...batch, mark: "again", filter: [`--test-name-pattern=${pattern}`] }
  const { passed, isBroken } = await runBatch(alone, env)
  return passed.has(name) && !isBroken
}

function report(passed: number, failed: number, again: number): void {
  process.stdout.write(`${passed} passed, ${failed} failed, ${again} tried again\n`)
  if (again > mostAgain) process.stdout.write(`At most ${mostAgain} may be tried again: the others are defects.\n`)
  const tally = process.env["TEST_TALLY"] ?? ""
  if (tally !== "") appendFileSync(tally, `${passed} ${failed} ${again}\n`)
}
