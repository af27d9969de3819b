/** Files and projects that are made to hang or overflow `check`: each ends soon, with 0 or 2, and without a stack trace. */
import { folderBombs, textBombs } from "@dotrpc/bombs"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { spawnAt } from "./process.ts"
import { temporaryFolder } from "./folders.ts"

const home = temporaryFolder()

/** Of the texts, those that once did not end; the analysis is tested with all of them. */
const texts = new Set([
  "text-doubled",
  "list-doubled",
  "integer-squared",
  "chain-of-variables",
  "many-broken-sections",
  "many-addresses",
  "many-unknown-names",
  "same-member",
  "one-string-of-wrong-escapes",
])

const folders = new Set([
  "pipe-as-main.rpc",
  "zero-as-imported.rpc",
  "vast-as-rpc.config.json",
  "loop-as-.env",
  "config-nested",
  "config-of-names",
  "config-of-plugins",
  "config-of-abi-patterns",
  "config-of-wrong-networks",
  "import-chain",
  "import-diamonds",
  "import-doubles",
  "import-fan",
  "link-up",
])

const check = async (folder: string, ...args: ReadonlyArray<string>) => {
  const running = spawnAt({ cwd: folder }, "check", ...args)
  const timer = setTimeout(running.kill, 25_000)
  const { code, stderr, stdout } = await running.outcome
  clearTimeout(timer)
  expect([0, 2]).toContain(code)
  expect(stdout + stderr).not.toMatch(/^ {4}at |RangeError|Maximum call stack/m)
  return stdout
}

describe("a bomb is checked to its end", () => {
  it.each(textBombs.filter(({ name }) => texts.has(name)))("in the text $name", { timeout: 90_000 }, async (bomb) => {
    const folder = join(home, bomb.name)
    mkdirSync(folder)
    writeFileSync(join(folder, "main.rpc"), bomb.text())
    const stdout = await check(folder, "main.rpc")
    expect(stdout.split("\n").length).toBeLessThan(600)
  })
  it.each(folderBombs.filter(({ name }) => folders.has(name)))(
    "in the project $name",
    { timeout: 90_000 },
    async (bomb) => {
      const folder = join(home, bomb.name)
      mkdirSync(folder)
      bomb.make(folder)
      await check(folder, "main.rpc", ".")
    },
  )
})

describe("of a great many problems", () => {
  it("the first hundred are shown, and how many more there are", async () => {
    const folder = join(home, "many")
    mkdirSync(folder)
    writeFileSync(join(folder, "main.rpc"), "###\nnone []\n".repeat(2_100))
    const stdout = await check(folder, "main.rpc")
    expect(stdout).toContain("main.rpc … and 2,000 more; dotrpc check --format json lists all of them")
    expect(stdout).toContain("1 file, 2100 errors")
  })
})
