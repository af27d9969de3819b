/**
 * The CPU of a call in a script, as each library's documentation writes it: fresh processes on two versions of Node, beside the clients that
 * they are made of. A server in another process answers at once.
 */
import { fork, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { median } from "./measure.ts"

const nodes: Readonly<Record<string, string>> = {
  "20": join(import.meta.dirname, "../../nodes/node_modules/node-20/bin/node"),
  "24": process.execPath,
}

/** The first of each is what the others are compared with. */
const contenders = {
  http: [
    "fetch and JSON.parse",
    "node:http and JSON.parse",
    "dotrpc",
    "ethers, without batches",
    "viem",
    "@solana/kit's transport",
  ],
  ws: ["ws and JSON.parse", "dotrpc", "ethers, without batches", "viem"],
} as const

export type Way = keyof typeof contenders

interface Cell {
  readonly name: string
  readonly call: string
  /** Calls at once. */
  readonly lanes: number
  readonly warmUp: number
  readonly count: number
}

const cells: ReadonlyArray<Cell> = [
  { name: "a slot, 64 at a time", call: "slot", lanes: 64, warmUp: 4_000, count: 6_000 },
  { name: "a slot, one at a time", call: "slot", lanes: 1, warmUp: 4_000, count: 6_000 },
  { name: "five logs, 64 at a time", call: "logs", lanes: 64, warmUp: 4_000, count: 6_000 },
  { name: "five logs, one at a time", call: "logs", lanes: 1, warmUp: 4_000, count: 6_000 },
  { name: "a full block, 8 at a time", call: "block", lanes: 8, warmUp: 400, count: 600 },
  { name: "a slot, once it is warm", call: "slot", lanes: 64, warmUp: 30_000, count: 20_000 },
]

export const columns = ["contender", ...cells.map(({ name }) => name)]

/** The figures on both versions of Node, as multiples of the first contender's in the same round, whose own are microseconds. */
export const rows = (way: Way, rounds: number): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  withProgram(async (measure) => {
    const table: ReadonlyArray<Array<string>> = contenders[way].map((name) => [name])
    for (const cell of cells) {
      const shown = contenders[way].map((): Array<string> => [])
      for (const node of Object.keys(nodes)) {
        const figures = contenders[way].map((): Array<number> => [])
        for (let round = 0; round < rounds; round++)
          for (const [index, contender] of contenders[way].entries())
            figures[index]?.push((await measure(node, way, contender, cell)).micros)
        const [base = []] = figures
        for (const [index, own] of figures.entries())
          shown[index]?.push(
            index === 0
              ? `${median(own).toFixed(0)} µs`
              : median(own.map((figure, round) => figure / (base[round] ?? Number.NaN))).toFixed(2),
          )
      }
      for (const [index, row] of table.entries()) row.push(shown[index]?.join(" · ") ?? "")
    }
    return table
  })

export const memoryColumns = ["dotrpc over", "heap after 10,000 calls", "heap after a million more"]

/** What stays in memory. */
export const memoryRows = (): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  withProgram(async (measure) => {
    const million: Cell = { name: "", call: "slot", lanes: 64, warmUp: 10_000, count: 1_000_000 }
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
    const table: Array<ReadonlyArray<string>> = []
    for (const [way, name] of [["http", "HTTP"] as const, ["ws", "a WebSocket"] as const]) {
      const { after, before } = await measure("24", way, "dotrpc", million)
      table.push([name, megabytes(before), megabytes(after)])
    }
    return table
  })

interface Figure {
  readonly micros: number
  /** Bytes of the heap. */
  readonly before: number
  readonly after: number
}

type Measure = (node: string, way: Way, contender: string, cell: Cell) => Promise<Figure>

const withProgram = async <A>(use: (measure: Measure) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-calls-"))
  const server = fork(join(import.meta.dirname, "server.ts"))
  try {
    const port = await new Promise<number>((resolve) => server.once("message", (port) => resolve(Number(port))))
    const program = await bundled(folder)
    return await use(async (node, way, contender, { call, count, lanes, warmUp }) => {
      const url = `${way}://127.0.0.1:${port}/v3/a-key-of-some-length`
      const args = [way, contender, call, lanes, warmUp, count, url].map(String)
      const { error, status, stderr, stdout } = spawnSync(nodes[node] ?? "", ["--expose-gc", program, ...args], {
        encoding: "utf8",
      })
      if (status !== 0) throw error ?? new Error(`${contender} ended with ${status}: ${stderr.slice(-1_000)}`)
      return JSON.parse(stdout) as Figure
    })
  } finally {
    server.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The program in one file, which an older Node runs too. */
const bundled = async (folder: string): Promise<string> => {
  const outfile = join(folder, "program.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "callsProgram.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["dotrpc-source"],
    external: ["@effect/sql-pg/PgClient", "ioredis"],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    outfile,
    logLevel: "error",
  })
  return outfile
}
