/** Backfills into columns, over SQLite and the built-in sample chain. */
import { Json } from "@dotrpc/spec"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"
const approval = "event Approval(address indexed owner, address indexed spender, uint256 value)"
const logs = (filter = "") => ["eth_getLogs", `[{"fromBlock":"0x0","toBlock":"0x1f4"${filter}}]`, "--network", "evm"]
const paidOnce = '{"name":"Paid","type":"event","inputs":[{"name":"amount","type":"uint8"}]}'
const oneTransfer = ',"topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]'

const project = (folder = temporaryFolder(), more: Json.JsonObject = {}): string => {
  mkdirSync(folder, { recursive: true })
  const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, ledger: "memory", ...more }))
  return folder
}

const dotrpc = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, ...args).outcome

const partsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("blocks-"))

const onlyPart = (folder: string): Buffer => {
  const [part = "", ...others] = partsIn(folder)
  expect(others).toEqual([])
  return readFileSync(join(folder, part))
}

/** What a store has, changed as another version would leave it. */
const changeStore = (folder: string, sql: string): void => {
  const store = new DatabaseSync(join(folder, ".backfill", "store.sqlite"))
  store.exec(sql)
  store.close()
}

describe("the parts of a backfill are what a scan writes", () => {
  const check = (format: "parquet" | "csv", ...flags: ReadonlyArray<string>) =>
    it([format, ...flags].join(" "), async () => {
      const cwd = project()
      const scan = await dotrpc(cwd, "scan", ...logs(), ...flags, "--output", `scan.${format}`)
      const backfill = ["backfill", "start", ...logs(), ...flags, "--format", format, "--output", "logs"]
      const started = await dotrpc(cwd, ...backfill)
      expect({ scan: scan.code, started: started.code }).toEqual({ scan: 0, started: 0 })
      expect(onlyPart(join(cwd, "logs")).equals(readFileSync(join(cwd, `scan.${format}`)))).toBe(true)
      const manifest = Json.parse(readFileSync(join(cwd, "logs", "_manifest.json"), "utf8"))
      expect(manifest).toMatchObject({
        format,
        state: "done",
        parts: [{ file: partsIn(join(cwd, "logs"))[0], from: 0, to: 500 }],
      })
      expect((await dotrpc(cwd, ...backfill)).code).toBe(0)
    })
  check("parquet")
  check("parquet", "--abi", transfer)
  check("parquet", "--abi", transfer, "--decimal", "38")
  check("csv", "--abi", transfer, "--abi", approval)
  // Approvals have numbers of 78 digits.
  check("csv", "--abi", approval, "--decimal", "38")
})

it("NDJSON has columns where --abi names events, and each item as received otherwise", async () => {
  const cwd = project()
  await dotrpc(cwd, "backfill", "start", ...logs(), "--format", "ndjson", "--abi", transfer, "--output", "rows")
  await dotrpc(cwd, "backfill", "start", ...logs(), "--format", "ndjson", "--output", "items")
  const first = (folder: string) => Json.parse(String(onlyPart(join(cwd, folder))).split("\n")[1] ?? "")
  expect(first("rows")).toMatchObject({ block_number: 2, event: "Transfer(address,address,uint256)", removed: false })
  expect(first("items")).toMatchObject({ blockNumber: "0x2", removed: false })
})

it("a method that declares no columns has one with each item as JSON", async () => {
  const cwd = project()
  const args = [
    "backfill",
    "start",
    "eth_getBlockRange",
    '["0x0","0x9",false]',
    "--format",
    "csv",
    "--output",
    "blocks",
  ]
  expect((await dotrpc(cwd, ...args)).code).toBe(0)
  const [head, ...rows] = String(onlyPart(join(cwd, "blocks")))
    .trimEnd()
    .split("\r\n")
  expect({ head, rows: rows.length }).toEqual({ head: "item", rows: 10 })
})

