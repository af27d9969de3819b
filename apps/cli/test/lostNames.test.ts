import { bundleWithEsbuild } from "@dotrpc/notices/esbuild"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bundles } from "../bundles.ts"
import { temporaryFolder } from "./folders.ts"

/** Bundles a module as the command is bundled, in a project with a package of each kind. */
const bundled = (module: string) => {
  const folder = temporaryFolder()
  const install = (name: string, manifest: object, source: string) => {
    mkdirSync(join(folder, "node_modules", name), { recursive: true })
    writeFileSync(join(folder, "node_modules", name, "package.json"), JSON.stringify({ name, ...manifest }))
    writeFileSync(join(folder, "node_modules", name, "index.js"), source)
  }
  install("common", {}, "exports.Pool = class Pool {}\n")
  install("again", { type: "module" }, 'export * from "common"\nimport common from "common"\nexport default common\n')
  install("modern", { type: "module" }, "export class Pool {}\n")
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "part.ts"), 'export { Pool } from "common"\n')
  writeFileSync(join(folder, "main.ts"), module)
  const [options] = bundles
  return bundleWithEsbuild([{ ...options, absWorkingDir: folder, entryPoints: ["main.ts"], logLevel: "silent" }], {
    write: false,
  })
}

describe("a bundle of a module that loads a package late", () => {
  const check = (what: string, module: string, expected: RegExp | undefined) =>
    it(what, async () => {
      const built = bundled(`${module}\n`)
      if (expected === undefined) expect((await built).length).toBeGreaterThan(1)
      else await expect(built).rejects.toThrow(expected)
    })
  const lost = (name: string) =>
    new RegExp(`main\\.ts.*: ERROR: .*names of "${name}" are lost in the bundle: write const`)
  check(
    "is refused where it takes a name of CommonJS",
    'const { Pool } = await import("common")\nnew Pool()',
    lost("common"),
  )
  check(
    "is refused where it keeps all names",
    'const common = await import("common")\nnew common.Pool()',
    lost("common"),
  )
  check(
    "is refused where only one of two takes the whole",
    'const { default: common } = await import("common")\nnew common.Pool()\nnew (await import("common")).Pool()',
    lost("common"),
  )
  check(
    "is refused where the names come by a detour",
    'const { Pool } = await import("again")\nnew Pool()',
    lost("again"),
  )
  check(
    "is refused where the code that loads it is dropped",
    'const load = /* @__PURE__ */ (() => () => import("modern"))()\nconsole.log(1)',
    /nothing loads dist\/parts\/\S+ of node_modules\/modern\/index\.js/,
  )
  check(
    "is made where it takes the whole",
    'const { default: common } = await import("common")\nnew common.Pool()',
    undefined,
  )
  check("is made where the names are of a module", 'const { Pool } = await import("modern")\nnew Pool()', undefined)
  check(
    "is made where a part of its own imports them",
    'const { Pool } = await import("./part.ts")\nnew Pool()',
    undefined,
  )
})
