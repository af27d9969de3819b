/** Programs that read the same chain of millions of logs into files: calls, credits, CPU, memory and rows per second of whole processes. */
import { Evm } from "@dotrpc/plugin-evm"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { replayed } from "./replayed.ts"

const command = join(import.meta.dirname, "../../../apps/cli/dist/dotrpc.mjs")
const loop = join(import.meta.dirname, "replayLoop.ts")

interface Place {
  readonly folder: string
  readonly url: string
  readonly last: number
}

const params = ({ last }: Place): string => JSON.stringify([{ fromBlock: "0x0", toBlock: `0x${last.toString(16)}` }])

interface Contender {
  readonly args: (place: Place) => ReadonlyArray<string>
  /** How many rows it wrote. */
  readonly rowsIn: (folder: string) => Promise<number>
}

const backfill = (format: "ndjson" | "parquet", ...flags: ReadonlyArray<string>): Contender => ({
  args: (place) => [
    command,
    "backfill",
    "start",
    "eth_getLogs",
    params(place),
    "--out",
    "logs",
    "--format",
    format,
    ...flags,
  ],
  rowsIn: async (folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "logs/manifest.json"), "utf8")) as Manifest
    if (format === "parquet") return manifest.rows
    let rows = 0
    for (const { file } of manifest.parts) rows += await linesIn(join(folder, "logs", file))
    return rows
  },
})

interface Manifest {
  readonly rows: number
  readonly parts: ReadonlyArray<{ readonly file: string }>
}

const viemLoop = (way: string): Contender => ({
  args: ({ folder, last, url }) => [loop, way, url, `${last}`, join(folder, "logs.ndjson")],
  rowsIn: (folder) => linesIn(join(folder, "logs.ndjson")),
})

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"

const contenders: Readonly<Record<string, Contender>> = {
  "viem, 2,000 blocks, halved when refused": viemLoop("fixed"),
  "dotrpc backfill, NDJSON": backfill("ndjson"),
  "dotrpc backfill, Parquet with decoded columns": backfill("parquet", "--abi", transfer),
  "viem, ranges that grow as ponder's": viemLoop("growing"),
  "dotrpc scan": {
    args: (place) => [command, "scan", "eth_getLogs", params(place), "--output", "logs.ndjson"],
    rowsIn: (folder) => linesIn(join(folder, "logs.ndjson")),
  },
}

/** What one program took. */
interface Used {
  readonly calls: number
  readonly refused: number
  /** Seconds of CPU, of all threads. */
  readonly cpu: number
  /** Megabytes that were in memory at once. */
  readonly peak: number
  /** Seconds on the clock. */
  readonly seconds: number
}

const run = async ({ args, rowsIn }: Contender, logs: number, latency: number): Promise<Used> => {
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
    const before = performance.now()
    const { micros, peak } = await useOf(args({ folder, url, last: chain.last }), folder)
    const seconds = (performance.now() - before) / 1_000
    server.send("counts")
    const [{ calls, refused }] = (await once(server, "message")) as [Pick<Used, "calls" | "refused">]
    const rows = await rowsIn(folder)
    if (rows !== chain.logs) throw new Error(`a program wrote ${rows} of ${chain.logs} logs.`)
    return { calls, refused, cpu: micros / 1e6, peak: (peak * 1_024) / 1e6, seconds }
  } finally {
    server.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a program to its end. */
const useOf = (
  args: ReadonlyArray<string>,
  folder: string,
): Promise<{ readonly micros: number; readonly peak: number }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--require", join(import.meta.dirname, "countUse.cjs"), ...args], {
      cwd: folder,
      env: {
        ...process.env,
        HOME: folder,
        XDG_CACHE_HOME: join(folder, "cache"),
        XDG_DATA_HOME: join(folder, "data"),
        DOTRPC_ALLOW_HOSTS: "127.0.0.1",
      },
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    })
    let said = ""
    child.stderr?.on("data", (piece) => (said = `${said}${String(piece)}`.slice(-2_000)))
    let output = ""
    child.stdio[3]?.on("data", (piece) => (output += String(piece)))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as { micros: number; peak: number })
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${said}`))
    })
  })

const linesIn = async (file: string): Promise<number> => {
  let lines = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) lines++
  return lines
}

const newline = 0x0a

export const columns = [
  "program",
  "calls",
  "of those refused",
  "credits",
  "CPU per row",
  "× the first",
  "peak memory",
  "rows per second",
]

/** A row per program, as soon as it has ended. */
export async function* rows(logs: number, latency: number): AsyncGenerator<ReadonlyArray<string>, void> {
  let first: number | undefined
  const count = (value: number) => Math.round(value).toLocaleString("en")
  for (const [name, contender] of Object.entries(contenders)) {
    const { calls, cpu, peak, refused, seconds } = await run(contender, logs, latency)
    first ??= cpu
    yield [
      name,
      count(calls),
      count(refused),
      count(calls * Evm.GetLogs.price.credits),
      `${((cpu * 1e6) / logs).toFixed(1)} µs`,
      (cpu / first).toFixed(2),
      `${count(peak)} MB`,
      count(logs / seconds),
    ]
  }
}
