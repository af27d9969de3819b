/** Backfills in the background, as processes. */
import { Json } from "@dotrpc/spec"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
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

it("--detach prints the id and ends, while the work goes on in the background", async () => {
  const cwd = project()
  const logs = join(cwd, "logs")
  const started = await backfill(cwd, "start", "q.rpc", "--out", "logs", "--format", "csv", "--detach")
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\da-f]{12}\n$/) })
  const [log = ""] = logsIn(logs)
  const id = started.stdout.trim()
  expect(started.stderr).toMatch(`${id} goes on in the background; its log is logs/${log}\n`)
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
  await until(() => readFileSync(join(logs, first), "utf8").includes("--max-credits of 600 is used up"))
  expect((await backfill(cwd, "status", "--out", "logs")).stdout).toContain("paused: --max-credits of 600 is used up")
  const resumed = await backfill(cwd, "resume", "--out", "logs", "--max-credits", "99999", "--detach")
  expect(resumed.code).toBe(0)
  await until(() => stateIn(logs) === "done")
  await until(() => logsIn(logs).some((name) => readFileSync(join(logs, name), "utf8").startsWith("done: ")))
})
