/**
 * How the calls of a backfill grow with the pieces that are read at once, in one process and in several, over SQLite and PostgreSQL. The server
 * takes its time over small answers, so that what limits them is not the CPU of the machine as long as possible.
 */
import { startPostgres } from "@dotrpc/postgres"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { measuredProgram } from "./measuredProgram.ts"
import { cpuOf, processOf } from "./processes.ts"
import { replayed } from "./replayed.ts"
import type { Counts } from "./replayServer.ts"

const command = join(import.meta.dirname, "../../../apps/cli/dist/dotrpc.mjs")

/** Milliseconds of a call, and logs of an answer. */
export const millis = 100
const limit = 20

/** Calls of a backfill, by the pieces that are read at once: it takes a while until there are so many. */
const callsFor = (lanes: number): number => 150 + 150 * lanes

interface Setting {
  readonly processes: number
  /** Pieces that each of them reads at once. */
  readonly pieces: number
}

const settings: ReadonlyArray<Setting> = [
  { processes: 1, pieces: 1 },
  { processes: 1, pieces: 4 },
  { processes: 1, pieces: 16 },
  { processes: 4, pieces: 4 },
]

interface Measured {
  readonly calls: number
  /** Calls per second, in the ten best seconds. */
  readonly best: number
  /** Pieces that it was divided into: none is so large that it needs two parts. */
  readonly pieces: number
  /** Milliseconds of CPU of the workers. */
  readonly cpu: number
  readonly database?: DatabaseUse | undefined
}

interface DatabaseUse {
  readonly statements: number
  /** Milliseconds of CPU. */
  readonly cpu: number
}

export const columns = [
  "store",
  "processes",
  "pieces of each",
  "pieces cut",
  "calls",
  "calls per second",
  "× one piece",
  "CPU of workers per call",
  "statements per call",
  "CPU of the database per call",
]

/** A row per setting, as soon as it is measured. */
export async function* rows(): AsyncGenerator<ReadonlyArray<string>, void> {
  for (const store of ["SQLite", "PostgreSQL"] as const) {
    let one: number | undefined
    for (const setting of settings) {
      const { best, calls, cpu, database, pieces } = await measure(store, setting)
      one ??= best
      yield [
        store,
        `${setting.processes}`,
        `${setting.pieces}`,
        `${pieces}`,
        calls.toLocaleString("en"),
        best.toFixed(1),
        (best / one).toFixed(1),
        `${(cpu / calls).toFixed(1)} ms`,
        database === undefined ? "" : (database.statements / calls).toFixed(1),
        database === undefined ? "in the workers" : `${(database.cpu / calls).toFixed(2)} ms`,
      ]
    }
  }
}

const measure = async (store: "SQLite" | "PostgreSQL", setting: Setting): Promise<Measured> => {
  if (store === "SQLite") return backfill(setting, undefined)
  // What is committed reaches the disk, as it does where somebody relies on it.
  await using postgres = await startPostgres({ fsync: "on", shared_preload_libraries: "pg_stat_statements" })
  const ask = (sql: string) => execFileSync("psql", [postgres.url, "-qtAc", sql], { encoding: "utf8" }).trim()
  ask("create extension pg_stat_statements")
  const main = processOf(postgres.port)
  const before = cpuOf(main)
  const measured = await backfill(setting, postgres.url)
  const statements = Number(ask("select sum(calls) from pg_stat_statements"))
  return { ...measured, database: { statements, cpu: cpuOf(main) - before } }
}

const backfill = async ({ pieces, processes }: Setting, store: string | undefined): Promise<Measured> => {
  const logs = callsFor(pieces * processes) * limit
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-scaling-"))
  const server = spawn(
    process.execPath,
    [
      "--conditions=dotrpc-source",
      join(import.meta.dirname, "replayServer.ts"),
      `${logs}`,
      `${millis}`,
      `${limit}`,
      "uniform",
    ],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  )
  try {
    const [port] = (await once(server, "message")) as [number]
    const networks = { evm: { plugin: "evm", url: `http://127.0.0.1:${port}` } }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
    const query = JSON.stringify([{ fromBlock: "0x0", toBlock: `0x${replayed(logs, "uniform").last.toString(16)}` }])
    const shared = ["--output", "logs", "--parallel", `${pieces}`, ...(store === undefined ? [] : ["--store", store])]
    const run = (...args: ReadonlyArray<string>) => measuredProgram([command, "backfill", ...args], folder)
    const first = run("start", "eth_getLogs", query, "--format", "ndjson", ...shared)
    // The others work on what the first one has started.
    if (processes > 1) await started(folder)
    const others = Array.from({ length: processes - 1 }, () => run("worker", ...shared))
    const used = await Promise.all([first, ...others])
    server.send("counts")
    const [{ best, calls }] = (await once(server, "message")) as [Counts]
    const { stdout } = await run("status", "--format", "json", ...shared.slice(0, 2), ...shared.slice(4))
    const [status] = JSON.parse(stdout) as ReadonlyArray<{ readonly parts: number }>
    return {
      calls: calls["eth_getLogs"] ?? 0,
      best,
      pieces: status?.parts ?? 0,
      cpu: used.reduce((sum, { cpu }) => sum + cpu, 0),
    }
  } finally {
    server.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

const started = async (folder: string): Promise<void> => {
  while (!existsSync(join(folder, "logs", "_manifest.json"))) await setTimeout(100)
}
