import { Json } from "@dotrpc/spec"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startSlowGateway } from "./httpGateway.ts"
import { spawnAt } from "./process.ts"

const transfer = "event Transfer(address indexed from, address indexed to, uint256 value)"
const all = '[{"fromBlock":"0x0","toBlock":"0x3e7"}]'
const logs = ["eth_getLogs", all, "--network", "evm"]

const folderWith = (url: string): string => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, "rpc.config.json"),
    Json.stringify({ networks: { evm: { plugin: "evm", url } }, ledger: "memory" }),
  )
  return folder
}

const scanIn = (folder: string, args: ReadonlyArray<string>) =>
  [{ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "scan", ...args] as const
const scan = (folder: string, ...args: ReadonlyArray<string>) => startAt(...scanIn(folder, args)).outcome

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name !== "rpc.config.json" && name !== "data")

const hasItems = (checkpoint: string): boolean => {
  if (!existsSync(checkpoint)) return false
  const value = Json.parse(readFileSync(checkpoint, "utf8"))
  return Json.isObject(value) && typeof value.items === "number" && value.items > 0
}

describe("a scan into columns", () => {
  let gateway: HttpGateway
  beforeAll(async () => {
    gateway = await startSlowGateway(20)
  })
  afterAll(() => gateway.close())
  const fresh = () => folderWith(gateway.url)

  it("writes a row for each item, and leaves nothing else", async () => {
    const folder = fresh()
    const { code, stderr } = await scan(folder, ...logs, "--output", "a.csv", "--abi", transfer)
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^wrote a\.csv: ([\d,]+) rows of 17 columns, [\d,]+ bytes\n\1 items of blocks 0–999 · /,
      ),
    })
    expect(filesIn(folder)).toEqual(["a.csv"])
    await scan(folder, ...logs, "--output", "a.ndjson")
    const items = readFileSync(join(folder, "a.ndjson"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => Json.parse(line))
    const [head, ...rows] = readFileSync(join(folder, "a.csv"), "utf8").trimEnd().split("\r\n")
    expect(head).toBe(
      "block_number,block_hash,transaction_hash,transaction_index,log_index,address,topic0,topic1,topic2,topic3,data,from,to,value,event,block_time,removed",
    )
    const placesOf = items.map((item) =>
      Json.isObject(item) ? [BigInt(String(item.blockNumber)), item.blockHash, item.transactionHash].join(",") : "",
    )
    expect(rows.map((row) => row.split(",").slice(0, 3).join(","))).toEqual(placesOf)
    const decoded = rows.filter((row) => row.includes('"Transfer(address,address,uint256)"'))
    expect(decoded.length).toBeGreaterThan(100)
    for (const row of decoded) {
      const [, , , , , , , topic1 = "", , , data = "", from = "", , value = ""] = row.split(",")
      expect(topic1.endsWith(from.slice(2))).toBe(true)
      expect(BigInt(data)).toBe(BigInt(value))
    }
  })

  it("that is stopped by its limit, again and again, writes the same file as one that is not", async () => {
    const whole = fresh()
    await scan(whole, ...logs, "--output", "a.parquet", "--abi", transfer)
    const folder = fresh()
    let outcome = await scan(folder, ...logs, "--output", "a.parquet", "--abi", transfer, "--max-credits", "600")
    let stops = 0
    for (; outcome.code === 4; stops++) {
      expect(existsSync(join(folder, "a.parquet"))).toBe(false)
      expect(outcome.stderr).toMatch(/ --abi 'event [^\n]* --output a\.parquet --resume a\.parquet\.checkpoint\n$/)
      outcome = await scan(
        folder,
        ...logs,
        "--resume",
        "a.parquet.checkpoint",
        "--abi",
        transfer,
        "--max-credits",
        "600",
      )
    }
    expect({ code: outcome.code, stops: stops > 2 }).toEqual({ code: 0, stops: true })
    expect(filesIn(folder)).toEqual(["a.parquet"])
    const bytes = (of: string) => readFileSync(join(of, "a.parquet"))
    expect(bytes(folder).equals(bytes(whole))).toBe(true)
  })

  it("that is killed pays for nothing twice but the calls in flight", async () => {
    const folder = fresh()
    const args = [...logs, "--parallel", "1", "--output", "a.parquet"]
    const running = spawnAt(...scanIn(folder, args))
    while (!hasItems(join(folder, "a.parquet.checkpoint"))) await new Promise((resolve) => setTimeout(resolve, 5))
    running.kill()
    await running.outcome
    expect(existsSync(join(folder, "a.parquet"))).toBe(false)
    const again = await scan(folder, ...args)
    expect(again.code).toBe(2)
    expect(again.stderr).toMatch(
      /^dotrpc: a\.parquet\.items\.ndjson belongs to a scan that was stopped; [^]*resume with: dotrpc scan eth_getLogs [^\n]* --output a\.parquet --resume a\.parquet\.checkpoint\n$/,
    )
    const resumed = await scan(folder, ...args, "--resume", "a.parquet.checkpoint")
    expect(resumed.code).toBe(0)
    const whole = fresh()
    await scan(whole, ...args)
    expect(readFileSync(join(folder, "a.parquet")).equals(readFileSync(join(whole, "a.parquet")))).toBe(true)
  })

  it("that cannot write its file keeps the items, and writes it without another call", async () => {
    const folder = fresh()
    const target = join(folder, "a.parquet")
    mkdirSync(target)
    const args = [...logs, "--output", "a.parquet"]
    const failed = await scan(folder, ...args)
    expect(failed.code).toBe(3)
    expect(failed.stderr).toMatch(
      /^dotrpc: a\.parquet cannot be written: it is a folder\n[^]*Its items are kept in a\.parquet\.items\.ndjson\.\ndotrpc: resume with: /,
    )
    rmdirSync(target)
    const calls = gateway.logCalls()
    const { code } = await scan(folder, ...args, "--resume", "a.parquet.checkpoint")
    expect({ code, calls: gateway.logCalls() - calls }).toEqual({ code: 0, calls: 0 })
    expect(filesIn(folder)).toEqual(["a.parquet"])
  })

  it("has a column for each member where the method declares none", async () => {
    const folder = fresh()
    const { code } = await scan(
      folder,
      "eth_getBlockRange",
      '["0x0","0x9",false]',
      "--network",
      "evm",
      "--output",
      "a.csv",
    )
    expect(code).toBe(0)
    const [head = "", ...rows] = readFileSync(join(folder, "a.csv"), "utf8").trimEnd().split("\r\n")
    expect(rows).toHaveLength(10)
    expect(head.split(",")).toEqual(expect.arrayContaining(["number", "hash", "transactions"]))
  })
})

