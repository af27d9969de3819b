/** What was paid for can be read wherever a backfill stops, with the programs that read Parquet. */
import { Json } from "@dotrpc/spec"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { spawnAt } from "./process.ts"

const project = (networks: Readonly<Record<string, unknown>> = { evm: { plugin: "evm", url: "embedded:evm" } }) => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
  const plugins = ["@dotrpc/plugin-evm", "@dotrpc/plugin-l2-events"]
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ plugins, networks, ledger: "memory" }))
  return cwd
}

const runIn =
  (cwd: string) =>
  (...args: ReadonlyArray<string>) =>
    startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, ...args).outcome

interface Manifest {
  readonly rows: number
  readonly parts: ReadonlyArray<{
    readonly file: string
    readonly from: number
    readonly to: number
    readonly rows: number
  }>
}

const manifestIn = (cwd: string): Manifest =>
  JSON.parse(readFileSync(join(cwd, "logs", "_manifest.json"), "utf8")) as Manifest

const textOf = (cwd: string): string =>
  manifestIn(cwd)
    .parts.map(({ file }) => readFileSync(join(cwd, "logs", file), "utf8"))
    .join("")

const all = '[{"fromBlock":"0x0","toBlock":"finalized"}]'

/** A chain with a log in each block, whose node holds its answers back for some milliseconds, until it hurries. */
const startNode = async (head: number, millis: number) => {
  let asked = 0
  let hurries = false
  const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`
  const hex = (value: number) => `0x${value.toString(16)}`
  const log = (block: number) => ({
    address: `0x${"ab".repeat(20)}`,
    topics: [word(1)],
    data: "0x",
    blockNumber: hex(block),
    blockHash: word(block),
    transactionHash: word(block),
    transactionIndex: "0x0",
    logIndex: "0x0",
    removed: false,
  })
  const resultOf = (
    method: string,
    [first]: ReadonlyArray<{ readonly fromBlock: string; readonly toBlock: string }>,
  ) => {
    if (method !== "eth_getLogs" || first === undefined)
      return { number: hex(head), hash: word(head), parentHash: word(0), timestamp: "0x1", transactions: [] }
    asked++
    const from = Number(first.fromBlock)
    return Array.from({ length: Number(first.toBlock) - from + 1 }, (_, index) => log(from + index))
  }
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: [] }
      const text = JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) })
      setTimeout(() => response.end(text), method === "eth_getLogs" && !hurries ? millis : 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked: () => asked, hurry: () => (hurries = true), close: () => server.close() }
}

describe("what was paid for is in a part", () => {
  it("where a limit pauses the backfill, in Parquet where nothing else is said", async () => {
    const cwd = project()
    const run = runIn(cwd)
    const start = ["backfill", "start", "eth_getLogs", all, "--output", "logs"]
    const paused = await run(...start, "--max-credits", "600")
    expect(paused.code).toBe(4)
    const { parts, rows } = manifestIn(cwd)
    expect(parts.map(({ file }) => file)).toEqual([expect.stringMatching(/^blocks-0{12}-\d{12}-\d+\.parquet$/)])
    expect(rows).toBeGreaterThan(0)
    expect(paused.stderr).toContain(`${rows.toLocaleString("en")} rows in 1 part `)
    const { code } = await run(...start, "--max-credits", "99999", "--part-size", "500KB")
    expect(code).toBe(0)
    expect(manifestIn(cwd).parts.length).toBeGreaterThan(2)
    // What is no part is hidden from programs that read a folder.
    expect(readdirSync(join(cwd, "logs")).filter((name) => !/^[._]/.test(name))).toEqual(
      manifestIn(cwd).parts.map(({ file }) => file),
    )
  })

  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("after %s, at the latest when it is cancelled", async (signal) => {
    const node = await startNode(1_000, 300)
    try {
      const cwd = project({ evm: { plugin: "evm", url: node.url, spanCap: 10 } })
      const run = runIn(cwd)
      const working = spawnAt(
        { cwd },
        "backfill",
        "start",
        "eth_getLogs",
        all,
        "--output",
        "logs",
        "--format",
        "ndjson",
      )
      await expect.poll(node.asked).toBeGreaterThan(5)
      working.send(signal)
      await working.outcome
      const asked = node.asked()
      const status = async () => {
        const { stdout } = await run("backfill", "status", "--output", "logs", "--format", "json")
        return JSON.parse(stdout) as ReadonlyArray<{ rows: number; workers: ReadonlyArray<{ alive: boolean }> }>
      }
      await expect.poll(async () => (await status())[0]?.workers.map(({ alive }) => alive)).toEqual([false])
      expect((await run("backfill", "status", "--output", "logs")).stdout).toContain("running, but no worker is there")
      if (signal === "SIGKILL") expect((await run("backfill", "cancel", "--output", "logs")).code).toBe(0)
      expect(node.asked()).toBe(asked)
      const { parts, rows } = manifestIn(cwd)
      expect(rows).toBe((await status())[0]?.rows)
      expect(rows).toBeGreaterThan(40)
      expect(textOf(cwd).trimEnd().split("\n")).toHaveLength(rows)
      node.hurry()
      // Nothing of it is paid for again, but for a call in flight of one that was killed.
      expect((await run("backfill", "resume", "--output", "logs")).code).toBe(0)
      expect(manifestIn(cwd).rows).toBe(1_001)
      expect(manifestIn(cwd).parts.slice(0, parts.length)).toEqual(parts)
    } finally {
      node.close()
    }
  })
})

it("reads the blocks of dates, and the same ones when it is started again", async () => {
  const cwd = project()
  const run = runIn(cwd)
  const scanned = await run("scan", "eth_getLogs", all, "--since", "2000-01-01", "--output", "scan.ndjson")
  expect(scanned.code).toBe(0)
  const start = [
    "backfill",
    "start",
    "eth_getLogs",
    all,
    "--since",
    "2000-01-01",
    "--output",
    "logs",
    "--format",
    "ndjson",
  ]
  for (const _ of [1, 2]) expect((await run(...start)).code).toBe(0)
  expect(textOf(cwd)).toBe(readFileSync(join(cwd, "scan.ndjson"), "utf8"))
  expect((await run(...start, "--until", "1999-01-01")).code).toBe(2)
})

it("reads events that come page by page, each once", async () => {
  const cwd = project({ l2: { plugin: "l2-events", url: "embedded:l2" } })
  const run = runIn(cwd)
  const filter = { from_block: { block_number: 0 }, to_block: { block_number: 120 }, chunk_size: 7 }
  const query = ["l2_getEvents", Json.stringify({ filter })]
  expect((await run("scan", ...query, "--output", "scan.ndjson")).code).toBe(0)
  const limits = ["--max-credits", "1000"]
  const start = ["backfill", "start", ...query, "--output", "logs", "--format", "ndjson"]
  expect((await run(...start, ...limits)).code).toBe(4)
  expect(manifestIn(cwd).rows).toBeGreaterThan(0)
  const ended = await run("backfill", "resume", "--output", "logs", "--max-credits", "999999", "--part-size", "20KB")
  expect(ended).toMatchObject({ code: 0 })
  expect(textOf(cwd)).toBe(readFileSync(join(cwd, "scan.ndjson"), "utf8"))
})

it("says that a declaration lacks the word indexed, before the rest is paid for", async () => {
  const cwd = project()
  const declaration = "event Transfer(address from, address to, uint256 value)"
  const { code, stderr } = await runIn(cwd)(
    "backfill",
    "start",
    "eth_getLogs",
    all,
    "--abi",
    declaration,
    "--output",
    "logs",
  )
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "the logs of Transfer(address,address,uint256) have 2 indexed arguments, and its declaration has none",
    ),
  })
  expect(manifestIn(cwd).rows).toBeGreaterThan(0)
})
