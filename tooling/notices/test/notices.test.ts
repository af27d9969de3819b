import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { bundleWithEsbuild } from "../src/bundleWithEsbuild.ts"
import { noticesOf } from "../src/notices.ts"

const root = mkdtempSync(join(tmpdir(), "dotrpc-notices-"))
afterAll(() => rmSync(root, { recursive: true }))
let folders = 0

/** Bundles a program that uses these packages, and the notices of that. */
const noticesFor = async (packages: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
  const folder = join(root, `${folders++}`)
  for (const [name, files] of Object.entries(packages))
    for (const [file, text] of Object.entries({ "index.js": "export const used = 1", ...files })) {
      const path = join(folder, "node_modules", name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  const uses = Object.keys(packages).map(
    (name, index) => `import { used as u${index} } from "${name}"; console.log(u${index})`,
  )
  const contents = uses.join("\n")
  const modules = await bundleWithEsbuild(
    [{ stdin: { contents, resolveDir: folder }, absWorkingDir: folder, bundle: true }],
    { write: false },
  )
  return noticesOf(modules)
}

const manifest = (license: string) => JSON.stringify({ name: "one", version: "1.2.3", license, main: "index.js" })

it("a package stands there with its version, license, text and notice", async () => {
  const text = await noticesFor({
    one: { "package.json": manifest("MIT"), LICENSE: "Permission", "NOTICE.txt": "Made by" },
  })
  expect(text).toMatch(/^dotrpc contains[^]*\n-{80}\n\none 1\.2\.3 \(MIT\)\n\nPermission\n\nMade by\n$/)
})

const check = (what: string, files: Readonly<Record<string, string>>, problem: RegExp | undefined) =>
  it(what, async () => {
    const notices = noticesFor({ "@scope/one": files })
    if (problem === undefined) expect(await notices).toContain("one 1.2.3")
    else await expect(notices).rejects.toThrow(problem)
  })

check(
  "a package without a text fails the build",
  { "package.json": manifest("MIT") },
  /one 1\.2\.3 has no license text/,
)
check(
  "a license that nobody has looked at fails it",
  { "package.json": manifest("GPL-3.0"), LICENSE: "x" },
  /is under "GPL-3\.0": look at it/,
)
check("no license fails it", { "package.json": manifest(""), LICENSE: "x" }, /is under "": look at it/)
check("one of two licenses is enough", { "package.json": manifest("(GPL-3.0 OR MIT)"), LICENSE: "x" }, undefined)
check("of a combination each is needed", { "package.json": manifest("MIT AND GPL-3.0"), LICENSE: "x" }, /look at it/)
