/**
 * Runs every flow, or those of the files that are named: those of the web host beside the others, as each waits for its own
 * server and browser most of the time. What is measured by the clock comes afterwards, alone.
 *
 *     node test/editor/shards.ts limits rows
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { createInterface } from "node:readline"
import { join } from "node:path"

const folder = import.meta.dirname
const wanted = process.argv.slice(2).map((name) => `${name}.flow.ts`)
const found = readdirSync(folder).filter((name) => name.endsWith(".flow.ts"))
const chosen = wanted.length === 0 ? found : found.filter((name) => wanted.includes(name))
if (chosen.length < Math.max(1, wanted.length)) throw new Error(`There are only these flows: ${found.join(", ")}`)
const isMeasured = (name: string): boolean => name === "weight.flow.ts"
const flows = chosen.filter((name) => !isMeasured(name))

/** The name of every flow in a browser's worker says so. */
const ofWeb = "web host|browser"

/** Resolves with whether all of them passed. */
const run = async (
  mark: string,
  files: ReadonlyArray<string>,
  patterns: ReadonlyArray<string> = [],
): Promise<boolean> => {
  if (files.length === 0) return true
  const paths = files.map((name) => join(folder, name))
  const child = spawn(process.execPath, ["--test", "--test-isolation=none", ...patterns, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  createInterface({ input: child.stdout }).on("line", (line) => process.stdout.write(`${mark} ${line}\n`))
  const [code] = await once(child, "close")
  return code === 0
}

const beside = await Promise.all([
  run("node", flows, [`--test-skip-pattern=${ofWeb}`]),
  run("web ", flows, [`--test-name-pattern=${ofWeb}`]),
])
const alone = await run("time", chosen.filter(isMeasured))
process.exitCode = [...beside, alone].every(Boolean) ? 0 : 1
