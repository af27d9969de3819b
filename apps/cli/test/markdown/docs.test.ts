/** Every fence in the documents of this repository is right, and every one that is run in the quickstart is. */
import { join } from "node:path"
import { globSync } from "tinyglobby"
import { describe, expect, it } from "vitest"
import { dotrpc } from "../dotrpc.ts"

const root = join(import.meta.dirname, "../../../..")
const documents = globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "apps/*/README.md"], {
  cwd: root,
  absolute: true,
})

it("the documents of this repository hold requests that are right", async () => {
  expect(documents.length).toBeGreaterThan(10)
  const { code, stdout, stderr } = await dotrpc("check", ...documents)
  expect(stdout + stderr).toMatch(/ files, 0 errors, 0 warnings/)
  expect(code).toBe(0)
})

it("and that are formatted", async () => {
  const { code, stdout, stderr } = await dotrpc("fmt", "--check", ...documents)
  expect(stdout + stderr).toMatch(/ 0 to format/)
  expect(code).toBe(0)
})

describe("requests in Markdown", () => {
  it("run as one document, with the lines of the file", async () => {
    const { code, stdout } = await dotrpc("run", "notes.md", "--format", "json")
    const report = JSON.parse(stdout) as {
      readonly files: ReadonlyArray<{ readonly file: string; readonly requests: ReadonlyArray<object> }>
    }
    expect(report.files[0]?.requests).toMatchObject([
      { name: "logs", line: 10, status: "ok", checks: [{ line: 11, ok: true }] },
      { name: "eth_getTransactionReceipt", line: 19, status: "ok" },
    ])
    expect(code).toBe(0)
  })
  it("have their mistakes told at their place in the file", async () => {
    const { code, stdout } = await dotrpc("check", "wrong.md")
    expect(stdout).toMatch(/wrong\.md:6:18 error A105 .*did you mean "fromBlock"/)
    expect(stdout).toContain('6 |   eth_getLogs [{ "fromBlok": "0x1" }]')
    expect(code).toBe(2)
  })
  it("are missed in a file without fences", async () => {
    const { code, stderr } = await dotrpc("run", join(root, "CONTRIBUTING.md"))
    expect(stderr).toMatch(/there is no ```rpc fence/)
    expect(code).toBe(2)
  })
})
