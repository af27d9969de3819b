/** The memory of long work whose answers are of the usual largest size. */
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { isDeep } from "@dotrpc/vitest/depth"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

const logsPerBlock = 100
const last = 599

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`
const hex = (value: number): string => `0x${value.toString(16)}`

const logsOf = (block: number): string =>
  Array.from({ length: logsPerBlock }, (_, index) => {
    const topics = [word(7), word(block * 31 + index), word(block + index * 13)]
    const place = { blockNumber: hex(block), blockHash: word(block + 1), transactionHash: word(block * 1_000 + index) }
    const own = { transactionIndex: hex(index), logIndex: hex(index), removed: false }
    return JSON.stringify({ address: `0x${"ab".repeat(20)}`, topics, data: word(index), ...place, ...own })
  }).join(",")

/** Up to 10,000 logs a call. */
const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (piece: string) => (text += piece))
  request.on("end", () => {
    const { id, method, params } = JSON.parse(text) as Asked
    // Of its blocks it knows only their logs.
    if (method !== "eth_getLogs") return void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: null }))
    const [from, to] = [Number(params[0].fromBlock), Math.min(last, Number(params[0].toBlock))]
    const blocks = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const answer =
      blocks.length * logsPerBlock > 10_000
        ? `"error":{"code":-32005,"message":"query returned more than 10000 results"}`
        : `"result":[${blocks.map(logsOf).join(",")}]`
    response.setHeader("content-type", "application/json")
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`)
  })
})
server.listen(0, "127.0.0.1")
await once(server, "listening")
afterAll(() => void server.close())

interface Asked {
  readonly id: number
  readonly method: string
  readonly params: readonly [{ readonly fromBlock: string; readonly toBlock: string }]
}

/** The most memory that a command had at once, in megabytes. */
const peakOf = async (command: string, ...flags: ReadonlyArray<string>): Promise<number> => {
  const cwd = temporaryFolder()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [preload, peak] = [join(cwd, "peak.cjs"), join(cwd, "peak")]
  const atExit = `require("node:fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS))`
  writeFileSync(preload, `process.on("exit", () => { ${atExit} })`)
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url } } }))
  const env = { NODE_OPTIONS: `--require ${preload}`, XDG_DATA_HOME: join(cwd, "data") }
  const query = JSON.stringify([{ fromBlock: "0x0", toBlock: hex(last) }])
  const { code, stderr } = await spawnAt({ cwd, env }, ...command.split(" "), "eth_getLogs", query, ...flags).outcome
  expect(stderr).toMatch(/60,000 (rows|items)/)
  expect(code).toBe(0)
  return (Number(readFileSync(peak, "utf8")) * 1_024) / 1e6
}

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"

const commands: ReadonlyArray<readonly [what: string, command: string, ...flags: ReadonlyArray<string>]> = [
  ["a worker that writes Parquet", "backfill start", "--output", "logs", "--format", "parquet", "--abi", transfer],
  ["a worker that writes NDJSON", "backfill start", "--output", "logs"],
  ["a scan into NDJSON", "scan", "--output", "logs.ndjson"],
  ["a scan into Parquet", "scan", "--output", "logs.parquet", "--abi", transfer],
]

it.each(isDeep ? commands : commands.slice(0, 1))(
  "%s of 10,000 logs a call takes less than 300 MB",
  async (_, command, ...flags) => expect(await peakOf(command, ...flags)).toBeLessThan(300),
)
