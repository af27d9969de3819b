/** The recipes of docs/backfill.md read the folder of a backfill that was stopped in the middle, and again when it is done. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { finished, startDotrpc } from "../src/Dotrpc.ts"

const docs = readFileSync(join(import.meta.dirname, "../../../docs/backfill.md"), "utf8")

/** What a recipe has between its quotes. */
const recipes = (program: string): ReadonlyArray<string> =>
  [...docs.matchAll(new RegExp(`^${program} -c "(.*)"$`, "gm"))].map(([, text = ""]) => text)

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

const hasPyarrow = spawnSync("python3", ["-c", "import pandas, pyarrow"]).status === 0

const check = () => {
  it.each(recipes("duckdb"))("of DuckDB: %s", async (sql) => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    const read = await connection.runAndReadAll(sql.replace("'logs/", `'${room}/logs/`))
    expect(read.getRowsJson()).toEqual([[String(rows())]])
    connection.closeSync()
  })
  it.skipIf(!hasPyarrow).each(recipes("python3"))("of Python: %s", (script) => {
    const { status, stdout } = spawnSync("python3", ["-c", script], { cwd: room, encoding: "utf8" })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d/) })
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
