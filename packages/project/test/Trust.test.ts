/** Which code a user has agreed to run, whatever lies in the place of what is read for that. */
import { execFileSync } from "node:child_process"
import { chownSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { codeOf, trustStore } from "../src/node/index.ts"
import { folderWith, lampPlugin } from "./folder.ts"

const vast = (path: string) => {
  writeFileSync(path, "")
  truncateSync(path, 5e9)
}
const strange: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a device without an end": (path) => symlinkSync("/dev/zero", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a file of five gigabytes": vast,
  "a damaged one": (path) => writeFileSync(path, "{"),
}

const project = () => {
  const folder = folderWith({ "rpc.config.json": '{"plugins":["./lamp.mjs"]}', ...lampPlugin() })
  return { config: join(folder, "rpc.config.json"), folder, own: ["./lamp.mjs"], data: folderWith({}) }
}

describe("trust", () => {
  it("is for the code as it was", () => {
    const { config, data, folder, own } = project()
    const store = trustStore(join(data, "trust.json"))
    expect(store.judge(config, own)).toBe("unknown")
    store.add(config, codeOf(config, own))
    expect(store.judge(config, own)).toBe("trusted")
    writeFileSync(join(folder, "lampTitle.mjs"), 'export const title = "Other"\n')
    expect(store.judge(config, own)).toBe("changed")
  })

  it("is not for the folder of a link to a configuration that is trusted", () => {
    const { config, data, own } = project()
    const store = trustStore(join(data, "trust.json"))
    store.add(config, codeOf(config, own))
    const other = folderWith({ "lamp.mjs": "export default {}\n" })
    const link = join(other, "rpc.config.json")
    symlinkSync(config, link)
    expect(store.judge(link, own)).toBe("unknown")
    store.add(link, codeOf(link, own))
    expect(store.judge(link, own)).toBe("trusted")
    writeFileSync(join(other, "lamp.mjs"), "export default { id: 1 }\n")
    expect([store.judge(link, own), store.judge(config, own)]).toEqual(["changed", "trusted"])
    expect([store.remove(link), store.judge(config, own)]).toEqual([true, "trusted"])
  })

  it("is for the folder, whichever link leads there", () => {
    const { config, data, folder, own } = project()
    const store = trustStore(join(data, "trust.json"))
    store.add(config, codeOf(config, own))
    const way = join(folderWith({}), "way")
    symlinkSync(folder, way)
    expect(store.judge(join(way, "rpc.config.json"), own)).toBe("trusted")
  })

  describe("is not believed where the project may have brought it", () => {
    const check = (what: string, home: string, store: string, expected: "trusted" | "unknown", more = {}) =>
      it(what, () => {
        const root = folderWith({ [`${home}/rpc.config.json`]: '{"plugins":["./lamp.mjs"]}', ...more })
        const config = join(root, home, "rpc.config.json")
        const own = ["./lamp.mjs"]
        const trust = trustStore(join(root, store))
        trust.add(config, codeOf(config, own))
        expect([trust.judge(config, own), trust.mayBeBroughtBy(config)]).toEqual([expected, expected === "unknown"])
      })
    const store = ".local/share/dotrpc/trust.json"
    const repository = { "p/.git/HEAD": "ref: refs/heads/main\n" }
    check("which is beside it", "p", `home/${store}`, "trusted")
    check("in the home around it", "home/p", `home/${store}`, "trusted")
    check("in its folder", "p", `p/${store}`, "unknown")
    check("in a home below its folder", "p", `p/home/${store}`, "unknown")
    check("in its repository", "p/q", `p/${store}`, "unknown", repository)
    check("in a home in its repository", "p/q", `p/home/${store}`, "unknown", repository)
    check("beside its repository", "p/q", `home/${store}`, "trusted", repository)
    check("in a folder that it is in", "data/dotrpc/p", "data/dotrpc/trust.json", "unknown")
    it("where a link leads into it", () => {
      const { config, data, folder, own } = project()
      trustStore(join(folder, "trust.json")).add(config, codeOf(config, own))
      symlinkSync(join(folder, "trust.json"), join(data, "trust.json"))
      expect(trustStore(join(data, "trust.json")).judge(config, own)).toBe("unknown")
    })
    it.runIf(process.getuid?.() === 0)("of another user", () => {
      const { config, data, own } = project()
      const file = join(data, "trust.json")
      trustStore(file).add(config, codeOf(config, own))
      expect(trustStore(file).judge(config, own)).toBe("trusted")
      chownSync(file, 12_345, 12_345)
      expect(trustStore(file).judge(config, own)).toBe("unknown")
    })
  })

  for (const [what, make] of Object.entries(strange)) {
    it(`is given to nobody by ${what} in the place of its store`, () => {
      const { config, data, own } = project()
      const file = join(data, "trust.json")
      make(file)
      const store = trustStore(file)
      expect([store.judge(config, own), store.list().size]).toEqual(["unknown", 0])
    })
    if (what !== "a damaged one")
      it(`is lost when ${what} takes the place of a module`, () => {
        const { config, data, folder, own } = project()
        const store = trustStore(join(data, "trust.json"))
        store.add(config, codeOf(config, own))
        rmSync(join(folder, "lampTitle.mjs"))
        make(join(folder, "lampTitle.mjs"))
        expect(store.judge(config, own)).toBe("changed")
      })
  }
})

describe("code that is too much to look at", () => {
  it("is refused with its limit", () => {
    const { config, folder, own } = project()
    rmSync(join(folder, "lampTitle.mjs"))
    vast(join(folder, "lampTitle.mjs"))
    expect(() => codeOf(config, own)).toThrow("its code is larger than 256 MB")
  })
})
