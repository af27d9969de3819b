/**
 * Which files count as a plugin's code, whatever way an import is written. Node itself says what a spelling imports: the
 * module that every case is about sets a flag when it runs.
 */
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { folderWith } from "../folder.ts"
import { checkImport as check, importedByNode, lib, notices, script } from "../importCase.ts"

describe("a plugin's code is another one after a change of what it imports", () => {
  describe("static imports", () => {
    check('import "./lib.js"')
    check("import'./lib.js'")
    check('import\n"./lib.js"')
    check('import/**/"./lib.js"')
    check('import * as x from\n"./lib.js"')
    check('import * as x from  "./lib.js"')
    check('import * as x from/**/"./lib.js"')
    check('import * as x from// why "not"\n"./lib.js"')
    check('import * as x from/* a *//* "b" */ // c\r\n\t"./lib.js"')
    check('import*as x from"./lib.js"')
    check('import{}from"./lib.js"')
    check('import * as from from "./lib.js"')
    check('export * from\u00a0\u2028\ufeff"./lib.js"')
    check('export {} from "./lib.js"')
    check('export * as "from \'x" from"./lib.js"')
    check('import "./lib.js" with { }')
  })

  describe("escapes and URLs", () => {
    check(String.raw`import * as x from "./\x6cib.js"`)
    check(String.raw`import "./\u006cib.js"`)
    check(String.raw`import "./\u{00006c}ib.js"`)
    check(String.raw`import ".\/l\ib.js"`)
    check('import "./li\\\nb.js"')
    check('import "./li\\\r\nb.js"')
    check('import "./l%69b.js"')
    check('import "./a/../lib.js?query#part"')
    check(String.raw`import ".\u002flib.js"`)
    check(String.raw`import "./.\\lib.js"`)
    check(String.raw`import "./l\tib.js"`)
    check(`import "./${"./".repeat(300)}lib.js"`)
    check(`import "./${"./".repeat(3000)}lib.js"`)
    check(`import${" ".repeat(5000)}"./lib.js"`)
    check(`import${" ".repeat(1999)}//\n"./lib.js"`)
    check(`import /*${"from ".repeat(1000)}*/ "./lib.js"`)
    check(String.raw`require("\56/lib.js")`, script)
  })

  describe("imports by a call", () => {
    check('await import("./lib.js")')
    check('await import(  "./lib.js")')
    check('await import/**/(/* ) */"./lib.js"/* ( */)')
    check('await import("./lib.js", { with: {} })')
    check("await import(`./lib.js`)")
    check(String.raw`await import(${"`./\\x6cib.js`"})`)
    check('const name = "lib"; await import(`./${name}.js`)')
    check('await import("./l" + "ib.js")')
    check('await import("./x".replace("x", "lib.js"))')
    check('await import(["./lib.js"][0])')
    check("const quoted = /[\"'`]/, half = 1 / 2; await import('./lib.js') / 2")
    check('await import(import.meta.resolve("./lib.js"))')
    check('const m = import.meta; await import(m["res" + "olve"]("./l" + "ib.js"))')
    check(String.raw`await eval("imp\x6frt('./lib.js')")`)
    check(`import "data:text/javascript,import('file://' + process.cwd() + '/lib.js')"`)
  })

  describe("require", () => {
    check('require("./lib.js")', script)
    check("require\n(\n'./lib.js')", script)
    check('require/**/(/**/"./lib.js")', script)
    check("require(`./lib.js`)", script)
    check('require("./lib")', script)
    check('const r = require; r("./lib.js")', script)
    check('const r = require\nr("./lib.js")', script)
    check('(0, require)("./lib.js")', script)
    check('require?.("./lib.js")', script)
    check('require.call(null, "./l" + "ib.js")', script)
    check('require(require.resolve("./lib.js"))', script)
    check('require.main; require("module")._load(__dirname + "/lib.js")', script)
    check('"require" in { require } && [require][0]("./lib.js")', script)
    check(String.raw`r\u0065quire("./l" + "ib.js")`, script)
    check(String.raw`r\u{65}quire("./l" + "ib.js")`, script)
    check('module.require("./lib.js")', script)
    check('const m = module; m.require("./lib.js")', script)
    check('module["requ" + "ire"]("./lib.js")', script)
    check('module.constructor._load(__dirname + "/lib.js")', script)
    check('require<!-- a comment of scripts\n("./lib.js")', script)
    check('const { "require": r } = module; r("./lib.js")', script)
    check('import { createRequire } from "node:module"; createRequire(import.meta.url)("./lib.js")')
    check('import * as m from "module"; m["create" + "Require"](import.meta.url)("./lib.js")')
    check('process.getBuiltinModule("module").createRequire(import.meta.url)("./lib.js")')
    check(
      'import { runInThisContext } from "vm"; import { readFileSync } from "fs"; runInThisContext(readFileSync(new URL("lib.js", import.meta.url), "utf8"))',
    )
  })

  describe("loaders that Node hands out", () => {
    check('arguments[1]("./lib.js")', script)
    check('const [, load] = [...arguments]; load("./lib.js")', script)
    check('module.require("./l" + "ib.js")', script)
    check('const m = module; m["requ" + "ire"]("./lib.js")', script)
    check('const { ["requ" + "ire"]: load } = module; load("./lib.js")', script)
    check('module.constructor["_lo" + "ad"](__dirname + "/lib.js")', script)
    check('module.__proto__["requ" + "ire"].call(module, "./lib.js")', script)
    check('module.children; module.paths; (0, module)["requ" + "ire"]("./lib.js")', script)
    check('const load = (function () { return this })()["ev" + "al"]; load("impo" + "rt(\'./lib.js\')")', script)
    check('with (module) { this[["lo"]] ; eval("requ" + "ire(\'./lib.js\')") }', script)
    const mainModule = 'process.mainModule ??= module; process.mainModule.require(__dirname + "/lib.js")'
    check(mainModule, script)
    const created = '("mod" + "ule")["create" + "Require"](import.meta.url)("./lib.js")'
    check(`globalThis.process.getBuiltinModule${created}`)
    check(`const p = process; p["getBuil" + "tinModule"]${created}`)
    check(`const p = globalThis["proc" + "ess"]; p["getBuil" + "tinModule"]${created}`)
    check(`const { process: p } = globalThis; p["getBuil" + "tinModule"]${created}`)
    check(`import p from "node:process"; p["getBuil" + "tinModule"]${created}`)
    const built = `"return proc" + "ess.getBuil" + "tinModule('mod' + 'ule')"`
    const made = `()["create" + "Require"](import.meta.url)("./lib.js")`
    check(`(() => {}).constructor(${built})${made}`)
    check(`const { constructor: F } = () => {}; F(${built})${made}`)
    check(`const F = Function; F(${built})${made}`)
    check('import * as m from "#m"; m["create" + "Require"](import.meta.url)("./lib.js")', {
      others: { "package.json": '{"imports":{"#m":"module"}}' },
    })
    check('import * as m from "./sub/loader.mjs"; m["create" + "Require"](import.meta.url)("./lib.js")', {
      others: { "sub/loader.mjs": 'export * from "node:module"' },
    })
    check('require("./sub/loader.cjs")("../lib.js")', {
      ...script,
      others: { "sub/loader.cjs": "module.exports = require" },
    })
  })

  describe("names of packages", () => {
    const named = (manifest: object) => ({ others: { "package.json": JSON.stringify(manifest) } })
    check('import "#x"', named({ imports: { "#x": "./lib.js" } }))
    check('import "#x"', named({ imports: { "#x": { import: "./lib.js", require: "./other.js" } } }))
    check('import "#in/lib.js"', named({ imports: { "#in/*": "./*" } }))
    check('import "#x"', {
      file: "node_modules/pack/lib.js",
      others: {
        "package.json": '{"imports":{"#x":"pack"}}',
        "node_modules/pack/package.json": '{"exports":{"import":"./lib.js"}}',
      },
    })
    check('import "own/x"', named({ name: "own", exports: { "./x": { import: "./lib.js" } } }))
    check('import "own/lib"', named({ name: "own", exports: { "./*": { import: "./*.js" } } }))
    const pack = (manifest: object, file = "node_modules/pack/lib.js") => ({
      file,
      others: { "node_modules/pack/package.json": JSON.stringify(manifest) },
    })
    check('import "pack"', pack({ main: "lib" }))
    check('import "pack/lib"', pack({ exports: { "./*": { import: "./*.js" } } }))
    const both = { exports: { require: "./lib.js", import: "./other.js" } }
    check('require("pack")', {
      ...script,
      ...pack(both),
      others: { "node_modules/pack/package.json": JSON.stringify(both), "node_modules/pack/other.js": "" },
    })
    check('require("pack/sub")', {
      ...script,
      file: "node_modules/pack/sub/lib.js",
      others: { "node_modules/pack/package.json": "{}", "node_modules/pack/sub/package.json": '{"main":"lib"}' },
    })
    check('require("./sub")', { ...script, file: "sub/lib.js", others: { "sub/package.json": '{"main":"./lib"}' } })
    check('import "pack/l%69b.js"', pack({}))
    check('import "pack/./%6cib.js?query"', pack({ name: "pack" }))
    check('import "pack/l%69b.js"', { file: "node_modules/pack/lib.js" })
    check('import "pack/%2e%2e/other/lib.js"', { ...pack({}, "node_modules/other/lib.js") })
    check('import "pack"', pack({ main: "./x/../lib.js" }))
    const other = { "node_modules/pack/other.js": "" }
    const encoded = pack({ exports: { import: "./l%69b.js", require: "./other.js" } })
    check('import "pack"', { ...encoded, others: { ...encoded.others, ...other } })
    const required = pack({ exports: { import: "./other.js", require: "./l%69b.js" } })
    check('require("pack")', { ...script, ...required, others: { ...required.others, ...other } })
    check('import "pack/%69"', pack({ exports: { "./*": "./l*b.js" } }))
    check('import "#x"', named({ imports: { "#x": "./l%69b.js" } }))
    check('import "own/x"', named({ name: "own", exports: { "./x": "./l%69b.js" } }))
  })

  describe("computed names of files of any kind", () => {
    check('require("./l" + "ib.txt")', { ...script, file: "lib.txt" })
    check('require("./l" + "ib")', { ...script, file: "lib" })
    check('require("./l" + "ib.wasm")', { ...script, file: "sub/../lib.wasm" })
    check('require("./.l" + "ib")', { ...script, file: ".lib" })
    check('require("./sub/.js" + "on")', { ...script, file: "sub/.json" })
    check('require("./sub/inner/l" + "ib.JSON")', { ...script, file: "sub/inner/lib.JSON" })
  })

  describe("links", () => {
    const linked = (text: string, link: string, target: string, file = "other/lib.js") =>
      it(text, () => {
        const folder = folderWith({ "rpc.config.json": "{}", [file]: lib(), "src/plugin.cjs": text })
        symlinkSync(target, join(folder, link))
        symlinkSync(".", join(folder, "src/itself"))
        expect(importedByNode([join(folder, "src/plugin.cjs")])).toEqual(new Set(["lib"]))
        expect(notices(folder, "./src/plugin.cjs", file)).toBe(true)
      })
    linked('require("./link/l" + "ib.js")', "src/link", "../other")
    linked('require("./link/inner/l" + "ib.js")', "src/link", "../other", "other/inner/lib.js")
    linked('require("./itself/itself/link/l" + "ib.js")', "src/link", "../other")
    linked('require("./link" + ".txt")', "src/link.txt", "../other/lib.js")
    linked('require("./link/l" + "ib.js")', "src/link", "../node_modules/other", "node_modules/other/lib.js")
  })

  describe("imports of imports", () => {
    check('require("./middle.txt")', { ...script, others: { "middle.txt": 'require("./lib.js")' } })
    check('require("./middle.wasm")', { ...script, others: { "middle.wasm": 'require("./lib.js")' } })
    check('require("./sub/.json")', { ...script, others: { "sub/.json": 'require("../lib.js")' } })
    check('require("./sub/.node")', { ...script, others: { "sub/.node": 'require("../lib.js")' } })
    check('require("./middle")', { ...script, others: { middle: 'require("./lib.js")' } })
    check('import "./middle.ts"', {
      others: { "middle.ts": 'import * as x from\n"./lib.js"; const n: Array<string> = []' },
    })
    check('const x: object = require("./lib.js")', { plugin: "./plugin.cts" })
  })
})

