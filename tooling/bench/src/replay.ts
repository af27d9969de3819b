/** Programs that read the same chain of millions of logs: calls, credits, CPU, memory and rows per second of whole processes. */
import { Evm } from "@dotrpc/plugin-evm"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { measuredProgram, type Took } from "./measuredProgram.ts"
import { replayed } from "./replayed.ts"
import { checkInstalled, runPonder, versionOf } from "./replayPonder.ts"
import type { Counts } from "./replayServer.ts"

const command = join(import.meta.dirname, "../../../apps/cli/dist/dotrpc.mjs")
const loop = join(import.meta.dirname, "replayLoop.ts")

interface Place {
  /** Empty, and removed afterwards. */
  readonly folder: string
  readonly url: string
  readonly last: number
}

/** What a run took and how many rows it wrote. */
interface Ran {
  readonly took: Took
  readonly rows: number
  /** What a database in a process of its own took: milliseconds of CPU, and the most megabytes that it had at once. */
  readonly database?: { readonly cpu: number; readonly peak: number }
}

interface Contender {
  readonly title: string
  readonly run: (place: Place) => Promise<Ran>
}

const params = ({ last }: Place): string => JSON.stringify([{ fromBlock: "0x0", toBlock: `0x${last.toString(16)}` }])

const backfill = (format: "ndjson" | "parquet", ...flags: ReadonlyArray<string>): Contender["run"] => {
  const options = ["--output", "logs", "--format", format, ...flags]
  return async (place) => {
    const took = await measuredProgram(
      [command, "backfill", "start", "eth_getLogs", params(place), ...options],
      place.folder,
    )
    const manifest = JSON.parse(readFileSync(join(place.folder, "logs/_manifest.json"), "utf8")) as Manifest
    if (format === "parquet") return { took, rows: manifest.rows }
    let rows = 0
    for (const { file } of manifest.parts) rows += await linesIn(join(place.folder, "logs", file))
    return { took, rows }
  }
}

interface Manifest {
  readonly rows: number
  readonly parts: ReadonlyArray<{ readonly file: string }>
}

const viemLoop =
  (way: string): Contender["run"] =>
  async ({ folder, last, url }) => {
    const file = join(folder, "logs.ndjson")
    const took = await measuredProgram([loop, way, url, `${last}`, file], folder)
    return { took, rows: await linesIn(file) }
  }

const scan: Contender["run"] = async (place) => {
  const took = await measuredProgram(
    [command, "scan", "eth_getLogs", params(place), "--output", "logs.ndjson"],
    place.folder,
  )
  return { took, rows: await linesIn(join(place.folder, "logs.ndjson")) }
}

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"

/** By the name that `--only` takes. */
const contenders: Readonly<Record<string, Contender>> = {
  viem: { title: "viem, 2,000 blocks, halved when refused", run: viemLoop("fixed") },
  backfill: { title: "dotrpc backfill, NDJSON", run: backfill("ndjson") },
  parquet: {
    title: "dotrpc backfill, Parquet with decoded columns",
    run: backfill("parquet", "--abi", transfer),
  },
  growing: { title: "viem, ranges that grow as ponder's", run: viemLoop("growing") },
  scan: { title: "dotrpc scan", run: scan },
}

/** How often the endpoint is listed, by the name of the program. ponder gives each endpoint of its list 20 calls a second to begin with. */
const ponders: Readonly<Record<string, number>> = { "ponder-listed": 50, ponder: 1 }

const pondersIn = (installed: string): Readonly<Record<string, Contender>> => {
  checkInstalled(installed)
  const title = `ponder ${versionOf(installed)}, PostgreSQL`
  return Object.fromEntries(
    Object.entries(ponders).map(([name, listed]) => [
      name,
      {
        title: listed === 1 ? title : `${title}, the endpoint listed ${listed} times`,
        run: (place) => runPonder(installed, listed, place),
      } satisfies Contender,
    ]),
  )
}

