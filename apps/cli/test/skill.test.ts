/** `SKILL.md` and `llms.txt` say what the commands and the language are now, and their examples run. `UPDATE=1` writes them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { llms, root, skill } from "./skill.ts"

afterAll(removeFolders)

describe("a file for agents", () => {
  const check = (name: string, made: () => Promise<string>) =>
    it(`${name} is generated from the commands and the language as they are`, async () => {
      const path = join(root, name)
      const text = await made()
      if (process.env["UPDATE"] !== undefined) writeFileSync(path, text)
      expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe(text)
    })
  check("SKILL.md", skill)
  check("llms.txt", llms)
})

it("the ten examples run in a project that has nothing else", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "SKILL.md"), await skill())
  const { code, stderr, stdout } = await startAt({ cwd }, "run", "SKILL.md", "--format", "json").outcome
  const { files } = JSON.parse(stdout)
  const statuses = files[0].requests.map(({ error, name, status }: Record<string, unknown>) => [name, status, error])
  expect(statuses.filter(([, status]: ReadonlyArray<unknown>) => status !== "ok")).toEqual([])
  expect([code, statuses.length, stderr === ""]).toEqual([0, 10, false])
})

it("every page that llms.txt names is there", async () => {
  const links = [...(await llms()).matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path)
  expect(
    links.filter((path) => !path.startsWith("https:") && !existsSync(join(root, path.replace(/#.*/, "")))),
  ).toEqual([])
  expect(links.length).toBeGreaterThan(15)
})
