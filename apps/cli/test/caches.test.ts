import type { SampleStore } from "@dotrpc/gateway"
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cacheFolder, type CacheOwner } from "../src/CacheFolder.ts"
import { sampleFiles } from "../src/sampleFiles.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

const user = process.getuid?.()

describe("the folder for caches", () => {
  const check = (what: string, expected: string, owner: Pick<CacheOwner, "env" | "platform">) =>
    it(`is ${expected} ${what}`, () => {
      const home = temporaryFolder()
      const env = Object.fromEntries(
        Object.entries(owner.env).map(([name, value]) => [name, value?.replace("HOME", home)]),
      )
      expect(cacheFolder({ ...owner, env, home, user })).toBe(join(home, expected))
      expect(statSync(join(home, expected)).mode & 0o777).toBe(0o700)
    })
  check("on Linux", ".cache/dotrpc", { env: {}, platform: "linux" })
  check("where XDG_CACHE_HOME is set", "own/dotrpc", { env: { XDG_CACHE_HOME: "HOME/own" }, platform: "linux" })
  for (const relative of ["own", "./own", "../own", ""])
    check(`where XDG_CACHE_HOME is ${JSON.stringify(relative)}, which is relative`, ".cache/dotrpc", {
      env: { XDG_CACHE_HOME: relative },
      platform: "linux",
    })
  check("on a Mac", "Library/Caches/dotrpc", { env: {}, platform: "darwin" })
  check("on Windows", "Local/dotrpc", { env: { LOCALAPPDATA: "HOME/Local" }, platform: "win32" })

  const refuse = (what: string, prepare: (folder: string) => void, other: Partial<CacheOwner> = {}) =>
    it(`is not used ${what}`, () => {
      const home = temporaryFolder()
      mkdirSync(join(home, ".cache"))
      prepare(join(home, ".cache/dotrpc"))
      expect(cacheFolder({ env: {}, home, platform: "linux", user, ...other })).toBeUndefined()
    })
  refuse("where others may write to it", (folder) => {
    mkdirSync(folder)
    chmodSync(folder, 0o777)
  })
  refuse("where it is somebody else's", (folder) => mkdirSync(folder), { user: (user ?? 0) + 1 })
  refuse("where it is a link", (folder) => symlinkSync(temporaryFolder(), folder))
  refuse("where it is a file", (folder) => writeFileSync(folder, ""))
})

describe("what is kept of the sample data", () => {
  const storeAt = (home: string): SampleStore => {
    const store = sampleFiles({ env: {}, home })
    if (store === undefined) throw new Error("There is no folder for it.")
    return store
  }
  const fileAt = (home: string) => join(home, ".cache/dotrpc/sample-a.json")

  it("is read as it was written", () => {
    const home = temporaryFolder()
    storeAt(home).write("a", '{"a":1}')
    expect(storeAt(home).read("a")).toBe('{"a":1}')
    expect(storeAt(home).read("b")).toBeUndefined()
  })

  const check = (what: string, change: (written: string) => string) =>
    it(`is ignored when it is ${what}`, () => {
      const home = temporaryFolder()
      storeAt(home).write("a", '{"a":1}')
      writeFileSync(fileAt(home), change(readFileSync(fileAt(home), "utf8")))
      expect(storeAt(home).read("a")).toBeUndefined()
    })
  check("damaged", (written) => written.replace('"a":1', '"a":2'))
  check("cut off", (written) => written.slice(0, -1))
  check("of another version", (written) => written.replace(/^\S+/, "0".repeat(64)))
  check("empty", () => "")
})

it("a start leaves what it compiled and generated in the folder for caches, where Node can", async () => {
  const home = temporaryFolder()
  const place = { env: { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "" } }
  expect((await spawnAt(place, "run", "good.rpc").outcome).code).toBe(0)
  expect(existsSync(join(home, "dotrpc/sample-chain-1.json"))).toBe(true)
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  expect(existsSync(join(home, "dotrpc/compiled"))).toBe(major > 22 || (major === 22 && minor >= 1))
  expect((await spawnAt(place, "run", "good.rpc").outcome).code).toBe(0)
})