/** Which programs are measured. */
export interface Selection {
  /** The folder in which ponder is installed; it is left out without one. */
  readonly ponder?: string | undefined
  /** The names of some; all of them when there is none. */
  readonly only: ReadonlyArray<string>
}

/** Throws when a program is unknown or not installed, and says what to do. */
export const selected = ({ only, ponder }: Selection): ReadonlyArray<Contender> => {
  const all = { ...contenders, ...(ponder === undefined ? {} : pondersIn(ponder)) }
  for (const name of only) {
    if (Object.hasOwn(all, name)) continue
    if (Object.hasOwn(ponders, name))
      throw new Error("ponder is not part of this repository. Install it in any folder and add --ponder FOLDER.")
    const known = [...Object.keys(contenders), ...Object.keys(ponders)]
    throw new Error(`There is no program "${name}"; there are ${known.join(", ")}.`)
  }
  return Object.entries(all).flatMap(([name, contender]) =>
    only.length === 0 || only.includes(name) ? [contender] : [],
  )
}

const run = async (contender: Contender, logs: number, latency: number): Promise<Ran & { readonly counts: Counts }> => {
  const chain = replayed(logs)
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-replay-"))
  const server = spawn(
    process.execPath,
    ["--conditions=dotrpc-source", join(import.meta.dirname, "replayServer.ts"), `${logs}`, `${latency}`],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  )
  try {
    const [port] = (await once(server, "message")) as [number]
    const url = `http://127.0.0.1:${port}`
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url } } }))
    const ran = await contender.run({ folder, url, last: chain.last })
    server.send("counts")
    const [counts] = (await once(server, "message")) as [Counts]
    if (ran.rows !== chain.logs) throw new Error(`${contender.title} wrote ${ran.rows} of ${chain.logs} logs.`)
    return { ...ran, counts }
  } finally {
    server.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

const linesIn = async (file: string): Promise<number> => {
  let lines = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) lines++
  return lines
}

const newline = 0x0a

export const columns = [
  "program",
  "calls for logs",
  "of those refused",
  "calls for blocks",
  "other calls",
  "credits",
  "CPU per row",
  "of that the database",
  "× the first",
  "peak memory",
  "of the database",
  "rows per second",
]

const forLogs = "eth_getLogs"
const forBlocks = "eth_getBlockByNumber"

/** The price is that of the plugin, refused calls included. */
const creditsOf = (calls: Counts["calls"]): number =>
  Object.entries(calls).reduce((sum, [name, count]) => {
    const price = Evm.plugin.methods.find((method) => method.name === name)?.price
    if (price === undefined) throw new Error(`a program called ${name}, which has no price.`)
    return sum + count * price.credits
  }, 0)

/** A row per program, as soon as it has ended. */
export async function* rows(
  programs: ReadonlyArray<Contender>,
  logs: number,
  latency: number,
): AsyncGenerator<ReadonlyArray<string>, void> {
  let first: number | undefined
  const count = (value: number) => Math.round(value).toLocaleString("en")
  const perRow = (millis: number) => `${((millis * 1e3) / logs).toFixed(1)} µs`
  for (const contender of programs) {
    const { counts, database, took } = await run(contender, logs, latency)
    const { [forLogs]: logCalls = 0, [forBlocks]: blockCalls = 0, ...others } = counts.calls
    const cpu = took.cpu + (database?.cpu ?? 0)
    first ??= cpu
    yield [
      contender.title,
      count(logCalls),
      count(counts.refused),
      count(blockCalls),
      count(Object.values(others).reduce((sum, calls) => sum + calls, 0)),
      count(creditsOf(counts.calls)),
      perRow(cpu),
      database === undefined ? "" : perRow(database.cpu),
      (cpu / first).toFixed(2),
      `${count(took.peak)} MB`,
      database === undefined ? "" : `${count(database.peak)} MB`,
      count(logs / took.seconds),
    ]
  }
}