describe("a scan into columns is refused", () => {
  const check = (what: string, args: ReadonlyArray<string>, said: string) =>
    it(`with ${what}`, async () => {
      const folder = folderWith("embedded:evm")
      writeFileSync(join(folder, "old.parquet"), "paid for")
      writeFileSync(join(folder, "bad.json"), '{"abi": 1}')
      const { code, stderr } = await scan(folder, ...logs, ...args)
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
      expect(filesIn(folder)).toEqual(["bad.json", "old.parquet"])
    })
  check(
    "a file that exists",
    ["--output", "old.parquet"],
    "old.parquet already exists, and a scan never replaces items that were paid for: delete it, or name another file",
  )
  check(
    "a file that exists, and no checkpoint",
    ["--output", "old.parquet", "--resume", "old.parquet.checkpoint"],
    "there is no old.parquet.checkpoint to resume from, and old.parquet is not empty",
  )
  check("--abi and no columns", ["--output", "a.ndjson", "--abi", transfer], "--abi and --decimal are for columns")
  check("a declaration that is not one", ["--output", "a.csv", "--abi", "x y"], "--abi x y: ")
  check("an ABI that is not one", ["--output", "a.csv", "--abi", "bad.json"], "--abi bad.json: expected an ABI")
  check("an ABI that is not there", ["--output", "a.csv", "--abi", "no.json"], "--abi no.json: there is no such file")
  check("another length of decimals", ["--output", "a.csv", "--decimal", "77"], "38")
})
