/** Files and projects that are made to hang or overflow `check`: each ends with 0 or 2, and without a stack trace. */
import { folderBombs, textBombs } from "@dotrpc/bombs"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { check, checkFolder, checkText } from "./bombCheck.ts"
import { temporaryFolder } from "./folders.ts"

const texts = new Set(["text-doubled", "many-addresses"])
const folders = new Set(["pipe-as-main.rpc", "zero-as-imported.rpc", "config-nested", "import-diamonds"])

describe("a bomb is checked to its end", () => {
  it.each(textBombs.filter(({ name }) => texts.has(name)))("in the text $name", (bomb) => checkText(bomb))
  it.each(folderBombs.filter(({ name }) => folders.has(name)))("in the project $name", (bomb) => checkFolder(bomb))
})

describe("of a great many problems", () => {
  it("the first hundred are shown, and how many more there are", async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, "main.rpc"), "###\nnone []\n".repeat(2_100))
    const stdout = await check(folder, "main.rpc")
    expect(stdout).toContain("main.rpc … and 2,000 more; dotrpc check --format json lists all of them")
    expect(stdout).toContain("1 file, 2100 errors")
  })
})
