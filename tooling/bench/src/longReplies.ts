/** What a reply of very many logs takes: memory, and the time that everything else waits. Each is read in a process of its own. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { median } from "./measure.ts"

const ways = ["HTTP", "fetch", "HTTP, in a batch", "WebSocket"]

/** Nearly as many as a reply may hold by default. */
const count = 100_000

export const columns = [
  "over",
  "logs",
  "text",
  "memory, × text",
  "in use, × text",
  "kept, × text",
  "longest wait",
  "of that own work",
]

export const rows = async (rounds: number): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const table: Array<ReadonlyArray<string>> = []
  for (const way of ways) {
    const readings: Array<Reading> = []
    for (let round = 0; round < rounds; round++) readings.push(await readApart(way, count))
    const middle = (figure: (reading: Reading) => number) => median(readings.map(figure))
    table.push([
      way,
      count.toLocaleString("en"),
      `${Math.round(middle(({ text }) => text) / 1e6)} MB`,
      middle(({ before, peak, text }) => (peak - before) / text).toFixed(1),
      middle(({ text, used }) => used / text).toFixed(1),
      middle(({ kept, text }) => kept / text).toFixed(2),
      `${middle(({ blocked }) => blocked).toFixed(0)} ms`,
      `${middle(({ busy }) => busy).toFixed(0)} ms`,
    ])
  }
  return table
}

/** As `readLongReply.ts` writes it. */
interface Reading {
  readonly text: number
  readonly before: number
  readonly peak: number
  readonly used: number
  readonly kept: number
  readonly blocked: number
  readonly busy: number
}

const readApart = (way: string, count: number): Promise<Reading> =>
  new Promise((resolve, reject) => {
    const program = join(import.meta.dirname, "readLongReply.ts")
    const child = spawn(process.execPath, ["--expose-gc", "--conditions=dotrpc-source", program, way, String(count)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as Reading)
      else reject(new Error(`${count} logs over ${way}: ended with ${code}`))
    })
  })
