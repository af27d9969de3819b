/** Names of packages, resolved as Node resolves them in a module of the folder. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { resolvePackage } from "../src/node/resolvePackage.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "dotrpc-resolve-")))
let packages = 0
/** What was asked for and found; Node is asked the same at the end. */
const asked: Array<{ readonly home: string; readonly specifier: string; readonly found: string | undefined }> = []

const files = ["index.js", "main.js", "lib/a.js", "lib/b.js", "lib/deep/c.js", "other/a.js"]

const check = (name: string, manifest: object, subpath: string, expected: string | undefined) =>
  it(name, () => {
    const id = `plug${packages++}`
    const home = join(root, "node_modules", id)
    for (const file of files) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), "export {}")
    }
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: id, type: "module", ...manifest }))
    const specifier = id + subpath
    const path = resolvePackage(specifier, root)
    const found = path === undefined ? undefined : relative(home, path)
    expect(found).toBe(expected)
    asked.push({ home, specifier, found })
  })

describe("a name finds", () => {
  check("index.js without a manifest that says more", {}, "", "index.js")
  check("the main module", { main: "main.js" }, "", "main.js")
  check("a file of the package where nothing is exported", {}, "/lib/a.js", "lib/a.js")
  check("the one export", { exports: "./main.js" }, "", "main.js")
  check("no file where something else is exported", { exports: "./main.js" }, "/lib/a.js", undefined)
  check("the first condition that holds", { exports: { require: "./main.js", default: "./lib/a.js" } }, "", "lib/a.js")
  check("a condition in a condition", { exports: { node: { import: "./lib/b.js" } } }, "", "lib/b.js")
  check("the export of its path", { exports: { "./a": "./lib/a.js", "./b": "./lib/b.js" } }, "/b", "lib/b.js")
  check("what stands for the star of a pattern", { exports: { "./p/*": "./lib/*.js" } }, "/p/a", "lib/a.js")
  check("a path for a star", { exports: { "./p/*": "./lib/*.js" } }, "/p/deep/c", "lib/deep/c.js")
  check(
    "no file where the star stands for nothing that is there",
    { exports: { "./p/*": "./lib/*.js" } },
    "/p/x",
    undefined,
  )
  check(
    "the export of its path before a pattern",
    { exports: { "./*": "./lib/*.js", "./a": "./main.js" } },
    "/a",
    "main.js",
  )
  check(
    "the pattern with the longest text before its star",
    { exports: { "./*": "./lib/*.js", "./lib/*": "./other/*.js" } },
    "/lib/a",
    "other/a.js",
  )
  check("a pattern with an ending", { exports: { "./*.js": "./lib/*.js" } }, "/a.js", "lib/a.js")
  check("no file that a pattern excludes", { exports: { "./*": "./lib/*.js", "./b": null } }, "/b", undefined)
})

it("the same files are found by Node", () => {
  const script = join(root, "ask.mjs")
  const names = asked.map(({ specifier }) => specifier)
  writeFileSync(
    script,
    `const find = (name) => { try { return import.meta.resolve(name) } catch { return "" } }
     console.log(JSON.stringify(${JSON.stringify(names)}.map(find)))`,
  )
  const urls = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" })) as ReadonlyArray<string>
  expect(urls).toHaveLength(asked.length)
  for (const [index, { found, home }] of asked.entries()) {
    const path = urls[index] === "" ? undefined : fileURLToPath(urls[index] ?? "")
    // Node looks whether a file is there when it is imported.
    expect(path !== undefined && existsSync(path) ? relative(home, path) : undefined).toBe(found)
  }
})