describe("a worker elsewhere", () => {
  const paused = async (more: Json.JsonObject = {}, abi = "[]") => {
    const cwd = project(undefined, more)
    writeFileSync(join(cwd, "token.json"), abi)
    writeFileSync(join(cwd, "paid.json"), `[${paidOnce}]`)
    const args = [
      "backfill",
      "start",
      ...logs(oneTransfer),
      "--format",
      "csv",
      "--output",
      "logs",
      "--max-credits",
      "0",
    ]
    expect((await dotrpc(cwd, ...args, "--abi", "paid.json")).code).toBe(4)
    const other = project(join(cwd, "other"))
    changeStore(join(cwd, "logs"), "UPDATE dotrpc_backfills SET state = 'running', max_credits = NULL")
    return { cwd, work: () => dotrpc(other, "backfill", "worker", "--output", join(cwd, "logs")) }
  }

  it("writes the columns that were chosen at the start, without the ABI files of that project", async () => {
    const amounts =
      '[{"name":"Transfer","type":"event","inputs":[{"name":"source","type":"address","indexed":true},{"name":"target","type":"address","indexed":true},{"name":"tokens","type":"uint256"}]}]'
    const { cwd, work } = await paused({ abi: ["./token.json"] }, amounts)
    expect((await work()).code).toBe(0)
    const [head = "", row = ""] = String(onlyPart(join(cwd, "logs"))).split("\r\n")
    expect(head).toContain(",data,source,target,tokens,amount,event,")
    expect(row).toContain(',"Transfer(address,address,uint256)",')
  })

  const check = (what: string, sql: string, said: string) =>
    it(`that would write others is refused before it sends a call: ${what}`, async () => {
      const { cwd, work } = await paused()
      changeStore(join(cwd, "logs"), sql)
      const { code, stderr } = await work()
      expect({ code, stderr }).toEqual({ code: 2, stderr: `dotrpc: ${said}\n` })
      expect(partsIn(join(cwd, "logs"))).toEqual([])
    })
  check(
    "another name",
    `UPDATE dotrpc_backfill_outputs SET layout = replace(layout, '"log_index"', '"index_of_log"')`,
    "eth_getLogs has other columns here than where the backfill began: use the same versions of dotrpc and of its plugins",
  )
  check(
    "a layout of a newer version",
    `UPDATE dotrpc_backfill_outputs SET layout = replace(layout, '"version":1', '"version":2')`,
    "the columns of this backfill were chosen by a newer version of dotrpc: use that version",
  )
})

it("resumes what an earlier version began, with the items as received", async () => {
  const cwd = project()
  const args = ["backfill", "start", ...logs(), "--output", "logs", "--format", "ndjson"]
  expect((await dotrpc(cwd, ...args, "--max-credits", "0")).code).toBe(4)
  changeStore(join(cwd, "logs"), "DROP TABLE dotrpc_backfill_outputs")
  expect((await dotrpc(cwd, ...args, "--max-credits", "9999")).code).toBe(0)
  await dotrpc(cwd, "scan", ...logs(), "--output", "scan.ndjson")
  expect(onlyPart(join(cwd, "logs")).equals(readFileSync(join(cwd, "scan.ndjson")))).toBe(true)
})

it("stops where a number has more than 38 digits and decimals were asked for, and keeps what was paid for", async () => {
  const cwd = project()
  const args = ["backfill", "start", ...logs(), "--format", "parquet", "--abi", approval, "--decimal", "38"]
  const { code, stderr } = await dotrpc(cwd, ...args, "--output", "logs")
  expect(stderr).toMatch(
    /\ndotrpc: logs\/blocks-000000000000-000000000500-1\.parquet: column "value" takes whole numbers of at most 38 digits; got 115792[^;]*; what is committed stays: read the blocks that _manifest\.json does not list into another folder, without --decimal 38, which keeps such numbers as text\n$/,
  )
  expect(code).toBe(3)
  expect(readdirSync(join(cwd, "logs")).toSorted()).toEqual([".backfill", "_manifest.json"])
  expect(readdirSync(join(cwd, "logs", ".backfill")).some((name) => name.endsWith(".spool"))).toBe(true)
})

describe("a backfill into columns is refused", () => {
  const check = (what: string, args: ReadonlyArray<string>, said: string) =>
    it(`with ${what}`, async () => {
      const cwd = project()
      const { code, stderr } = await dotrpc(cwd, "backfill", "start", ...logs(), "--output", "logs", ...args)
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
      expect(readdirSync(cwd)).not.toContain("logs")
    })
  check(
    "--decimal and no columns",
    ["--format", "ndjson", "--decimal", "38"],
    "--decimal is for columns: add --format parquet, --format csv or --abi",
  )
  check("another length of decimals", ["--format", "csv", "--decimal", "77"], "38")
  check("another format", ["--format", "orc"], "parquet")
  check("a declaration that is not one", ["--format", "csv", "--abi", "x y"], "--abi x y: ")
  check("an ABI that is not there", ["--format", "csv", "--abi", "no.json"], "--abi no.json: there is no such file")

  it("into the folder of one with other columns", async () => {
    const cwd = project()
    const start = (...args: ReadonlyArray<string>) =>
      dotrpc(cwd, "backfill", "start", ...logs(), "--output", "logs", ...args)
    expect((await start("--format", "csv")).code).toBe(0)
    const { code, stderr } = await start("--format", "parquet")
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("logs has another backfill") })
  })
})
