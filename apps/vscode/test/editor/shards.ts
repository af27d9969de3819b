/**
 * Runs every flow in the node host, and in the web host those that do something by other means there; or the flows of the
 * files that are named, in both. Two lanes run beside each other, as each waits for its own server and browser much of the time.
 * What is measured by the clock comes afterwards, alone.
 *
 *     node test/editor/shards.ts
 *     node test/editor/shards.ts limits rows
 *     node test/editor/shards.ts --all
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"

const folder = import.meta.dirname
const given = process.argv.slice(2)
/** The usual run: no file is named, and not every flow of the web host is asked for. */
const isUsual = given.length === 0
const wanted = given.filter((name) => name !== "--all").map((name) => `${name}.flow.ts`)
const found = readdirSync(folder).filter((name) => name.endsWith(".flow.ts"))
const chosen = wanted.length === 0 ? found : found.filter((name) => wanted.includes(name))
if (chosen.length < Math.max(1, wanted.length)) throw new Error(`There are only these flows: ${found.join(", ")}`)
const measured = new Set(["many.flow.ts", "weight.flow.ts", "typing.flow.ts"])
const isMeasured = (name: string): boolean => measured.has(name)
const flows = chosen.filter((name) => !isMeasured(name))

/** The name of every flow in a browser's worker says so. */
const ofWeb = "web host|browser"

/**
 * What runs in a browser's worker each time: there the extension reaches files, secrets, its storage, servers, plugins and its
 * own pages by other means. All else is the same code in both hosts: it runs there when it is named, and with `--all`.
 */
const ofWebEachTime = [
  "browser",
  "the extension works",
  "documents are understood",
  "cells are understood",
  "a network is added from a URL",
  "a request is run and its result follows it",
  "a request is stopped and keeps its key to itself",
  "a secret that is missing is set by one click",
  "an untrusted folder reads no keys",
  "runs are kept, opened, compared and run again",
  "why there are no recordings is said",
]

/** One process for all, so that windows share their server and browser. A test that hangs fails, and keeps nothing from ending. */
const isolation = ["--test-isolation=none", "--test-timeout=600000", "--test-force-exit"]

interface Outcome {
  readonly passed: boolean
  /** The names of flows that were run, and of those that failed. */
  readonly ran: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
}

const run = async (
  mark: string,
  files: ReadonlyArray<string>,
  patterns: ReadonlyArray<string> = [],
): Promise<Outcome> => {
  const ran = new Set<string>()
  const failed = new Set<string>()
  if (files.length === 0) return { passed: true, ran, failed }
  const paths = files.map((name) => join(folder, name))
  const env = isUsual ? { VSCODE_HOST_PICTURES: "failures", ...process.env } : process.env
  const child = spawn(process.execPath, ["--test", ...isolation, ...patterns, ...paths], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    process.stdout.write(`${mark} ${line}\n`)
    const [, sign, name] = /^([✔✖]) (.+) \(\d[\d.]*ms\)$/.exec(stripVTControlCharacters(line)) ?? []
    if (name === undefined) return
    ran.add(name)
    if (sign === "✖") failed.add(name)
  })
  const read = once(lines, "close")
  const [code] = await once(child, "exit")
  // A program that outlives the tests may hold the pipe: what they had to say was said.
  await Promise.race([read, pause(5_000, undefined, { ref: false })])
  return { passed: code === 0, ran, failed }
}

/**
 * Two editors on a busy machine may be too slow for a flow, and other work of the machine disturbs what is measured: one that
 * failed is run once more, alone, and has to pass then.
 */
const again = async (outcomes: ReadonlyArray<Outcome>, files: ReadonlyArray<string>): Promise<boolean> => {
  const names = outcomes.flatMap(({ failed }) => [...failed])
  if (names.length === 0 || names.length > mostAgain) return outcomes.every(({ passed }) => passed)
  process.stdout.write(`again, alone: ${names.join(" · ")}\n`)
  const patterns = names.map((name) => `--test-name-pattern=^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`)
  return (await run("again", files, patterns)).passed
}

/** More than these have a reason of their own. */
const mostAgain = 12

const inNode = (files: ReadonlyArray<string>): Promise<Outcome> => run("node", files, [`--test-skip-pattern=${ofWeb}`])

let allFound = true

/** A name in the list above that no flow has any more would silently leave one out. */
const inWeb = async (): Promise<Outcome> => {
  if (!isUsual) return run("web ", flows, [`--test-name-pattern=${ofWeb}`])
  const named = (name: string): string => (name === "browser" ? name : `^${name}.* web host$`)
  const outcome = await run(
    "web ",
    flows,
    ofWebEachTime.map((name) => `--test-name-pattern=${named(name)}`),
  )
  const missing = ofWebEachTime.filter((name) => ![...outcome.ran].some((flow) => new RegExp(named(name)).test(flow)))
  for (const name of missing) process.stdout.write(`There is no flow in the web host that begins with "${name}"\n`)
  allFound = missing.length === 0
  return outcome
}

/** Files of two lanes that take about as long: the second one also runs what is run in the web host. */
const firstLane = flows.filter((_, index) => isUsual && index % 3 !== 2)
const secondLane = flows.filter((name) => !firstLane.includes(name))

const inSecondLane = async (): Promise<ReadonlyArray<Outcome>> => {
  if (!isUsual) return Promise.all([inNode(secondLane), inWeb()])
  return [await inWeb(), await inNode(secondLane)]
}

const [first, second] = await Promise.all([inNode(firstLane), inSecondLane()])
const beside = await again([first, ...second], flows)
const timed = chosen.filter(isMeasured)
const alone = await again([await run("time", timed)], timed)
process.exitCode = beside && alone && allFound ? 0 : 1