describe("any spelling", () => {
  const blank = fc.constantFrom(" ", "\n", "\t", "\u00a0", "\u2028", "/**/", "/* from 'x' */", "// require\n", "/*\n*/")
  const trivia = fc.array(blank, { maxLength: 4 }).map((parts) => parts.join(""))
  const letter = (sign: string) => {
    const code = sign.charCodeAt(0).toString(16)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(sign) },
      fc.constantFrom(`\\x${code}`, `\\u00${code}`, `\\u{${code}}`, `%${code}`, `\\\n${sign}`, `\\t${sign}`),
    )
  }
  const name = fc.constantFrom("./lib.js", "././lib.js", "./x/../lib.js", "./lib.js?a", "./lib")
  const quoted = fc
    .tuple(
      fc.constantFrom('"', "'", "`"),
      name.chain((signs) => fc.tuple(...Array.from(signs, letter))),
    )
    .map(([quote, signs]) => `${quote}${signs.join("")}${quote}`)
  const shape = fc.constantFrom(
    ["mjs", "import", ""],
    ["mjs", "import * as x from", ""],
    ["mjs", "export * from", ""],
    ["mjs", "await import", "("],
    ["cjs", "require", "("],
    ["cjs", "module.require", "("],
    ["cjs", "import", "("],
    ["cjs", "(require)", "("],
  )
  const spelling = fc
    .tuple(shape, trivia, trivia, quoted, trivia, fc.constantFrom(")", ",)", '+"")'))
    .map(([[kind = "", word = "", open], before, inside, text, after, end]) => ({
      kind,
      text: `${word}${before}${open === "" ? "" : open}${inside}${text}${after}${open === "" ? "" : end}\n`,
    }))

  it("that Node resolves is found, or the code counts as computed", () => {
    let resolved = 0
    fc.assert(
      fc.property(fc.array(spelling, { minLength: 100, maxLength: 100 }), (spellings) => {
        const plugins = spellings.map(({ kind, text }, index) => [`./${index}/plugin.${kind}`, text] as const)
        const libs = spellings.map((_, index) => [`${index}/lib.js`, lib(`${index}`)] as const)
        const folder = folderWith({ "rpc.config.json": "{}", ...Object.fromEntries([...plugins, ...libs]) })
        const imported = importedByNode(plugins.map(([plugin]) => join(folder, plugin)))
        for (const [index, [plugin, text]] of plugins.entries())
          if (imported.has(`${index}`)) {
            resolved += 1
            expect(notices(folder, plugin, `${index}/lib.js`), text).toBe(true)
          }
      }),
      { numRuns: 5, endOnFailure: true },
    )
    expect(resolved).toBeGreaterThan(100)
  })
})
