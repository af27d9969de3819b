/** Backfills in this process, over SQLite and the built-in sample chain. */
import { Json } from "@dotrpc/spec"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { type Fault, startFaultyGateway } from "./httpGateway.ts"

const project = () => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
  const networks = {
    evm: { plugin: "evm", url: "embedded:evm" },
    l2: { plugin: "l2-events", url: "embedded:l2-events" },
  }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
  return cwd
}

const range = (from: number, to: number | string) =>
  JSON.stringify([
    { fromBlock: `0x${from.toString(16)}`, toBlock: typeof to === "string" ? to : `0x${to.toString(16)}` },
  ])

const readManifest = (folder: string) => {
  const manifest = Json.parse(readFileSync(join(folder, "_manifest.json"), "utf8"))
  if (!Json.isObject(manifest) || !Json.isArray(manifest.parts)) throw new Error("It is not a manifest.")
  return { ...manifest, parts: manifest.parts.filter((part) => Json.isObject(part)) }
}

const rowsIn = (folder: string): string =>
  readManifest(folder)
    .parts.map(({ file }) => readFileSync(join(folder, String(file)), "utf8"))
    .join("")

describe("a backfill", () => {
  it("writes what a scan writes, and is free to start again", async () => {
    const cwd = project()
    const run = (...args: ReadonlyArray<string>) => startAt({ cwd }, ...args).outcome
    const scan = await run("scan", "eth_getLogs", range(0, "finalized"), "--output", "scan.ndjson")
    expect(scan.code).toBe(0)
    const args = ["backfill", "start", "eth_getLogs", range(0, "finalized"), "--output", "logs", "--format", "ndjson"]
    const started = await run(...args)
    expect(started.stderr).toMatch(/^eth_getLogs on evm, blocks 0–[\d,]+\ncalls +\d+/)
    expect(started.stderr).toMatch(/\ndone: /)
    expect(started.code).toBe(0)
    expect(rowsIn(join(cwd, "logs"))).toBe(readFileSync(join(cwd, "scan.ndjson"), "utf8"))
    const before = readManifest(join(cwd, "logs"))
    expect(before).toMatchObject({
      state: "done",
      query: { method: "eth_getLogs", network: "evm" },
      format: "ndjson",
    })
    const calls = async () => {
      const { stdout } = await run("backfill", "status", "--output", "logs", "--format", "json")
      return Json.parse(stdout)
    }
    const cost = await calls()
    expect((await run(...args)).code).toBe(0)
    expect(await calls()).toMatchObject([
      { state: "done", calls: Json.isArray(cost) && Json.isObject(cost[0]) ? cost[0].calls : 0 },
    ])
    expect(readdirSync(join(cwd, "logs", ".backfill")).filter((name) => name.endsWith(".spool"))).toEqual([])
  })

  it("understands the words of older versions", async () => {
    const plan = (...flags: ReadonlyArray<string>) =>
      startAt({ cwd: project() }, "backfill", "start", "eth_getLogs", range(0, 500), ...flags).outcome
    const expected = await plan("--output", "logs", "--dry-run", "--parallel", "2")
    expect(expected.code).toBe(0)
    expect(await plan("--out", "logs", "--plan", "--workers", "2")).toEqual(expected)
  })

  const checkKept = (name: string) =>
    it(`begins in no folder that has files of another: ${name}`, async () => {
      const cwd = project()
      mkdirSync(join(cwd, "logs"))
      writeFileSync(join(cwd, "logs", name), "mine")
      const refused = await startAt({ cwd }, "backfill", "start", "eth_getLogs", range(0, 500), "--output", "logs/")
        .outcome
      expect(refused.stderr).toContain("logs has parts of another backfill, which would be lost: name another folder")
      expect(refused.code).toBe(2)
      expect(readFileSync(join(cwd, "logs", name), "utf8")).toBe("mine")
    })
  checkKept("blocks-000000000005-000000000006.ndjson")
  checkKept("blocks-000000000005-000000000006-7.ndjson")
  checkKept("_manifest.json")

  it("pauses before it exceeds --max-credits, and resumes with a higher limit", async () => {
    const cwd = project()
    const run = (...args: ReadonlyArray<string>) => startAt({ cwd }, ...args).outcome
    const args = ["backfill", "start", "eth_getLogs", range(0, 500), "--output", "logs"]
    const paused = await run(...args, "--max-credits", "100")
    expect(paused.stderr).toMatch(
      /\npaused: 0 of 501 blocks · [^\n]*\ndotrpc: the limit of 100 credits does not allow another call, for which 255 are set aside: raise it with dotrpc backfill resume --max-credits\n$/,
    )
    expect(paused.code).toBe(4)
    expect((await run("backfill", "status", "--output", "logs")).stdout).toContain("paused: the limit of 100 credits")
    expect((await run(...args, "--max-credits", "5000")).code).toBe(0)
    expect(readManifest(join(cwd, "logs"))).toMatchObject({ state: "done", from: 0, to: 500 })
  })

  it("shows what it would cost, and sends nothing", async () => {
    const { code, stdout } = await startAt(
      { cwd: project() },
      "backfill",
      "start",
      "eth_getLogs",
      range(0, 99),
      "--output",
      "logs",
      "--dry-run",
    ).outcome
    expect(stdout).not.toContain("?")
    expect(stdout).toMatch(/nothing was sent\n$/)
    expect(code).toBe(0)
  })

  it("says what a range costs at least where nobody knows more, and how to find out", async () => {
    const cwd = project()
    const env = { XDG_CACHE_HOME: join(cwd, "cache"), XDG_DATA_HOME: join(cwd, "data") }
    const query = ["eth_getLogs", range(0, "finalized"), "--network", "evm"]
    const plan = () => startAt({ cwd, env }, "backfill", "start", ...query, "--output", "logs", "--dry-run").outcome
    expect((await plan()).stdout).toMatch(
      /^eth_getLogs on evm\ncalls    2 or more; the total is not known yet\ncredits  335 or more; the total is not known yet\nassumed: .*\ndotrpc scan with the same method and params and --dry-run --probe shows more, for 80 credits; .*\nnothing was sent\n$/,
    )
    const probe = () => startAt({ cwd, env }, "scan", ...query, "--dry-run", "--probe").outcome
    await probe()
    await probe()
    expect((await plan()).stdout).toMatch(/\ncalls    2 to \d+, likely \d+   \(P10 to P90\)\n/)
  })

  it("takes the URL of its store from a secret", async () => {
    const env = { STORE: "postgres://me:s3cr3tk3y@127.0.0.1:1/x" }
    const { stderr } = await startAt({ cwd: project(), env }, "backfill", "status", "--store", "$secret.STORE").outcome
    expect(stderr).toMatch(/^(?!.*s3cr3tk3y)dotrpc: the store cannot be opened: /)
  })

  const refuse = (name: string, said: string | RegExp, make: (cwd: string) => ReadonlyArray<string>) =>
    it(`refuses ${name}`, async () => {
      const cwd = project()
      const { code, stderr } = await startAt({ cwd }, "backfill", ...make(cwd)).outcome
      expect(stderr).toMatch(said)
      expect(code).toBe(2)
    })

  refuse("a range that may still change", /"latest" may still change: end the range at "finalized"/, () => [
    "start",
    "eth_getLogs",
    range(0, "latest"),
    "--output",
    "logs",
  ])
  refuse("blocks that are not final yet", /block 999999 is not final yet/, () => [
    "start",
    "eth_getLogs",
    range(0, 999_999),
    "--output",
    "logs",
  ])
  refuse("a link where its own folder would be", /logs\/\.backfill is a symbolic link/, (cwd) => {
    mkdirSync(join(cwd, "logs"))
    mkdirSync(join(cwd, "elsewhere"))
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "logs", ".backfill"))
    return ["start", "eth_getLogs", range(0, 9), "--output", "logs"]
  })
  refuse("a store that is not PostgreSQL", /--store: expected the URL of a PostgreSQL database/, () => [
    "start",
    "eth_getLogs",
    range(0, 9),
    "--output",
    "logs",
    "--store",
    "mysql://me:s3cr3tk3y@db.example/x",
  ])
  it("refuses a store that is out of reach, without repeating its URL", async () => {
    const url = "postgres://me:s3cr3tk3y@127.0.0.1:1/x"
    expect(await startAt({ cwd: project() }, "backfill", "status", "--store", url).outcome).toMatchObject({
      stderr: [
        "dotrpc: the store cannot be opened: connect ECONNREFUSED 127.0.0.1:1",
        "dotrpc: check that the PostgreSQL server is running, and that the URL of --store is right\n",
      ].join("\n"),
      code: 3,
    })
  })
  const checkFailure = (name: string, configuration: object, code: number, said: string) =>
    it(`ends with ${code} before it begins ${name}`, async () => {
      const cwd = project()
      const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
      writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks, ...configuration }))
      const begun = startAt({ cwd }, "backfill", "start", "eth_getLogs", range(0, "finalized"), "--output", "logs")
      expect(await begun.outcome).toMatchObject({ code, stderr: expect.stringContaining(said), stdout: "" })
    })
  checkFailure(
    "where a limit refuses the look for final blocks",
    { limits: { daily: 10 } },
    4,
    "dotrpc: eth_getBlockByNumber on evm: ",
  )
  checkFailure(
    "where the ledger is out of reach",
    { ledger: "redis://127.0.0.1:1" },
    4,
    "the credit ledger cannot be used",
  )
  it("ends with 3 where the network refuses the look for final blocks", async () => {
    const cwd = project()
    const server = createServer((_, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const networks = { evm: { plugin: "evm", url: `http://127.0.0.1:${port}` } }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
    const begun = startAt({ cwd }, "backfill", "start", "eth_getLogs", range(0, "finalized"), "--output", "logs")
    expect(await begun.outcome).toMatchObject({ code: 3, stdout: "" })
    server.close()
  })
  it("refuses a file that is not a store, and names it", async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, "notes.txt"),
      "Not a database, but a text that is longer than the header of one. ".repeat(9),
    )
    const { code, stderr } = await startAt({ cwd }, "backfill", "status", "--store", "sqlite:notes.txt").outcome
    expect(stderr).toBe("dotrpc: the store notes.txt cannot be opened: file is not a database\n")
    expect(code).toBe(2)
  })
  for (const command of ["status", "pause", "resume", "cancel", "worker"])
    it(`does not create what ${command} names by mistake`, async () => {
      const cwd = project()
      expect(await startAt({ cwd }, "backfill", command, "--output", "lgos").outcome).toMatchObject({
        stderr: "dotrpc: lgos has no backfill: name a folder that dotrpc backfill start has written\n",
        code: 2,
      })
      const other = startAt({ cwd }, "backfill", command, "--output", "lgos", "--store", "sqlite:lgos.db")
      expect(await other.outcome).toMatchObject({
        stderr: "dotrpc: lgos.db does not exist: name a file that dotrpc backfill start --store has created\n",
        code: 2,
      })
      expect(readdirSync(cwd)).toEqual(["rpc.config.json"])
    })
  refuse("a store whose URL is a secret that is not set", "--store needs NOT_SET, which is not set", () => [
    "status",
    "--store",
    "$secret.NOT_SET",
  ])
  refuse("to show what was never begun", /name the folder with --output, or the database with --store/, () => [
    "status",
  ])
})

describe("a server whose reply", () => {
  const check = (name: string, faults: ReadonlyArray<Fault>, code: number, said: RegExp) =>
    it(name, async () => {
      const gateway = await startFaultyGateway((call) => faults[call - 1])
      const cwd = project()
      const networks = { evm: { plugin: "evm", url: gateway.url } }
      writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
      const args = ["backfill", "start", "eth_getLogs", range(0, 500), "--output", "logs"]
      const started = await startAt({ cwd }, ...args).outcome
      gateway.close()
      expect(started.stderr).toMatch(said)
      expect(started.code).toBe(code)
    })
  const off: Fault = "breaks off"
  check("breaks off is asked again", [off], 0, /\ndone: 501 of 501 blocks .* 2 calls/)
  // A server that twice sends a part may not be able to send the whole.
  check("breaks off twice is asked for less", [off, off], 0, /\ndone: 501 of 501 blocks .* [3-7] calls/)
  check("says that it is behind is asked again", ["is behind", off], 0, /\ndone: 501 of 501 blocks .* 3 calls/)
  check(
    "always breaks off stops a backfill",
    Array.from({ length: 20 }, () => off),
    3,
    /\ndotrpc: .* ended early\. Send it again\. If every reply breaks off/,
  )
})
