/** Several processes change the same files at once, and no change is lost. */
import { build } from "esbuild"
import { execFile, execFileSync } from "node:child_process"
import { lutimesSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { Locked, withLock } from "../src/node/FileLock.ts"
import { folderWith } from "./folder.ts"

let tools: string

beforeAll(async () => {
  tools = folderWith({})
  await build({
    stdin: {
      contents: `export { trustStore } from "./src/node/Trust.ts"
export { secretHostFile } from "./src/node/SecretHostFile.ts"
export { recordUses } from "./src/SecretHosts.ts"
export { Redacted } from "effect"`,
      resolveDir: join(import.meta.dirname, ".."),
    },
    outfile: join(tools, "tools.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["dotrpc-source"],
  })
})

const processes = 4
const changes = 25

/** Runs a program in several processes, each with a number of its own, in a folder. */
const inProcesses = async (program: string): Promise<string> => {
  const folder = folderWith({
    "run.mjs": `import { trustStore, secretHostFile, recordUses, Redacted } from ${JSON.stringify(join(tools, "tools.mjs"))}
const me = process.argv[2]
const file = import.meta.dirname + "/data/store.json"
for (let change = 0; change < ${changes}; change++) {
${program}
}`,
  })
  const run = promisify(execFile)
  await Promise.all(
    Array.from({ length: processes }, (_, index) => run(process.execPath, [join(folder, "run.mjs"), String(index)])),
  )
  expect(readdirSync(join(folder, "data"))).toEqual(["store.json"])
  return readFileSync(join(folder, "data/store.json"), "utf8")
}

describe("several processes at once", () => {
  it("add projects that are trusted, and none is lost", async () => {
    const text = await inProcesses(
      "trustStore(file).add(`/p/${me}/${change}`, { plugins: [], files: 1, hash: String(change) })",
    )
    expect(Object.keys(JSON.parse(text).trusted).length).toBe(processes * changes)
  })
  it("add hosts of secrets, and none is lost", async () => {
    const text = await inProcesses(`await recordUses([{ kind: "secret", name: "K" + me + "_" + change,
  value: Redacted.make("v"), destination: "https://x.example" }], secretHostFile(file))`)
    expect(Object.keys(JSON.parse(text).secrets).length).toBe(processes * changes)
  })
})

describe("a lock", () => {
  it("is gone when what was done under it fails", () => {
    const folder = folderWith({})
    const act = () =>
      withLock(join(folder, "a"), () => {
        throw new Error("no")
      })
    expect(act).toThrow("no")
    expect(readdirSync(folder)).toEqual([])
  })
  it("that was left behind is taken over", () => {
    const folder = folderWith({})
    const lock = join(folder, "a.lock")
    writeFileSync(lock, "")
    utimesSync(lock, 0, 0)
    expect(withLock(join(folder, "a"), () => readdirSync(folder))).toEqual(["a.lock"])
    expect(readdirSync(folder)).toEqual([])
  })
  const inTheWay: Readonly<Record<string, (lock: string) => void>> = {
    "a folder": (lock) => mkdirSync(lock),
    "a folder with something in it": (lock) => mkdirSync(join(lock, "inside"), { recursive: true }),
    "a link to a file": (lock) => symlinkSync("elsewhere", lock),
    "a named pipe": (lock) => execFileSync("mkfifo", [lock]),
  }
  for (const [what, make] of Object.entries(inTheWay))
    it(`in whose place ${what} is is not waited for, however old, and nothing is left beside it`, () => {
      const folder = folderWith({ elsewhere: "" })
      const lock = join(folder, "a.lock")
      make(lock)
      lutimesSync(lock, 0, 0)
      expect(() => withLock(join(folder, "a"), () => 1)).toThrow(
        new Locked(`${lock} is in the way, which is not a regular file: move it away, then try again`),
      )
      expect(readdirSync(folder)).toEqual(["a.lock", "elsewhere"])
    })
  it("that another process holds is waited for, and no longer than a while", () => {
    const folder = folderWith({})
    const lock = join(folder, "a.lock")
    writeFileSync(lock, "")
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(lock, later, later)
    expect(() => withLock(join(folder, "a"), () => 1, 50)).toThrow(
      new Locked(`another process is changing it; try again, or remove ${lock} if there is no other`),
    )
    expect(readdirSync(folder)).toEqual(["a.lock"])
  })
})
