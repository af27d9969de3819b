/** The rows that runs have paid for, on the disk: kept while they are answered, and never mistaken for others. */
import { createHash } from "node:crypto"
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"
import { requests } from "./running.ts"

afterAll(removeFolders)

const address = (index: number) => `0x${String(index + 1).padStart(40, "0")}`
const holders = (count: number) =>
  `address\n${Array.from({ length: count }, (_, index) => `${address(index)}\n`).join("")}`
const balances = `### Balances\n# @each holders.csv\neth_getBalance [{{row.address}}, "latest"]\n`

const folderWith = (count: number) => {
  const folder = temporaryFolder()
  copyFileSync(join(requests, "rpc.config.json"), join(folder, "rpc.config.json"))
  writeFileSync(join(folder, "a.rpc"), balances)
  writeFileSync(join(folder, "holders.csv"), holders(count))
  return folder
}

const placeOf = (cwd: string) => ({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } })
const runIn = (cwd: string, ...args: ReadonlyArray<string>) => startAt(placeOf(cwd), "run", "a.rpc", ...args).outcome
const spentBy = async (cwd: string, ...args: ReadonlyArray<string>): Promise<number> => {
  const { stdout } = await runIn(cwd, ...args, "--format", "json")
  return JSON.parse(stdout).credits.spent
}

const rowsFolder = (folder: string) => join(folder, "data", "dotrpc", "rows")
const filesOf = (folder: string) => readdirSync(rowsFolder(folder))
const fileOf = (folder: string) => {
  const [name = "", ...others] = filesOf(folder)
  expect(others).toEqual([])
  return join(rowsFolder(folder), name)
}

/** As the file is written. */
const lineOf = (json: string) => `${createHash("sha256").update(json).digest("hex").slice(0, 12)} ${json}`

