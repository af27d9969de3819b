/** `turbo gen plugin` in a workspace like this one, without a network: the generator that turbo itself would fetch is installed. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { dotrpcIn } from "./generated.ts"
import { temporaryFolder } from "./folders.ts"
import { node } from "./process.ts"

const root = join(import.meta.dirname, "../../..")
const generator = join(
  dirname(createRequire(join(root, "package.json")).resolve("@turbo/gen/package.json")),
  "dist/cli.js",
)

/** As far as the generator looks at it. */
const workspace = (): string => {
  const home = temporaryFolder()
  for (const file of ["package.json", "pnpm-workspace.yaml", "turbo.json"]) cpSync(join(root, file), join(home, file))
  cpSync(join(root, "turbo"), join(home, "turbo"), { recursive: true })
  for (const folder of ["packages", "apps"]) mkdirSync(join(home, folder))
  for (const member of ["packages/spec", "apps/cli"]) symlinkSync(join(root, member), join(home, member))
  return home
}

const generate = (home: string, name: string) => node(home, generator, "run", "plugin", "--root", home, "--args", name)

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  )

it("makes the package that dotrpc new plugin makes", async () => {
  const [generated, commanded] = [workspace(), workspace()]
  const { code, stderr, stdout } = await generate(generated, "@acme/plugin-tides")
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/Next:\n {2}cd plugin-tides\n {2}npx -y pnpm@12[^]*packages\/plugin-tides/)
  await dotrpcIn(join(commanded, "packages"), "new", "plugin", "@acme/plugin-tides")
  const made = filesIn(join(generated, "packages/plugin-tides"))
  expect(Object.keys(made)).toContain("/src/plugin.ts")
  expect(made).toEqual(filesIn(join(commanded, "packages/plugin-tides")))
})

it("refuses what it refuses, in its words", async () => {
  const home = workspace()
  mkdirSync(join(home, "packages/tides"))
  writeFileSync(join(home, "packages/tides/mine.txt"), "mine")
  const { code, stderr } = await generate(home, "tides")
  expect(stderr).toMatch(/tides exists already, and nothing in it is overwritten/)
  expect(code).toBe(1)
})
