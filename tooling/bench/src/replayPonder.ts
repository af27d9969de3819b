/**
 * ponder over the chain, with the project in `../ponder` and PostgreSQL, as its documentation has it for production. It is not in the lockfile: it
 * brings some 200 packages. `npm install ponder hono viem` in any folder installs it.
 */
import { freePort, startPostgres } from "@dotrpc/postgres"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { measuredProgram, type Took } from "./measuredProgram.ts"
import { cpuOf, processOf, watch } from "./processes.ts"

/** Where its program is. */
const programIn = (installed: string): string => join(installed, "node_modules/ponder/dist/esm/bin/ponder.js")

/** Throws when it is not installed there. */
export const checkInstalled = (installed: string): void => {
  if (!existsSync(programIn(installed)))
    throw new Error(`There is no ponder in ${installed}. Run there: npm install ponder hono viem`)
}

/** The version that is installed. */
export const versionOf = (installed: string): string =>
  (
    JSON.parse(readFileSync(join(installed, "node_modules/ponder/package.json"), "utf8")) as {
      readonly version: string
    }
  ).version

interface Place {
  readonly folder: string
  readonly url: string
  readonly last: number
}

/**
 * What it took, the rows of its table, and what the database took: milliseconds of CPU and the most megabytes at once. The endpoint is listed so
 * many times, each with the rate that ponder gives an endpoint.
 */
export const runPonder = async (installed: string, listed: number, { folder, last, url }: Place) => {
  cpSync(join(import.meta.dirname, "../ponder"), folder, { recursive: true })
  symlinkSync(join(installed, "node_modules"), join(folder, "node_modules"))
  // What is committed reaches the disk, as it does where somebody relies on it.
  await using postgres = await startPostgres({ fsync: "on" })
  const database = processOf(postgres.port)
  const before = cpuOf(database)
  const tree = watch(database, "Pss")
  try {
    const port = await freePort()
    const took: Took = await measuredProgram(
      [programIn(installed), "start", "--schema", schema, "--port", `${port}`, "--hostname", "127.0.0.1"],
      folder,
      {
        environment: {
          DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
          PONDER_TELEMETRY_DISABLED: "true",
          REPLAY_LAST: `${last}`,
          REPLAY_LISTED: `${listed}`,
          REPLAY_URL: url,
        },
        done: async (ended) => {
          while (!ended.aborted && !(await isReady(port))) await setTimeout(500)
        },
      },
    )
    const cpu = cpuOf(database) - before
    const rows = execFileSync("psql", [postgres.url, "-qtAc", `select count(*) from ${schema}.transfer`], {
      encoding: "utf8",
    })
    return { took, rows: Number(rows), database: { cpu, peak: tree.peak() } }
  } finally {
    tree.stop()
  }
}

const schema = "replay"

/** It serves an API from the start, and says there when it has caught up. */
const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
