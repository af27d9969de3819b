/** Backfills in the background, as processes. */
import { isDeep } from "@dotrpc/vitest/depth"
import { Json } from "@dotrpc/spec"
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Option, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { WorkerCommand } from "../src/BackfillBackground.ts"
import { workerCommand } from "../src/commands/backfillJoin.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startHeldGateway, startSlowGateway } from "./httpGateway.ts"
import { spawnAt } from "./process.ts"

let gateway: HttpGateway
beforeAll(async () => {
  gateway = await startSlowGateway(50)
})
afterAll(() => gateway.close())

const project = (settings: Json.JsonObject = {}): string => {
  const folder = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: gateway.url } }
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, ledger: "memory", ...settings }))
  writeFileSync(join(folder, "q.rpc"), '### logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "finalized" }]\n')
  return folder
}

/** Only a process can start the worker of `--detach`. */
const backfill = (cwd: string, ...args: ReadonlyArray<string>) =>
  (args.includes("--detach") ? spawnAt : startAt)(
    { cwd, env: { XDG_DATA_HOME: join(cwd, "data") } },
    "backfill",
    ...args,
  ).outcome

/** Takes real workers some seconds. */
const inDeepRuns = isDeep ? it : () => undefined

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50))
}

const stateIn = (folder: string): Json.Json | undefined => {
  if (!existsSync(join(folder, "_manifest.json"))) return undefined
  const manifest = Json.parse(readFileSync(join(folder, "_manifest.json"), "utf8"))
  return Json.isObject(manifest) ? manifest.state : undefined
}

/** Whether the workers say that all of them wait for a time. */
const isWaiting = (folder: string): boolean => {
  const path = join(folder, ".backfill/status.json")
  const status = existsSync(path) ? Json.parse(readFileSync(path, "utf8")) : null
  return Json.isObject(status) && Number(status.wake) > 0
}

const logsIn = (folder: string) => {
  const own = join(folder, ".backfill")
  return existsSync(own)
    ? readdirSync(own)
        .filter((name) => name.endsWith(".log"))
        .map((name) => `.backfill/${name}`)
    : []
}

it("--detach prints the id and ends, while the work continues in the background", async () => {
  const cwd = project()
  const logs = join(cwd, "logs")
  const started = await backfill(cwd, "start", "q.rpc", "--output", "logs", "--format", "csv", "--detach")
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\da-f]{12}\n$/) })
  const [log = ""] = logsIn(logs)
  const id = started.stdout.trim()
  expect(started.stderr).toMatch(`${id} continues in the background; its log is logs/${log}\n`)
  const status = await backfill(cwd, "status", "--output", "logs")
  expect(status.stdout).toContain(`log of the worker in the background: logs/${log}`)
  await until(() => stateIn(logs) === "done")
  await until(() => readFileSync(join(logs, log), "utf8").includes("done: "))
  expect(readFileSync(join(logs, log), "utf8")).toMatch(
    /^done: 1,4\d\d of 1,4\d\d blocks · [\d,]+ rows in \d+ parts? · [^\n]*\n$/,
  )
})

inDeepRuns("a backfill in the background is paused, and resumed in the background", async () => {
  const cwd = project()
  const logs = join(cwd, "logs")
  await backfill(cwd, "start", "q.rpc", "--output", "logs", "--max-credits", "600", "--detach")
  const [first = ""] = logsIn(logs)
  await until(() =>
    readFileSync(join(logs, first), "utf8").includes("the limit of 600 credits does not allow another call"),
  )
  expect((await backfill(cwd, "status", "--output", "logs")).stdout).toContain("paused: the limit of 600 credits")
  const resumed = await backfill(cwd, "resume", "--output", "logs", "--max-credits", "99999", "--detach")
  expect(resumed.code).toBe(0)
  await until(() => stateIn(logs) === "done")
  await until(() => logsIn(logs).some((name) => readFileSync(join(logs, name), "utf8").startsWith("done: ")))
})