describe("kept rows", () => {
  it("are for their owner's eyes, and show no row that was sent", async () => {
    const folder = folderWith(3)
    await runIn(folder)
    expect(statSync(fileOf(folder)).mode & 0o777).toBe(0o600)
    expect(readFileSync(fileOf(folder), "utf8")).not.toContain(address(0).slice(2))
  })

  it("have keys by which nobody can try what was sent, such as a secret: those of another user are others", async () => {
    const folder = folderWith(2)
    const keysOf = async (user: string) => {
      await startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, user) } }, "run", "a.rpc").outcome
      const rows = join(folder, user, "dotrpc", "rows")
      const [name = ""] = readdirSync(rows)
      return [...readFileSync(join(rows, name), "utf8").matchAll(/"key":"(\w+)"/g)].map(([, key]) => key)
    }
    const [one, other] = [await keysOf("one"), await keysOf("other")]
    expect(new Set([...one, ...other]).size).toBe(4)
    expect(await keysOf("one")).toEqual(one)
    expect(statSync(join(folder, "one", "dotrpc", "key-salt")).mode & 0o777).toBe(0o600)
  })

  it("are kept for a week", async () => {
    const folder = folderWith(2)
    await runIn(folder)
    const old = Date.now() - 8 * 24 * 60 * 60 * 1_000
    const lines = readFileSync(fileOf(folder), "utf8").split("\n")
    const [head = "", first = "", ...others] = lines
    const older = lineOf(first.slice(13).replace(/"at":\d+/, `"at":${old}`))
    writeFileSync(fileOf(folder), [head, older, ...others].join("\n"))
    expect(await spentBy(folder, "--resume")).toBe(80)
  })

  it("are those of one chain and path of a host, and outlive its key", async () => {
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        const result = request.url?.startsWith("/eth?") === true ? "0x1" : "0x2"
        response.end(`{"jsonrpc":"2.0","id":${/"id":(\d+)/.exec(body)?.[1] ?? "1"},"result":"${result}"}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const folder = folderWith(2)
    const url = (chain: string) =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/${chain}?key={{$secret.KEY}}`
    const config = {
      networks: { chain: { plugin: "evm", url: url("eth") } },
      environments: {
        polygon: { networks: { chain: { url: url("polygon") } } },
        route: { networks: { chain: { url: url("{{$secret.ROUTE}}") } } },
        other: { networks: { chain: { chainId: 10 } } },
      },
    }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify(config))
    let route = "eth"
    const read = async (key: string, ...args: ReadonlyArray<string>) => {
      writeFileSync(join(folder, ".env"), `KEY=${key}\nROUTE=${route}\n`)
      const { stdout } = await runIn(folder, ...args, "--format", "json")
      const { credits, files } = JSON.parse(stdout)
      return [credits.spent > 0, files[0].requests[0].result]
    }
    expect(await read("key-one-1")).toEqual([true, ["0x1", "0x1"]])
    expect(await read("key-one-1", "--resume")).toEqual([false, ["0x1", "0x1"]])
    expect(await read("key-two-2", "--resume")).toEqual([false, ["0x1", "0x1"]])
    expect(await read("key-one-1", "--resume", "--env", "polygon")).toEqual([true, ["0x2", "0x2"]])
    expect(await read("key-one-1", "--resume", "--env", "other")).toEqual([true, ["0x1", "0x1"]])
    expect(await read("key-one-1", "--env", "route")).toEqual([true, ["0x1", "0x1"]])
    route = "polygon"
    expect(await read("key-one-1", "--resume", "--env", "route")).toEqual([true, ["0x2", "0x2"]])
    server.close()
  })

  it("survive a process that is killed, whose other rows only are paid for after that", async () => {
    // Two rows a second: it would take a minute, however slow the machine is that kills it.
    const count = 120
    const folder = folderWith(count)
    const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
    writeFileSync(
      join(folder, "rpc.config.json"),
      JSON.stringify({ ledger: "memory", limits: { perSecond: 160 }, networks }),
    )
    const running = spawnAt(placeOf(folder), "run", "a.rpc", "--trace")
    // The first rows of it have ended by the time that the others wait.
    await running.printed("holders.csv:8): pausing")
    await expect.poll(() => readFileSync(fileOf(folder), "utf8").split("\n").length).toBeGreaterThan(2)
    running.kill()
    await running.outcome
    const journal = fileOf(folder)
    expect(journal).toMatch(/\.journal$/)
    expect(statSync(journal).mode & 0o777).toBe(0o600)
    const kept = readFileSync(journal, "utf8").split("\n").length - 2
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(count)
    // What it was writing when it was killed is not a row, and no damage either.
    writeFileSync(journal, `${readFileSync(journal, "utf8")}0123456789ab {"requ`)
    const { stdout } = await runIn(folder, "--resume", "--dry-run")
    expect(stdout).toContain(`${((count - kept) * 80).toLocaleString("en")} credits · ${count - kept} rows`)
    copyFileSync(join(requests, "rpc.config.json"), join(folder, "rpc.config.json"))
    expect(await spentBy(folder, "--resume")).toBe((count - kept) * 80)
    expect(fileOf(folder)).toMatch(/\.rows$/)
  })

  const damage = (name: string, make: (text: string) => string, line: number, whole: number) =>
    it(`that are damaged are an error, and rows that are whole stay: ${name}`, async () => {
      const folder = folderWith(4)
      await runIn(folder)
      const file = fileOf(folder)
      writeFileSync(file, make(readFileSync(file, "utf8")))
      const plan = await runIn(folder, "--resume", "--dry-run")
      expect(plan.stderr).toContain(`${file}:${line} is damaged`)
      const refused = await runIn(folder, "--resume")
      expect(refused).toMatchObject({ code: 2, stdout: "" })
      expect(refused.stderr).toContain(
        `a.rpc: the rows that earlier runs paid for were damaged: ${file}:${line} is damaged`,
      )
      expect(refused.stderr).toContain("Nothing was sent: run it again with --resume")
      expect(filesOf(folder).some((each) => each.endsWith(".rows.damaged"))).toBe(true)
      expect(await spentBy(folder, "--resume")).toBe((4 - whole) * 80)
    })
  damage("cut off", (text) => text.slice(0, text.indexOf("\n", text.length / 2) - 3), 3, 1)
  damage("a digit that changed", (text) => text.replace(/"result":"0x(?=[0-9a-f])/, '"result":"0xf'), 2, 3)
  damage("a line that was added", (text) => text.replace("\n", "\nhello\n"), 2, 4)
  damage("emptied", () => "", 1, 0)
  damage("an older form", () => '{"file":"a.rpc","requests":{}}', 1, 0)

  it("that are damaged do not keep a run from sending all rows", async () => {
    const folder = folderWith(2)
    await runIn(folder)
    const file = fileOf(folder)
    writeFileSync(file, "")
    const { code, stderr } = await runIn(folder)
    expect(code).toBe(0)
    expect(stderr).toContain(
      `dotrpc: warning: a.rpc: the rows that earlier runs paid for were damaged: ${file}:1 is damaged`,
    )
    expect(await spentBy(folder, "--resume")).toBe(0)
  })

  it("that cannot be written are a warning, and the run goes on", async () => {
    const folder = folderWith(2)
    await runIn(folder)
    chmodSync(rowsFolder(folder), 0o500)
    const { code, stderr } = await runIn(folder)
    chmodSync(rowsFolder(folder), 0o700)
    expect(code).toBe(0)
    // Root may write anywhere.
    if (process.getuid?.() !== 0) expect(stderr).toContain("rows are kept only at the end of the run")
  })
})
