/** Which files count as a plugin's code: an import of each kind. All spellings are in `deep`. */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { codeOf } from "../src/node/index.ts"
import { folderWith, writeFiles } from "./folder.ts"
import { checkImport as check, importedByNode, lib, notices, script } from "./importCase.ts"

describe("a plugin's code is another one after a change of what it imports", () => {
  check('import/* a */"./lib.js"')
  check(String.raw`import * as x from "./\u006cib.js"`)
  check('const name = "lib"; await import(`./${name}.js`)')
  check(String.raw`await eval("imp\x6frt('./lib.js')")`)
  check('const r = require; r("./l" + "ib.js")', script)
  check('import * as m from "module"; m["create" + "Require"](import.meta.url)("./lib.js")')
  check('arguments[1]("./lib.js")', script)
  check('import "#x"', { others: { "package.json": '{"imports":{"#x":"./lib.js"}}' } })
  check('import "pack/l%69b.js"', { file: "node_modules/pack/lib.js" })
  check('require("./l" + "ib.txt")', { ...script, file: "lib.txt" })
  check('require("./middle.txt")', { ...script, others: { "middle.txt": 'require("./lib.js")' } })
  it("through a link", () => {
    const text = 'require("./link/l" + "ib.js")'
    const folder = folderWith({ "rpc.config.json": "{}", "other/lib.js": lib(), "src/plugin.cjs": text })
    symlinkSync("../other", join(folder, "src/link"))
    expect(importedByNode([join(folder, "src/plugin.cjs")])).toEqual(new Set(["lib"]))
    expect(notices(folder, "./src/plugin.cjs", "other/lib.js")).toBe(true)
  })
})

it("a WebAssembly module may import others, which some versions of Node do", () => {
  const wasm = "\0asm\u0001\0\0\0\u0001\u0004\u0001`\0\0\u0002\u000e\u0001\u0008./lib.js\u0001f\0\0"
  const plugin = 'import "./middle.wasm"'
  const folder = folderWith({ "rpc.config.json": "{}", "lib.js": lib(), "middle.wasm": wasm, "plugin.mjs": plugin })
  expect(notices(folder, "./plugin.mjs", "lib.js")).toBe(true)
})

it("a project below node_modules is the user's own as well", () => {
  const home = join(folderWith({ "node_modules/own/lib.cjs": lib() }), "node_modules/own")
  writeFiles(home, { "rpc.config.json": "{}", "plugin.cjs": 'require("./l" + "ib.cjs")' })
  expect(notices(home, "./plugin.cjs", "lib.cjs")).toBe(true)
})

it("a link to more files than are read is refused with what to do", () => {
  const folder = folderWith({ "rpc.config.json": "{}", "src/plugin.cjs": 'require("./l" + "ib.cjs")' })
  symlinkSync("/", join(folder, "src/link"))
  expect(() => codeOf(join(folder, "rpc.config.json"), ["./src/plugin.cjs"])).toThrow(
    "more than 20000, counting what is linked there: move the plugin into a folder of its own",
  )
})

describe("code that names what it imports", () => {
  const check = (text: string, plugin = "./plugin.mjs") =>
    it(JSON.stringify(text), () => {
      const folder = folderWith({ "rpc.config.json": "{}", "lib.js": lib(), [plugin]: text })
      expect(notices(folder, plugin, "lib.js")).toBe(false)
    })
  check('import "./other.js"')
  check("module.exports = {}; this.name = typeof module; process.env.HOME", "./plugin.cjs")
  check("const named = function () { return arguments.length }; exports.named = named", "./plugin.cjs")
  check("// The arguments of a module, and what this is for: see the code.\nexport const kind = 'global'")
  check("export class Lamp { constructor() { this.on = false } }")
  check('import { readFile } from "node:fs/promises"; await import("./other.js")')
  check('require("./other.js"); require.resolve("./other.js"); module.exports = {}', "./plugin.cjs")
  check("// Callers require a price; fromEntries, important and reimport() are other words.")
  check("export const here = import.meta.url")
  check(String.raw`export const text = "\u00e4 \u2028 \u{1f600}"`)
})