const changesOfFolder: Readonly<Record<string, (path: string) => void>> = {
  replaced: (path) => {
    renameSync(path, `${path}-elsewhere`)
    mkdirSync(join(path, ".backfill"), { recursive: true })
  },
  deleted: (path) => rmSync(path, { recursive: true }),
  moved: (path) => renameSync(path, `${path}-elsewhere`),
}

for (const [what, change] of isDeep ? Object.entries(changesOfFolder) : [])
  it(`a worker in the background whose folder is ${what} ends, and says so`, async () => {
    const cwd = project()
    const logs = join(cwd, "logs")
    // After its first call it waits for the next hour, and does nothing else.
    const store = ["--store", "sqlite:state.sqlite", "--max-credits-per-hour", "300"]
    const started = await backfill(cwd, "start", "q.rpc", "--output", "logs", ...store, "--detach")
    expect(started.code).toBe(0)
    const [log = ""] = logsIn(logs)
    const descriptor = openSync(join(logs, log), "r")
    await until(() => isWaiting(logs))
    change(logs)
    const said = () => readFileSync(`/dev/fd/${descriptor}`, "utf8")
    await until(() => said().includes("logs is gone"))
    expect(said()).toMatch(
      /dotrpc: \S*logs is gone: it was moved or deleted while this worker used it; name where it is now with dotrpc backfill resume --output, or begin again in another folder\n/,
    )
    closeSync(descriptor)
    // Its heartbeats end.
    const status = await backfill(cwd, "status", "--store", "sqlite:state.sqlite", "--format", "json")
    expect(Json.parse(status.stdout)).toMatchObject([{ state: "running" }])
  })

const stores = [
  ["named by a variable", ["--store", "$env.STATE"], "state.sqlite"],
  ["in its folder", [], "logs/.backfill/store.sqlite"],
  ["elsewhere", ["--store", "sqlite:state.sqlite"], "state.sqlite"],
] as const

for (const [what, store, path] of isDeep ? stores : stores.slice(0, 1))
  for (const [act, change] of [
    ["deleted", (file: string) => rmSync(file)],
    ["replaced", (file: string) => (rmSync(file), writeFileSync(file, ""))],
  ] as const)
    it(`a worker whose store ${what} is ${act} ends, and says so`, async () => {
      const cwd = project({ env: ["STATE"] })
      const env = { XDG_DATA_HOME: join(cwd, "data"), STATE: "sqlite:state.sqlite" }
      // After its first call it waits for the next hour, and does nothing else.
      const limits = ["--max-credits-per-hour", "300"]
      const working = startAt({ cwd, env }, "backfill", "start", "q.rpc", "--output", "logs", ...store, ...limits)
      await until(() => isWaiting(join(cwd, "logs")))
      change(join(cwd, path))
      const { code, stderr } = await working.outcome
      expect(stderr).toContain(
        `dotrpc: the store ${what === "named by a variable" ? "of --store" : path} is gone: it was moved or deleted while this worker used it; put it back and resume, or begin again in another folder\n`,
      )
      expect(code).toBe(3)
    })

it("a store that cannot be opened is not shown where a variable names it", async () => {
  const cwd = project({ env: ["STATE"] })
  writeFileSync(join(cwd, "file"), "")
  const check = async (STATE: string, said: string) => {
    const env = { XDG_DATA_HOME: join(cwd, "data"), STATE }
    const args = ["start", "q.rpc", "--output", "logs", "--store", "$env.STATE"]
    const { code, stderr } = await startAt({ cwd, env }, "backfill", ...args).outcome
    expect(stderr).toBe(`dotrpc: the store of --store cannot be opened: ${said}\n`)
    expect(code).toBe(2)
  }
  await check("sqlite:file/SeCrEt.sqlite", "a part of its path is not a folder")
  await check("sqlite:file/SeCrEt/store.sqlite", "a part of its path is not a folder")
  await check(`sqlite:${"SeCrEt".repeat(99)}`, "its name is too long")
  mkdirSync(join(cwd, "SeCrEt"))
  await check("sqlite:SeCrEt", "unable to open database file")
})

