/** Backfills in the background, as processes. */
import { Json } from "@dotrpc/spec"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Option, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { WorkerCommand } from "../src/BackfillBackground.ts"
import { workerCommand } from "../src/commands/backfillJoin.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startSlowGateway } from "./httpGateway.ts"
import { spawnAt } from "./process.ts"

let gateway: HttpGateway
beforeAll(async () => {
  gateway = await startSlowGateway(50)
})
afterAll(() => gateway.close())

const project = (): string => {
  const folder = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: gateway.url } }
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
  writeFileSync(join(folder, "q.rpc"), '### logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "finalized" }]\n')
  return folder
}

const backfill = (cwd: string, ...args: ReadonlyArray<string>) =>
  spawnAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, "backfill", ...args).outcome

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50))
}

const stateIn = (folder: string): Json.Json | undefined => {
  if (!existsSync(join(folder, "manifest.json"))) return undefined
  const manifest = Json.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
  return Json.isObject(manifest) ? manifest.state : undefined
}

const logsIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".log"))

it("--detach prints the id and ends, while the work continues in the background", async () => {
  const cwd = project()
  const logs = join(cwd, "logs")
  const started = await backfill(cwd, "start", "q.rpc", "--out", "logs", "--format", "csv", "--detach")
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\da-f]{12}\n$/) })
  const [log = ""] = logsIn(logs)
  const id = started.stdout.trim()
  expect(started.stderr).toMatch(`${id} continues in the background; its log is logs/${log}\n`)
  const status = await backfill(cwd, "status", "--out", "logs")
  expect(status.stdout).toContain(`log of the worker in the background: logs/${log}`)
  await until(() => stateIn(logs) === "done")
  await until(() => readFileSync(join(logs, log), "utf8").includes("done: "))
  expect(readFileSync(join(logs, log), "utf8")).toMatch(
    /^done: 1,4\d\d of 1,4\d\d blocks · [\d,]+ rows in \d+ parts? · [^\n]*\n$/,
  )
})

it("a backfill in the background is paused, and resumed in the background", async () => {
  const cwd = project()
  const logs = join(cwd, "logs")
  await backfill(cwd, "start", "q.rpc", "--out", "logs", "--max-credits", "600", "--detach")
  const [first = ""] = logsIn(logs)
  await until(() =>
    readFileSync(join(logs, first), "utf8").includes("the limit of 600 credits does not allow another call"),
  )
  expect((await backfill(cwd, "status", "--out", "logs")).stdout).toContain("paused: the limit of 600 credits")
  const resumed = await backfill(cwd, "resume", "--out", "logs", "--max-credits", "99999", "--detach")
  expect(resumed.code).toBe(0)
  await until(() => stateIn(logs) === "done")
  await until(() => logsIn(logs).some((name) => readFileSync(join(logs, name), "utf8").startsWith("done: ")))
})

it("a worker in the background that ends before it works is reported at once, with its message and exit code", async () => {
  const cwd = project()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
  const { port } = taken.address() as AddressInfo
  const started = await backfill(cwd, "start", "q.rpc", "--out", "logs", "--detach", "--metrics", `${port}`)
  const [log = ""] = logsIn(join(cwd, "logs"))
  expect(started.stderr).toContain(
    `dotrpc: --metrics: cannot listen on port ${port} (EADDRINUSE); name another one, or 0 for one that is free\n`,
  )
  expect(started.stderr).toMatch(`before it began to work; its log is logs/${log}\n`)
  expect(started.code).toBe(2)
  taken.close()
})

it("a worker in the background reaches a collector whose URL is a secret, and says where its metrics are", async () => {
  const cwd = project()
  const paths: Array<string> = []
  const collector = createServer((request, response) => {
    paths.push(request.url ?? "")
    response.end("{}")
  })
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
  const { port } = collector.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/k3y`
  // It pauses soon, and sends its metrics when it does.
  const few = ["--max-credits", "300"]
  const started = await backfill(
    cwd,
    "start",
    "q.rpc",
    "--out",
    "logs",
    "--detach",
    "--otlp",
    url,
    "--metrics",
    "0",
    ...few,
  )
  expect(started).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^metrics: http:\/\/127\.0\.0\.1:\d+\/metrics$/m),
  })
  await until(() => paths.length > 0)
  expect(new Set(paths)).toEqual(new Set(["/k3y/v1/metrics"]))
  collector.close()
})

describe("the list of processes", () => {
  const database = "postgres://me:s3cr3tk3y@db.example/x"
  const folder = { name: "logs", path: "/logs" }
  const args = ["--out", "/logs", "--workers", "4"]
  const id = ["--", "5d0b7a"]
  const withoutFlags = { store: Option.none(), env: Option.none(), trust: false, workers: 4, allowHosts: [] }

  const check = (
    name: string,
    given: { readonly store?: string; readonly url?: string; readonly otlp?: string },
    expected: WorkerCommand,
  ) =>
    it(`${name}`, () => {
      const { otlp, store, url } = given
      const command = workerCommand({
        id: "5d0b7a",
        folder,
        config: Option.none(),
        store: { url: url === undefined ? undefined : Redacted.make(url) },
        exposure: { port: undefined, otlp: otlp === undefined ? undefined : Redacted.make(otlp) },
        flags: { ...withoutFlags, store: Option.fromUndefinedOr(store) },
      })
      expect(command).toEqual(expected)
    })

  check(
    "has the file of a store",
    { store: "sqlite:x.db" },
    { args: [...args, "--store", "sqlite:x.db", ...id], secrets: {} },
  )
  for (const store of [
    database,
    "$secret.STORE",
    "{{$secret.STORE}}",
    "postgres://me:{{$secret.PASSWORD}}@db.example/x",
  ])
    check(
      `has no database: ${store}`,
      { store, url: database },
      {
        args: [...args, "--store", "$secret.DOTRPC_BACKFILL_STORE", ...id],
        secrets: { DOTRPC_BACKFILL_STORE: database },
      },
    )
  check(
    "has no collector",
    { otlp: "http://collector.example/s3cr3tk3y" },
    {
      args: [...args, "--otlp", "$secret.DOTRPC_BACKFILL_OTLP", ...id],
      secrets: { DOTRPC_BACKFILL_OTLP: "http://collector.example/s3cr3tk3y" },
    },
  )
})
