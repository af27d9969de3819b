/** The examples in the READMEs of the packages compile in a folder of their own, as a stranger would use them. */
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const packages = join(import.meta.dirname, "../../packages")

interface Page {
  readonly folder: string
  readonly text: string
  readonly examples: ReadonlyArray<string>
}

const pages = readdirSync(packages).map((folder): Page => {
  const text = readFileSync(join(packages, folder, "README.md"), "utf8")
  return { folder, text, examples: [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ""]) => code) }
})

/** Below `node_modules`, where git does not look, and the packages are found by their names. */
const room = join(import.meta.dirname, "../node_modules/.readmes")

const fileOf = ({ folder }: Page, index: number) => `${folder}-${index + 1}.ts`

describe("an example of a README", () => {
  let problems = ""
  beforeAll(async () => {
    rmSync(room, { recursive: true, force: true })
    mkdirSync(room, { recursive: true })
    const files = pages.flatMap((page) =>
      page.examples.map((code, index) => {
        const file = fileOf(page, index)
        writeFileSync(join(room, file), code)
        return file
      }),
    )
    const config = {
      extends: "@dotrpc/tsconfig/base.json",
      files,
      compilerOptions: { types: ["node"], customConditions: [], noUnusedLocals: false },
    }
    writeFileSync(join(room, "package.json"), '{ "type": "module" }')
    writeFileSync(join(room, "tsconfig.json"), JSON.stringify(config))
    const compiler = join(import.meta.dirname, "../node_modules/.bin/tsc")
    problems = await promisify(execFile)(compiler, ["-p", room, "--pretty", "false"], { cwd: room }).then(
      () => "",
      (error: { readonly stdout: string }) => error.stdout,
    )
  })
  afterAll(() => rmSync(room, { recursive: true, force: true }))

  for (const page of pages)
    page.examples.forEach((code, index) => {
      const file = fileOf(page, index)
      it(`compiles: ${file}`, () => expect(problems.split("\n").filter((line) => line.startsWith(file))).toEqual([]))
      it(`imports packages, which its README installs: ${file}`, () => {
        const named = [...page.text.matchAll(/^npm install (.*?)(?:\s+#.*)?$/gm)].flatMap(([, names = ""]) =>
          names.split(" "),
        )
        // The glob of all tarballs, which depend on each other.
        const installed = named.flatMap((name) =>
          name.endsWith("/dotrpc-*-[0-9]*.tgz") ? pages.map(({ folder }) => `@dotrpc/${folder}`) : [name],
        )
        const imported = [...code.matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name)
        const missing = imported.filter(
          (name) =>
            name.startsWith(".") ||
            (!name.startsWith("node:") && !installed.some((known) => name === known || name.startsWith(`${known}/`))),
        )
        expect(missing).toEqual([])
      })
    })

  it("is in every README of a package that is published", () =>
    // Backfills and reports are parts of the command and of the editor: nobody installs them alone.
    expect(pages.filter(({ examples }) => examples.length === 0).map(({ folder }) => folder)).toEqual([
      "backfill",
      "report",
    ]))

  it("leaves no other problem", () => {
    const known = new Set(pages.flatMap((page) => page.examples.map((_, index) => fileOf(page, index))))
    expect(problems.split("\n").filter((line) => /^\S/.test(line) && !known.has(line.split("(")[0] ?? ""))).toEqual([])
  })
})
