/** Backfills that follow a chain: the gateway adds a block every second, and a part has what has become final since the one before. */
import { Json } from "@dotrpc/spec"
import { existsSync, mkdtempSync, readFileSync, watch, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { start, startAt } from "./dotrpc.ts"

const filter = (from: number, to: number | string) =>
  Json.stringify([{ fromBlock: hex(from), toBlock: typeof to === "string" ? to : hex(to) }])

const hex = (value: number) => `0x${value.toString(16)}`

interface Manifest {
  readonly to: number
  readonly rows: string
  readonly parts: number
}

const manifestIn = (folder: string): Manifest => {
  if (!existsSync(join(folder, "_manifest.json"))) return { to: -1, rows: "", parts: 0 }
  const manifest = Json.parse(readFileSync(join(folder, "_manifest.json"), "utf8"))
  if (!Json.isObject(manifest) || !Json.isArray(manifest.parts)) throw new Error("It is not a manifest.")
  const parts = manifest.parts.filter(Json.isObject)
  const rows = parts.map(({ file }) => readFileSync(join(folder, String(file)), "utf8")).join("")
  return { to: Number(parts.at(-1)?.to ?? -1), rows, parts: parts.length }
}

/** Waits until the manifest has so many parts. */
const partsIn = (folder: string, count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const watcher = watch(folder, () => {
      try {
        if (manifestIn(folder).parts < count) return
        watcher.close()
        resolve()
      } catch (error) {
        watcher.close()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  })

/** A node without logs, whose final block is the number of `final`, which `beforeLook` keeps back. */
const startNode = async (node: { final: number; beforeLook: () => Promise<void> }) => {
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string }
      const isLook = method === "eth_getBlockByNumber"
      const number = hex(node.final)
      const block = { number, hash: `0x${"1".repeat(64)}`, timestamp: "0x1", transactions: [] }
      const result = isLook ? block : method === "eth_getLogs" ? [] : "0x1"
      void (isLook ? node.beforeLook() : Promise.resolve()).then(() =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result })),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}

