/** The file from which editors read how far a backfill is. */
import { readStatusFile, type StatusFile } from "@dotrpc/backfill/StatusFile"
import { Json } from "@dotrpc/spec"
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startSlowGateway } from "./httpGateway.ts"

const range = '[{"fromBlock":"0x0","toBlock":"finalized"}]'

const project = (url: string): string => {
  const cwd = temporaryFolder()
  const networks = { evm: { plugin: "evm", url } }
  const environments = { calm: { networks } }
  writeFileSync(join(cwd, "rpc.config.json"), Json.stringify({ networks, environments, ledger: "memory" }))
  return cwd
}

const fileIn = (cwd: string, folder = "logs"): string => join(cwd, folder, ".backfill/status.json")

const readIn = (cwd: string, folder?: string): StatusFile | undefined =>
  existsSync(fileIn(cwd, folder)) ? readStatusFile(readFileSync(fileIn(cwd, folder), "utf8")) : undefined

const run = (cwd: string, ...args: ReadonlyArray<string>) => startAt({ cwd }, "backfill", ...args).outcome
const start = (cwd: string, ...args: ReadonlyArray<string>) => run(cwd, "start", "eth_getLogs", range, ...args)

it("has what `status` shows, and where the worker has its project", async () => {
  const cwd = project("embedded:evm")
  await start(cwd, "--output", "deep/logs", "--env", "calm", "--max-credits", "99999")
  const [shown] = Json.parse((await run(cwd, "status", "--output", "deep/logs", "--format", "json")).stdout) as [
    Record<string, Json.Json>,
  ]
  const file = readIn(cwd, "deep/logs")
  const { blocks, calls, credits, id, parts, rows, state } = shown
  expect(file).toMatchObject({ blocks, calls, credits, id, parts, rows, state, ended: true, maxCredits: 99_999 })
  expect(file).toMatchObject({ store: "folder", config: "../../rpc.config.json", environment: "calm", callsLeft: 0 })
  // Calls are counted by piece, whoever had it before: no worker is given them.
  expect(file?.workers).toEqual([{ worker: expect.any(String), pieces: 0, seenAt: expect.any(Number) }])
  expect(Json.stringify(shown["workers"] ?? null)).not.toMatch(/calls|credits/)
  expect(shown).toMatchObject({ workers: [{ alive: false, pieces: 0 }] })
  expect((await run(cwd, "status", "--output", "deep/logs")).stdout).toMatch(/\n {2}\S+: has ended\n/)
})

it("says that the state is elsewhere", async () => {
  const cwd = project("embedded:evm")
  await start(cwd, "--output", "logs", "--store", "sqlite:state.sqlite")
  expect(readIn(cwd)).toMatchObject({ state: "done", store: "elsewhere", environment: null })
})

describe("where something else has its name", () => {
  const check = (what: string, prepare: (path: string) => void, isLeft: (path: string) => boolean) =>
    it(`a backfill leaves ${what} as it is, and ends`, async () => {
      const cwd = project("embedded:evm")
      mkdirSync(join(cwd, "logs/.backfill"), { recursive: true })
      prepare(fileIn(cwd))
      expect((await start(cwd, "--output", "logs")).code).toBe(0)
      expect(isLeft(fileIn(cwd))).toBe(true)
    })
  check(
    "a link",
    (path) => symlinkSync("../../rpc.config.json", path),
    (path) => lstatSync(path).isSymbolicLink() && readFileSync(path, "utf8").includes('"networks"'),
  )
  check(
    "a folder",
    (path) => mkdirSync(path),
    (path) => lstatSync(path).isDirectory(),
  )
})

describe("while it works", () => {
  let gateway: HttpGateway
  beforeAll(async () => {
    gateway = await startSlowGateway(50)
  })
  afterAll(() => gateway.close())

  it("is written, and says at once that somebody has paused or cancelled it", async () => {
    const cwd = project(gateway.url)
    const working = start(cwd, "--output", "logs")
    await expect.poll(() => readIn(cwd)).toMatchObject({ state: "running", ended: false })
    await run(cwd, "pause", "--output", "logs")
    expect(readIn(cwd)).toMatchObject({ state: "paused" })
    expect((await working).code).toBe(4)
    expect(readIn(cwd)).toMatchObject({ state: "paused", ended: true, why: "" })
    await run(cwd, "cancel", "--output", "logs")
    expect(readIn(cwd)).toMatchObject({ state: "cancelled" })
  })
})
