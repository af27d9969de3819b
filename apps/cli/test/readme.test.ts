/** The first page: what it shows is what the command says, and it stays short. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { statuses } from "../src/Statuses.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const root = join(import.meta.dirname, "../../..")
const page = readFileSync(join(root, "README.md"), "utf8")
const fence = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? ""

it("the README shows what its first command prints, with no price that is assumed", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "usdc.rpc"), fence("rpc"))
  const [, line = ""] = /^dotrpc (run usdc\.rpc --dry-run .*)$/m.exec(page) ?? []
  const { code, stdout } = await startAt({ cwd }, ...line.split(" ")).outcome
  expect(code).toBe(0)
  const rows = stdout.split("\n").map((row) => row.trim())
  expect(rows).toEqual(expect.arrayContaining(fence("text").trim().split("\n")))
  expect(stdout).not.toContain("~")
})

it("the README has at most 450 words before its index", () => {
  const [before = ""] = page.split("## Docs by question")
  expect(before.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(450)
})

it("the page of the command has the statuses that dotrpc explain has", () => {
  const text = readFileSync(join(root, "apps/cli/README.md"), "utf8")
  for (const [status, means] of Object.entries(statuses)) expect(text).toContain(`| \`${status}\` | ${means} |`)
})
