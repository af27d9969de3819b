/** Backfills that are resumed by their store, whose state lies elsewhere, or that are kept to one folder. */
import { Json } from "@dotrpc/spec"
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, describe, expect, it, vi } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const project = (): string => {
  const folder = temporaryFolder()
  const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
  return folder
}

const backfill = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt(
    { cwd, env: { XDG_DATA_HOME: join(cwd, "data"), STORE: "postgres://me:s3cr3tk3y@127.0.0.1:1/x" } },
    "backfill",
    ...args,
  ).outcome

const start = ["start", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x64"}]', "--output", "logs"]

/** One that was paused by its limit, and its id. */
const paused = async (cwd: string, ...more: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout } = await backfill(cwd, ...start, "--max-credits", "0", ...more)
  expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringMatching(/^[\da-f]{12}\n$/) })
  return stdout.trim()
}

const stateIn = (folder: string): Json.Json | undefined => {
  const manifest = Json.parse(readFileSync(join(folder, "_manifest.json"), "utf8"))
  return Json.isObject(manifest) ? manifest.state : undefined
}

describe("resume", () => {
  const check = (what: string, store: ReadonlyArray<string>, args: (id: string) => ReadonlyArray<string>) =>
    it(`works on a backfill that it finds by ${what}, as start does`, async () => {
      const cwd = project()
      const id = await paused(cwd, ...store)
      const again = await backfill(cwd, "resume", ...args(id))
      expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 4, stdout: `${id}\n` })
      const { code, stderr, stdout } = await backfill(cwd, "resume", ...args(id), "--max-credits", "5000")
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: `${id}\n`,
        stderr: expect.stringMatching(/^done: 101 of 101 blocks /),
      })
      expect(stateIn(join(cwd, "logs"))).toBe("done")
      const done = await backfill(cwd, "resume", ...args(id))
      expect({ code: done.code, stderr: done.stderr }).toEqual({
        code: 2,
        stderr: `dotrpc: ${id} is done: nothing to resume\n`,
      })
    })
  check("its folder", [], () => ["--output", "logs"])
  check("its id and its store, which knows the folder", ["--store", "sqlite:state/one.db"], (id) => [
    id,
    "--store",
    "sqlite:state/one.db",
  ])
  check("its store and its folder", ["--store", "sqlite:one.db"], () => [
    "--store",
    "sqlite:one.db",
    "--output",
    "logs",
  ])

  it.each(["paused", "cancelled"])("ends one that was %s while its last part was written", async (state) => {
    const cwd = project()
    await backfill(cwd, ...start)
    const store = new DatabaseSync(join(cwd, "logs/.backfill/store.sqlite"))
    store.exec(`UPDATE dotrpc_backfills SET state = '${state}', version = version + 1`)
    store.close()
    const { code, stderr } = await backfill(cwd, "resume", "--output", "logs")
    expect({ code, stderr, state: stateIn(join(cwd, "logs")) }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^done: 101 of 101 blocks /),
      state: "done",
    })
  })

  describe("of one that waits for credits", () => {
    afterEach(() => void vi.useRealTimers())

    const check = (what: string, flags: ReadonlyArray<string>, daily: number, raised: ReadonlyArray<string>) =>
      it(`goes on at once where ${what} was raised`, async () => {
        // Neither the hour nor the day ends by itself.
        vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T12:30:00Z") })
        const cwd = project()
        const allow = (credits: number) => {
          const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
          const config = { networks, ledger: "file", limits: { daily: credits } }
          writeFileSync(join(cwd, "rpc.config.json"), Json.stringify(config))
        }
        allow(daily)
        const env = { XDG_DATA_HOME: join(cwd, "data") }
        const range = '[{"fromBlock":"0x0","toBlock":"0x3a7"}]'
        const waiting = startAt({ cwd, env }, "backfill", "start", "eth_getLogs", range, "--output", "logs", ...flags)
        await waiting.printed("waits until 2026-01-")
        waiting.interrupt()
        await waiting.outcome
        allow(99_999)
        const { code, stderr } = await backfill(cwd, "resume", "--output", "logs", ...raised)
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^done: 936 of 936 blocks /) })
      })
    check("its limit per hour", ["--max-credits-per-hour", "300"], 9_999, ["--max-credits-per-hour", "50000"])
    check("the balance of the day", [], 300, [])
  })

  it("lets workers elsewhere continue where the folder is not on this machine", async () => {
    const cwd = project()
    const id = await paused(cwd, "--store", "sqlite:one.db")
    renameSync(join(cwd, "logs"), join(cwd, "mounted"))
    const { code, stderr, stdout } = await backfill(cwd, "resume", "--store", "sqlite:one.db", "--max-credits", "5000")
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stdout: `${id}\n`,
      stderr:
        "dotrpc: its folder is not on this machine, and workers elsewhere continue it: add --output with the folder to work on it here\n",
    })
    expect((await backfill(cwd, "worker", "--store", "sqlite:one.db", "--output", "mounted")).code).toBe(0)
    expect(stateIn(join(cwd, "mounted"))).toBe("done")
  })
})

it("pause and cancel end nothing but what runs, and say so", async () => {
  const cwd = project()
  const id = await paused(cwd)
  const again = await backfill(cwd, "pause", "--output", "logs")
  expect(again).toMatchObject({ code: 2, stderr: `dotrpc: ${id} is paused: nothing to pause\n` })
  expect(await backfill(cwd, "cancel", "--output", "logs")).toMatchObject({ code: 0, stdout: `${id} is cancelled\n` })
  expect((await backfill(cwd, "resume", "--output", "logs", "--max-credits", "5000")).code).toBe(0)
})

describe("parts of one backfill go to one folder:", () => {
  const check = (command: string, args: (id: string) => ReadonlyArray<string>, prepare: (cwd: string) => void) =>
    it(command, async () => {
      const cwd = project()
      const id = await paused(cwd, "--store", "sqlite:one.db")
      prepare(cwd)
      const { code, stderr } = await backfill(cwd, ...args(id), "--store", "sqlite:one.db", "--output", "other")
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `dotrpc: other does not have the manifest of ${id}: its folder is ${join(cwd, "logs")}\n`,
      })
    })
  const nothing = () => {}
  check("start", () => start.slice(0, 3), nothing)
  check("worker", () => ["worker"], nothing)
  check("resume", (id) => ["resume", id], nothing)
  check(
    "worker, in the folder of another",
    () => ["worker"],
    (cwd) => {
      mkdirSync(join(cwd, "other"))
      cpSync(join(cwd, "logs", "_manifest.json"), join(cwd, "other", "_manifest.json"))
      writeFileSync(join(cwd, "other", "_manifest.json"), '{"id":"0123456789ab","parts":[]}')
    },
  )
})

describe("a store", () => {
  const check = (what: string, url: string, exitCode: number, said: string) =>
    it(what, async () => {
      const { code, stderr } = await backfill(project(), "status", "--store", url)
      expect({ code, stderr }).toMatchObject({ code: exitCode, stderr: expect.stringContaining(said) })
      expect(stderr).not.toContain("s3cr3tk3y")
    })
  check("is a secret as a whole", "$secret.STORE", 3, "dotrpc: the store cannot be opened")
  check(
    "has a name that is not set",
    "$secret.NO_STORE",
    2,
    "dotrpc: --store needs NO_STORE, which is not set: set the environment",
  )
})
