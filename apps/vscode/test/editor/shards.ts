/**
 * Runs every flow, or those of the files that are named: those of the web host beside the others, as each waits for its own
 * server and browser most of the time. What is measured by the clock comes afterwards, alone.
 *
 *     node test/editor/shards.ts limits rows
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"

const folder = import.meta.dirname
const wanted = process.argv.slice(2).map((name) => `${name}.flow.ts`)
const found = readdirSync(folder).filter((name) => name.endsWith(".flow.ts"))
const chosen = wanted.length === 0 ? found : found.filter((name) => wanted.includes(name))
if (chosen.length < Math.max(1, wanted.length)) throw new Error(`There are only these flows: ${found.join(", ")}`)
const measured = new Set(["many.flow.ts", "weight.flow.ts", "typing.flow.ts"])
const isMeasured = (name: string): boolean => measured.has(name)
const flows = chosen.filter((name) => !isMeasured(name))

/** The name of every flow in a browser's worker says so. */
const ofWeb = "web host|browser"

/** One process for all, so that windows share their server and browser. A test that hangs fails, and keeps nothing from ending. */
const isolation = ["--test-isolation=none", "--test-timeout=600000", "--test-force-exit"]

interface Outcome {
  readonly passed: boolean
  readonly failed: ReadonlySet<string>
}

const run = async (
  mark: string,
  files: ReadonlyArray<string>,
  patterns: ReadonlyArray<string> = [],
): Promise<Outcome> => {
  const failed = new Set<string>()
  if (files.length === 0) return { passed: true, failed }
  const paths = files.map((name) => join(folder, name))
  const child = spawn(process.execPath, ["--test", ...isolation, ...patterns, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    process.stdout.write(`${mark} ${line}\n`)
    const name = /^✖ (.+) \(\d[\d.]*ms\)$/.exec(stripVTControlCharacters(line))?.[1]
    if (name !== undefined) failed.add(name)
  })
  const read = once(lines, "close")
  const [code] = await once(child, "exit")
  // A program that outlives the tests may hold the pipe: what they had to say was said.
  await Promise.race([read, pause(5_000, undefined, { ref: false })])
  return { passed: code === 0, failed }
}

/** Two editors on a busy machine may be too slow for a flow: one that failed is run once more, alone, and has to pass then. */
const again = async (outcomes: ReadonlyArray<Outcome>): Promise<boolean> => {
  const names = outcomes.flatMap(({ failed }) => [...failed])
  if (names.length === 0 || names.length > mostAgain) return outcomes.every(({ passed }) => passed)
  process.stdout.write(`again, alone: ${names.join(" · ")}\n`)
  const patterns = names.map((name) => `--test-name-pattern=^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`)
  return (await run("again", flows, patterns)).passed
}

/** More than these have a reason of their own. */
const mostAgain = 12

const beside = await again(
  await Promise.all([
    run("node", flows, [`--test-skip-pattern=${ofWeb}`]),
    run("web ", flows, [`--test-name-pattern=${ofWeb}`]),
  ]),
)
const alone = await run("time", chosen.filter(isMeasured))
process.exitCode = beside && alone.passed ? 0 : 1
