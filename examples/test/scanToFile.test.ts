/** `scan-to-file.ts` as people use it: a budget that runs out, Ctrl-C in the middle, an endpoint that is wrong. */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Gateway } from "@dotrpc/gateway"
import { isDeep } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"

const script = join(import.meta.dirname, "../scripts/scan-to-file.ts")
const key = "c4n4ry-0f-th1s"
const gateway = Gateway.make({ keys: [key] })

let folder: string
let server: Server | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dotrpc-examples-"))
})

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  rmSync(folder, { recursive: true })
})

/** The script in a folder of its own; what it says must not hold the key. */
const start = (url: string, credits: number) => {
  const child = spawn(process.execPath, [script, "logs.ndjson", String(credits)], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", RPC_URL: url },
  })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<{ readonly code: number | null; readonly said: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, said })),
  )
  return {
    interrupt: () => child.kill("SIGINT"),
    ended: ended.then((end) => {
      expect(end.said).not.toContain(key)
      return end
    }),
  }
}

/** The gateway over HTTP, which leaves the call of this number without an answer, and tells that it came. */
const serve = async (silentAt = Infinity) => {
  let calls = 0
  let tell: () => void = () => {}
  const reached = new Promise<void>((resolve) => (tell = resolve))
  server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      if (++calls === silentAt) return tell()
      const asked = { network: "evm", key: request.url?.split("/").at(-1) ?? "", body, now: Date.now() }
      void Effect.runPromise(gateway.handle(asked)).then((reply) =>
        response.writeHead(reply.status, reply.headers).end(reply.body),
      )
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/evm/v3/${key}`, reached, calls: () => calls }
}

const linesWritten = () => readFileSync(join(folder, "logs.ndjson"), "utf8").split("\n").filter(Boolean)

const expectWhole = () => {
  const lines = linesWritten()
  expect(lines).toHaveLength(12_000)
  expect(new Set(lines).size).toBe(12_000)
}

it("stops when the budget is used up, says how to go on, and goes on", async () => {
  const { calls, url } = await serve()
  const first = await start(url, 600).ended
  expect(first.said).toMatch(
    /refused: the call needs 255 credits, and the budget of 600 has 90 left.*\n.*\nThe same command/,
  )
  expect(first.said).toMatch(/2 calls, 510 credits\n/)
  expect(first.code).toBe(1)
  const second = await start(url, 5_000).ended
  expect(second.said).toMatch(/^\d+ calls, \d+ credits\nThe scan is complete\.\n$/)
  expect(second.code).toBe(0)
  expectWhole()
  const paid = calls()
  expect((await start(url, 0).ended).said).toBe("0 calls, 0 credits\nThe scan is complete.\n")
  expect(calls()).toBe(paid)
})

it("keeps what it has on Ctrl-C, and resumes from there", async () => {
  const slow = await serve(3)
  const running = start(slow.url, 5_000)
  await slow.reached
  running.interrupt()
  expect(await running.ended).toMatchObject({ code: 130 })
  const kept = linesWritten()
  expect(kept.length).toBeGreaterThan(0)
  server?.closeAllConnections()
  server?.close()
  const { url } = await serve()
  expect((await start(url, 5_000).ended).code).toBe(0)
  expectWhole()
  expect(linesWritten().slice(0, kept.length)).toEqual(kept)
})

it("says that a key is wrong, and writes nothing", async () => {
  const { url } = await serve()
  const { code, said } = await start(`${url}x`, 5_000).ended
  expect(said).toMatch(
    /the API key was not accepted: .*invalid project id\nCheck the API key in the URL or the headers of this network/,
  )
  expect(code).toBe(1)
  expect(linesWritten()).toEqual([])
  expect(existsSync(join(folder, "logs.ndjson.checkpoint"))).toBe(false)
})

const checkSaved = (what: string, saved: string, said: RegExp) =>
  it(`refuses a checkpoint ${what}`, async () => {
    const { calls, url } = await serve()
    writeFileSync(join(folder, "logs.ndjson"), "")
    writeFileSync(join(folder, "logs.ndjson.checkpoint"), saved)
    const end = await start(url, 5_000).ended
    expect(end.said).toMatch(said)
    expect(end.code).toBe(1)
    expect(calls()).toBe(0)
  })
checkSaved("that is cut off", '{"bytes":12', /checkpoint cannot be used: .*\nDelete it to start again\.\n$/)
// Each takes a process.
if (isDeep)
  checkSaved(
    "that is not one",
    '{"bytes":0,"checkpoint":{"version":1}}',
    /"method", "network" and "query" must be strings/,
  )

const inDeepRuns = isDeep ? it : () => undefined
inDeepRuns("says that nothing listens, without a stack trace", async () => {
  const { url } = await serve()
  server?.close()
  const { code, said } = await start(url, 5_000).ended
  expect(said).toMatch(
    /eth_getLogs on evm: could not connect to 127\.0\.0\.1:\d+ .*\nCheck that the endpoint is right and reachable\.\n/,
  )
  expect(said).not.toMatch(/^\s+at /m)
  expect(code).toBe(1)
})