it("a worker whose store loses a table while it works ends, and says so once", async () => {
  const held = await startHeldGateway()
  const cwd = project({ networks: { evm: { plugin: "evm", url: held.url } } })
  const store = ["--store", "sqlite:state.sqlite"]
  const place = { cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }
  const working = startAt(place, "backfill", "start", "q.rpc", "--output", "logs", ...store, "--parallel", "1")
  await held.firstItems
  // One answer was given, and every other one waits.
  const database = new DatabaseSync(join(cwd, "state.sqlite"), { timeout: 10_000 })
  database.exec("DROP TABLE dotrpc_backfill_pieces")
  database.close()
  held.release()
  const { code, stderr } = await working.outcome
  expect(code).toBe(3)
  expect(stderr).toMatch(
    /dotrpc: the store is damaged: the table dotrpc_backfill_pieces is missing, or lacks columns that this version of dotrpc needs\n$/,
  )
  expect(stderr.split("the worker waits").length).toBeLessThan(4)
  held.close()
})

it("a worker takes its id after --, and its store from the environment", async () => {
  const cwd = project()
  const config = join(cwd, "rpc.config.json")
  const listed = { ...(Json.parse(readFileSync(config, "utf8")) as Json.JsonObject), env: ["STATE"] }
  writeFileSync(config, Json.stringify(listed))
  const env = { XDG_DATA_HOME: join(cwd, "data"), STATE: `sqlite:${join(cwd, "state.sqlite")}` }
  const run = (...args: ReadonlyArray<string>) =>
    (args.includes("--detach") ? spawnAt : startAt)({ cwd, env }, "backfill", ...args).outcome
  const store = ["--store", "$env.STATE"]
  const started = await run("start", "q.rpc", "--output", "logs", ...store, "--max-credits", "100")
  expect(started).toMatchObject({ code: 4 })
  const id = started.stdout.trim()
  expect(existsSync(join(cwd, "state.sqlite"))).toBe(true)
  expect(await run("status", "--store", "sqlite:{{$env.STATE}}")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^dotrpc: --store: a file name cannot contain \{\{…\}\}: /),
  })
  const detached = await run("resume", "--output", "logs", ...store, "--max-credits", "200", "--detach")
  expect(detached).toMatchObject({ stdout: `${id}\n` })
  expect(await run("resume", "--output", "logs", ...store, "--max-credits", "300", "--", id)).toMatchObject({ code: 4 })
  const worker = await run("worker", "--output", "logs", ...store, "--", id)
  expect(worker).toMatchObject({ code: 4, stderr: expect.stringMatching(/^paused: /) })
})

it("a folder that the system does not let anybody make is refused at once", async () => {
  const cwd = project()
  expect(await backfill(cwd, "start", "q.rpc", "--output", "/proc/x/logs")).toEqual({
    code: 2,
    stdout: "",
    stderr: "dotrpc: /proc/x/logs cannot be created: there is no such file or folder\n",
  })
})

it("a worker in the background that ends before it works is reported at once, with its message and exit code", async () => {
  const cwd = project()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
  const { port } = taken.address() as AddressInfo
  const started = await backfill(cwd, "start", "q.rpc", "--output", "logs", "--detach", "--metrics", `${port}`)
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
    "--output",
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
  const args = ["--output", "/logs", "--parallel", "4", "--part-size", "67108864"]
  const id = ["--", "5d0b7a"]
  const withoutFlags = {
    store: Option.none(),
    env: Option.none(),
    trust: false,
    workers: 4,
    partSize: 64 << 20,
    once: false,
    allowHosts: [],
  }

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
