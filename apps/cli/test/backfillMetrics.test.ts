/** The metrics of a backfill, read where Prometheus and a collector read them. */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer, get } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"

const project = (limits: object = {}) => {
  const cwd = mkdtempSync(join(tmpdir(), "dotrpc-metrics-"))
  writeFileSync(
    join(cwd, "rpc.config.json"),
    JSON.stringify({ networks: { evm: { plugin: "evm", url: "embedded:evm" } }, limits }),
  )
  return cwd
}

const args = ["backfill", "start", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"finalized"}]', "--output", "logs"]

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What a page gets whose name resolves to this machine. */
const statusFor = (host: string, port: number) =>
  new Promise((resolve, reject) =>
    get({ port, host: "127.0.0.1", path: "/metrics", headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on("error", reject),
  )

describe("metrics of a backfill", () => {
  it("are on a port of this machine while it runs, and no longer", async () => {
    // So that it takes a while.
    const port = await freePort()
    const running = startAt({ cwd: project({ perSecond: 260 }) }, ...args, "--metrics", `${port}`)
    const url = `http://127.0.0.1:${port}/metrics`
    await running.printed(`metrics: ${url}\n`)
    const read = async () => (await fetch(url)).text()
    await expect.poll(read).toMatch(/^dotrpc_backfill_worker_pieces\{.*worker=".+"\} \d/m)
    const text = await read()
    for (const name of ["blocks", "blocks_left", "rows", "calls", "credits", "pieces_left"])
      expect(text).toMatch(
        new RegExp(
          `^dotrpc_backfill_${name}\\{backfill="[0-9a-f]{12}",method="eth_getLogs",network="evm"\\} \\d+$`,
          "m",
        ),
      )
    expect((await fetch(new URL("/", url))).status).toBe(404)
    expect((await fetch(url, { method: "POST" })).status).toBe(405)
    expect(await statusFor("rebound.example", port)).toBe(403)
    running.interrupt()
    await running.outcome
    await expect(fetch(url)).rejects.toThrow()
  })

  it("go to a collector, the last of them when it ends", async () => {
    const bodies: Array<string> = []
    const collector = createServer((request, response) => {
      let body = `${request.url ?? ""}\n`
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
      request.on("end", () => {
        bodies.push(body)
        response.end("{}")
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
    const { port } = collector.address() as AddressInfo
    const outcome = await startAt({ cwd: project() }, ...args, "--otlp", `http://127.0.0.1:${port}/`).outcome
    collector.close()
    expect(outcome.code).toBe(0)
    const last = bodies.at(-1) ?? ""
    expect(last.startsWith("/v1/metrics\n")).toBe(true)
    const { resourceMetrics } = JSON.parse(last.slice(last.indexOf("\n")))
    const metrics: ReadonlyArray<{
      readonly name: string
      readonly gauge: { readonly dataPoints: ReadonlyArray<object> }
    }> = resourceMetrics[0].scopeMetrics[0].metrics
    const left = metrics.find(({ name }) => name === "dotrpc_backfill_blocks_left")
    expect(left?.gauge.dataPoints[0]).toMatchObject({ asDouble: 0 })
    expect(metrics.map(({ name }) => name)).toContain("dotrpc_backfill_worker_credits")
  })

  const check = (what: string, flag: ReadonlyArray<string>, said: string) =>
    it(what, async () => {
      const outcome = await startAt({ cwd: project() }, ...args, ...flag).outcome
      expect(outcome.stderr).toContain(said)
      expect(outcome.stderr).not.toContain("c4n4ry")
      expect(outcome.code).toBe(2)
    })
  check("need a collector with a URL", ["--otlp", "c4n4ry:4318"], "--otlp: expected the URL of a collector")
  check("need a secret that is set", ["--otlp", "$secret.NO_OTLP"], "--otlp needs NO_OTLP, which is not set: set the")
  it("need such a URL before anything is begun", async () => {
    const cwd = project()
    const outcome = await startAt({ cwd }, ...args, "--otlp", "collector").outcome
    expect(outcome).toMatchObject({ stdout: "", code: 2 })
    expect(existsSync(join(cwd, "logs"))).toBe(false)
  })
  it("need a port that is free", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as AddressInfo
    const outcome = await startAt({ cwd: project() }, ...args, "--metrics", `${port}`).outcome
    taken.close()
    expect(outcome.stderr).toContain(`--metrics: cannot listen on port ${port} (EADDRINUSE)`)
    expect(outcome.code).toBe(2)
  })
})
