/** The manifest of a backfill, as anybody may leave it: it is written again from the store, whoever wrote it. */
import { Json } from "@dotrpc/spec"
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import { beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const backfill = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, "backfill", ...args).outcome

const query = ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1f4"}]', "--output", "logs"]

/** Of a backfill that has paused, and of one that is done, with the store in the folder and elsewhere. */
const rooms = new Map<string, string>()
const roomOf = (kind: string, store: ReadonlyArray<string>) => `${kind} ${store.join(" ")}`
const elsewhere = ["--store", "sqlite:state.sqlite"]
beforeAll(async () => {
  for (const store of [[], elsewhere])
    for (const [kind, credits] of [
      ["paused", "100"],
      ["done", "99999"],
    ] as const) {
      const cwd = temporaryFolder()
      const networks = { evm: { plugin: "evm", url: "embedded:evm" } }
      writeFileSync(join(cwd, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
      await backfill(cwd, "start", ...query, ...store, "--max-credits", credits)
      rooms.set(roomOf(kind, store), cwd)
    }
})

const copyOf = (kind: string, store: ReadonlyArray<string> = []): string => {
  const cwd = temporaryFolder()
  cpSync(rooms.get(roomOf(kind, store)) ?? "", cwd, { recursive: true })
  return cwd
}

const manifestIn = (cwd: string): Json.JsonObject => {
  const manifest = Json.parse(readFileSync(join(cwd, "logs/_manifest.json"), "utf8"))
  if (!Json.isObject(manifest)) throw new Error("It is not a manifest.")
  return manifest
}

const resume = ["--output", "logs", "--max-credits", "99999"]

describe("is written again, and resuming works", () => {
  const check = (what: string, change: (manifest: string) => string | undefined) => {
    for (const store of [[], elsewhere])
      for (const kind of ["paused", "done"]) {
        // Each takes a backfill.
        if (!isDeep && (kind === "done") !== (store === elsewhere)) continue
        it(`where it ${what}, of a backfill that is ${kind}${store.length > 0 ? " in a store elsewhere" : ""}`, async () => {
          const cwd = copyOf(kind, store)
          const path = join(cwd, "logs/_manifest.json")
          const { id } = manifestIn(cwd)
          const changed = change(readFileSync(path, "utf8"))
          if (changed === undefined) rmSync(path)
          else writeFileSync(path, changed)
          const { code, stderr } = await backfill(cwd, "start", ...query, ...store, "--max-credits", "99999")
          expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^done: 501 of 501 blocks /) })
          expect(manifestIn(cwd)).toMatchObject({ version: 1, id, state: "done", from: 0, to: 500 })
          const parts = manifestIn(cwd)["parts"]
          expect(Json.isArray(parts) && parts.length).toBeGreaterThan(0)
        })
      }
  }
  check("was deleted", () => undefined)
  check("was cut off", (text) => text.slice(0, text.length / 2))
  check("is empty", () => "")
  check("is not JSON", () => "mine")
  check("is of a newer version", () => '{"version":2,"revision":1,"files":[]}')
  check("has parts without files", (text) => text.replace(/"parts":\[.*\]/, '"parts":[{}]'))
  // One that is right except for its number is not looked at before something changes.
  for (const forged of [Number.MAX_SAFE_INTEGER, 1e300])
    it(`where its revision is ${forged}`, async () => {
      const cwd = copyOf("paused")
      const text = readFileSync(join(cwd, "logs/_manifest.json"), "utf8")
      writeFileSync(join(cwd, "logs/_manifest.json"), text.replace(/"revision":\d+/, `"revision":${forged}`))
      expect((await backfill(cwd, "resume", ...resume)).code).toBe(0)
      expect(manifestIn(cwd)).toMatchObject({ state: "done", to: 500 })
      expect(Number(manifestIn(cwd)["revision"])).toBeLessThan(100)
    })

  it("with resume, which finds the folder by its store", async () => {
    const cwd = copyOf("paused", elsewhere)
    // The store has the folder that the backfill was started in.
    const room = rooms.get(roomOf("paused", elsewhere)) ?? ""
    rmSync(room, { recursive: true })
    renameSync(cwd, room)
    rmSync(join(room, "logs/_manifest.json"))
    const { code, stderr } = await backfill(room, "resume", ...elsewhere, "--max-credits", "99999")
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^done: 501 of 501 blocks /) })
    rmSync(join(room, "logs/_manifest.json"))
    expect((await backfill(room, "resume", ...elsewhere)).code).toBe(0)
    expect(manifestIn(room)).toMatchObject({ state: "done" })
    const again = await backfill(room, "resume", ...elsewhere)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/ is done: nothing to resume\n$/) })
  })
})

it("is not written into a folder that has nothing of the backfill, such as one that is not mounted", async () => {
  const cwd = copyOf("done", elsewhere)
  rmSync(join(cwd, "logs"), { recursive: true })
  const { code, stderr } = await backfill(cwd, "worker", ...elsewhere, "--output", "logs")
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^dotrpc: logs does not have the manifest of [\da-f]{12}: its folder is /),
  })
  expect(existsSync(join(cwd, "logs"))).toBe(false)
})

it.each<readonly [what: string, id: string | undefined, isKept: boolean]>([
  ["removes that of an earlier version", undefined, false],
  ["keeps that of another", "another", true],
])("%s beside it", async (_, id, isKept) => {
  const cwd = copyOf("paused")
  const own = manifestIn(cwd)
  const earlier = join(cwd, "logs/manifest.json")
  writeFileSync(earlier, Json.stringify({ ...own, id: id ?? own.id ?? null, rows: 0 }))
  expect((await backfill(cwd, "resume", ...resume)).code).toBe(0)
  expect(existsSync(earlier)).toBe(isKept)
})
