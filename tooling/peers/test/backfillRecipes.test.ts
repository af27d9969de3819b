/** The recipes of docs/backfill.md read the folder of a backfill that was stopped in the middle, and again when it is done. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { finished, startDotrpc } from "../src/Dotrpc.ts"

const docs = readFileSync(join(import.meta.dirname, "../../../docs/backfill.md"), "utf8")

/** What each recipe has between its quotes. */
const recipes = (before: string, quote: string): ReadonlyArray<string> => {
  const found = docs.matchAll(new RegExp(`^${before}${quote}(.*?)${quote}`, "gm"))
  return [...found].map(([, text = ""]) => text)
}

const room = mkdtempSync(join(tmpdir(), "dotrpc-recipes-"))
const env = { XDG_DATA_HOME: join(room, "data"), XDG_CACHE_HOME: join(room, "cache") }
const backfill = (...args: ReadonlyArray<string>) => finished(startDotrpc(["backfill", ...args], env, room), env)

const rows = (): number => {
  const manifest = Json.parse(readFileSync(join(room, "logs/_manifest.json"), "utf8"))
  return Json.isObject(manifest) ? Number(manifest.rows) : 0
}

beforeAll(async () => {
  const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
  writeFileSync(join(room, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
  const query = ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"finalized"}]', "--output", "logs"]
  expect((await backfill("start", ...query, "--max-credits", "600")).exitCode).toBe(4)
})
afterAll(() => rmSync(room, { recursive: true }))

const check = () => {
  it.each(recipes("duckdb -c ", '"'))("of DuckDB: %s", async (sql) => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    const read = await connection.runAndReadAll(sql.replace("'logs/", `'${room}/logs/`))
    expect(read.getRowsJson()).toEqual([[String(rows())]])
    connection.closeSync()
  })
  it.each(recipes("dotrpc query ", "'"))("of dotrpc query: %s", async (sql) => {
    // DuckDB is installed beside this test.
    const args = ["query", sql, join(room, "logs"), "--trust", "--format", "json"]
    const query = await finished(startDotrpc(args, env, import.meta.dirname), env)
    expect(query.exitCode).toBe(0)
    const counts = [...query.stdout.matchAll(/"items": ?(\d+)/g)].map(([, count]) => Number(count))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows())
  })
}

describe("of one that its limit has stopped", () => {
  check()
})
describe("of one that is done", () => {
  beforeAll(async () => {
    const before = rows()
    expect((await backfill("resume", "--output", "logs", "--max-credits", "99999")).exitCode).toBe(0)
    expect(rows()).toBeGreaterThan(before)
  })
  check()
})