describe("a backfill that follows its chain", () => {
  it("is up to date for none of two --once before what is final now is written", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
    const node = { final: 400, beforeLook: () => Promise.resolve() }
    const { close, url } = await startNode(node)
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url } } }))
    const args = ["backfill", "start", "eth_getLogs", filter(0, "finalized"), "--output", "logs", "--format", "ndjson"]
    const once = () => startAt({ cwd }, ...args, "--follow", "--once")
    expect((await once().outcome).stderr).toMatch(/^up to date: 401 of 401 /m)
    node.final = 900
    // The first look is kept back until the other worker looks, or ends.
    let looks = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    node.beforeLook = () => {
      if (++looks > 1) release()
      return released
    }
    const both = [once(), once()].map(({ outcome }) => outcome.finally(release))
    for (const outcome of both)
      expect(await outcome).toMatchObject({ code: 0, stderr: expect.stringMatching(/^up to date: 901 of 901 /m) })
    const { stdout } = await startAt({ cwd }, "backfill", "status", "--output", "logs").outcome
    expect(stdout).toMatch(/\n {2}up to date · 901 of 901 blocks · (?!.*waits)/)
    close()
  })

  it("appends what becomes final, pays what it counts, and resumes after SIGINT", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
    const sample = ["--blocks", "400", "--logs", "800", "--balances", "memory"]
    const gateway = start("gateway", "--port", "0", ...sample, "--upcoming", "200", "--block-seconds", "1")
    await gateway.printed('"ready":true')
    const { urls } = JSON.parse(gateway.soFar()) as { readonly urls: Readonly<Record<"evm", string>> }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url: urls.evm } } }))
    const folder = join(cwd, "logs")
    const args = ["backfill", "start", "eth_getLogs", filter(0, "finalized"), "--output", "logs", "--format", "ndjson"]
    const follow = [...args, "--follow", "--every", "1s"]
    expect((await startAt({ cwd }, ...args).outcome).code).toBe(0)
    const before = manifestIn(folder)

    for (const parts of [before.parts + 2, before.parts + 4]) {
      const running = startAt({ cwd }, ...follow)
      await partsIn(folder, parts)
      running.interrupt()
      const { code, stderr } = await running.outcome
      expect(stderr).toMatch(/interrupted: [^\n]*; the same command resumes it\n$/)
      expect(code).toBe(130)
    }
    const { stdout } = await startAt({ cwd }, "backfill", "status", "--output", "logs", "--format", "json").outcome
    const paid = (await (await fetch(`${urls.evm}/credits`)).json()) as { readonly spent: number }
    const [status] = Json.parse(stdout) as ReadonlyArray<Json.JsonObject>
    // The first start has looked once for the last block.
    expect(Number(status?.credits)).toBe(paid.spent - lookPrice)

    // For cron: it looks, however lately somebody has, writes what is new and ends.
    const once = await startAt({ cwd }, ...args, "--follow", "--once", "--every", "10h").outcome
    expect({ code: once.code, stderr: once.stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^up to date: /),
    })
    expect(manifestIn(folder).to).toBeGreaterThan(Number(status?.to))

    // Without --follow it ends with what it has.
    const ended = await startAt({ cwd }, ...args).outcome
    expect(ended.stderr).toMatch(/^done: /)
    expect(ended.code).toBe(0)
    const { rows, to } = manifestIn(folder)
    expect(to).toBeGreaterThan(before.to)
    const scan = await startAt({ cwd }, "scan", "eth_getLogs", filter(0, to), "--output", "scan.ndjson").outcome
    expect(scan.code).toBe(0)
    expect(rows).toBe(readFileSync(join(cwd, "scan.ndjson"), "utf8"))
    gateway.interrupt()
    await gateway.outcome
  })

  it("appends what becomes final by a price sheet that sets more aside than a look usually costs", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
    const sample = ["--blocks", "400", "--logs", "800", "--balances", "memory"]
    const gateway = start("gateway", "--port", "0", ...sample, "--upcoming", "200", "--block-seconds", "1")
    await gateway.printed('"ready":true')
    const { urls } = JSON.parse(gateway.soFar()) as { readonly urls: Readonly<Record<"evm", string>> }
    const networks = { evm: { plugin: "evm", url: urls.evm, prices: "blockpi" } }
    writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
    const args = ["backfill", "start", "eth_getLogs", filter(0, "finalized"), "--output", "logs", "--format", "ndjson"]
    expect((await startAt({ cwd }, ...args).outcome).code).toBe(0)
    const folder = join(cwd, "logs")
    const running = startAt({ cwd }, ...args, "--follow", "--every", "1", "--max-credits", "5000000")
    await partsIn(folder, manifestIn(folder).parts + 1)
    running.interrupt()
    expect((await running.outcome).code).toBe(130)
    gateway.interrupt()
    await gateway.outcome
  })

  const refuse = (name: string, said: string, ...args: ReadonlyArray<string>) =>
    it(`refuses ${name}`, async () => {
      const cwd = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
      writeFileSync(join(cwd, "rpc.config.json"), '{"networks":{"evm":{"plugin":"evm","url":"embedded:evm"}}}')
      const { code, stderr } = await startAt({ cwd }, "backfill", "start", "eth_getLogs", ...args, "--output", "x")
        .outcome
      expect(stderr).toContain(said)
      expect(code).toBe(2)
    })
  refuse("to follow a range that ends", 'end the range at "finalized"', filter(0, 9), "--follow")
  refuse("--once alone", "--once needs --follow", filter(0, "finalized"), "--once")
  refuse("--every alone", "--every needs --follow", filter(0, "finalized"), "--every", "60")
})

/** What a look for the newest final block costs. */
const lookPrice = 80
