/** Modules that a package gives by name can be imported by their own path: not every bundler looks into a namespace. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const folder = join(import.meta.dirname, "../../../packages")
/** Packages of the editor, the terminal and their parts: no page imports them by module. */
const loadedWhole = new Set(["analysis", "backfill", "spec"])

for (const name of readdirSync(folder).filter((name) => !loadedWhole.has(name))) {
  const index = join(folder, name, "src/index.ts")
  if (!existsSync(index)) continue
  const modules = [...readFileSync(index, "utf8").matchAll(/^export \* as (\w+) from/gm)].map(
    ([, module]) => `./${module}`,
  )
  if (modules.length === 0) continue
  it(`gives each module of ${name} an entry of its own`, () => {
    const manifest = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as {
      readonly exports: Readonly<Record<string, unknown>>
    }
    expect(Object.keys(manifest.exports)).toEqual(expect.arrayContaining(modules))
  })
}
