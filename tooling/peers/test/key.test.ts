/** The API key in what people and machines read: every format, every way to fail, files, and the gateway's own words. */
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { deadPort, portOf } from "../src/ports.ts"
import { dotrpc, type Environment, refuseKey } from "../src/Dotrpc.ts"
import { canaryKey, type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { gatewayEnvironment } from "./environment.ts"

const formats = ["pretty", "json", "ndjson", "junit", "tap"]
/** A landing writes each format once, and what else there is in one of them. */
const someFormats = isDeep ? formats : ["pretty"]

let gateway: MeteredGateway
let folder: string
let env: Environment

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dotrpc-peers-"))
  gateway = await startGateway(inject("nodeUrl"))
  env = gatewayEnvironment(inject("nodeUrl"), inject("ledger"), gateway)
})

afterAll(async () => {
  await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command whose output must not hold the key; it must say something, or nothing would be searched. */
const check = async (args: ReadonlyArray<string>, exitCode: number, environment: Environment = env): Promise<void> => {
  const run = await dotrpc(args, environment)
  expect(run.exitCode, run.stdout + run.stderr).toBe(exitCode)
  expect(run.stdout + run.stderr).not.toBe("")
  refuseKey(canaryKey, { stdout: run.stdout, stderr: run.stderr })
}

describe("the API key", () => {
  it.each([
    { form: "as it is", text: `key: ${canaryKey}.` },
    { form: "as it stands in an address", text: `http://127.0.0.1/v3/${encodeURIComponent(canaryKey)}/credits` },
  ])("would be found $form", ({ text }) => {
    expect(() => refuseKey(canaryKey, { text })).toThrow("text holds the API key")
  })

  it.each(formats)("is not in a %s report, nor in what stands beside it", async (format) => {
    await check(["run", "ledger.rpc", "wrong-check.rpc", "--env", "gateway", "--format", format], 1)
  })

  it.each(someFormats)("is not in a %s report about a node that does not know the address", async (format) => {
    await check(["run", "wrong-check.rpc", "--env", "node-with-key", "--format", format], 3)
  })

  it.each(someFormats)("is not in a %s report about requests that use it where it does not belong", async (format) => {
    await check(["run", "careless.rpc", "--env", "gateway", "--format", format], 2)
  })

  it.each([
    { what: "an error page", status: 404, body: (path: string) => `<pre>Cannot POST ${path}</pre>` },
    {
      what: "a JSON-RPC error",
      status: 200,
      body: (path: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: `no ${path}` } }),
    },
  ])("is not in a report when the server repeats it in $what", async ({ body, status }) => {
    const server = createServer((request, response) => {
      const path = request.url ?? ""
      response.writeHead(status).end(body(`${path} ${decodeURIComponent(path)}`))
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    try {
      await check(["run", "wrong-check.rpc", "--env", "node-with-key", "--format", "json"], 3, {
        ...env,
        NODE_URL: `http://127.0.0.1:${portOf(server)}`,
      })
    } finally {
      server.close()
    }
  })

  it("is not in a report about an endpoint where nothing listens", async () => {
    await check(["run", "wrong-check.rpc", "--env", "gateway"], 3, { ...env, GATEWAY_PORT: await deadPort() })
  })

  it("is not in a report that is written to a file", async () => {
    const file = join(folder, "report.json")
    await check(["run", "wrong-check.rpc", "--env", "gateway", "--format", "json", "--output", file], 1)
    refuseKey(canaryKey, { report: readFileSync(file, "utf8") })
  })

  it("is not in a dry run", async () => {
    await check(["run", "ledger.rpc", "--env", "gateway", "--dry-run"], 0)
  })

  it.each(isDeep ? ["pretty", "json"] : ["pretty"])("is not in the %s diagnostics of a file", async (format) => {
    await check(["check", "careless.rpc", "--env", "gateway", "--format", format], 2)
  })

  it("is not in what the gateway answers to a wrong key, an unknown network or an unknown address", async () => {
    const base = `http://127.0.0.1:${gateway.port}`
    const wrong = encodeURIComponent(`${canaryKey}!`)
    for (const path of [`evm/v3/${wrong}`, `evm/v3/${wrong}/credits`, `unknown/v3/${wrong}`, `${wrong}/v3/x`, wrong]) {
      const reply = await fetch(`${base}/${path}`, { method: path.endsWith("credits") ? "GET" : "POST", body: null })
      const headers = JSON.stringify(Object.fromEntries(reply.headers))
      expect([401, 404], path).toContain(reply.status)
      refuseKey(canaryKey, { body: await reply.text(), headers })
    }
  })
})
