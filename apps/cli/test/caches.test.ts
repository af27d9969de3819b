import { recordSampleChain } from "@dotrpc/gateway"
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cacheFolder, type CacheOwner } from "../src/CacheFolder.ts"
import { recordedSample } from "../src/recordedSample.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, spawnAt } from "./process.ts"

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

it("a start leaves what it compiled in the folder for caches, where Node can, and of the sample chain nothing", async () => {
  const home = temporaryFolder()
  const place = { env: { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "" } }
  expect((await spawnAt(place, "run", "good.rpc").outcome).code).toBe(0)
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const compiles = major > 22 || (major === 22 && minor >= 1)
  expect(readdirSync(join(home, "dotrpc"))).toEqual(compiles ? ["compiled"] : [])
  expect((await spawnAt(place, "run", "good.rpc").outcome).code).toBe(0)
})

it("the sample chain is shipped as it is generated", () => {
  const text = recordedSample(binary)
  expect(text === recordSampleChain()).toBe(true)
})
