import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const config = join(import.meta.dirname, "../cycles.json")
const oxlint = join(import.meta.dirname, "../../../node_modules/.bin/oxlint")

const lint = (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-cycles-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return spawnSync(oxlint, ["--config", config], { cwd: folder, encoding: "utf8" })
}

describe("import cycles", () => {
  const check = (name: string, files: Readonly<Record<string, string>>, status: number) =>
    it(name, () => expect(lint(files)).toMatchObject({ status }))

  check(
    "of values are refused",
    {
      "a.ts": `import { b } from "./b.ts"\nexport const a = () => b`,
      "b.ts": `import { a } from "./a.ts"\nexport const b = () => a`,
    },
    1,
  )
  check(
    "of types are refused",
    {
      "a.ts": `import type { B } from "./b.ts"\nexport interface A { readonly b: B }`,
      "b.ts": `import type { A } from "./a.ts"\nexport interface B { readonly a: A | undefined }`,
    },
    1,
  )
  check(
    "through a third file are refused",
    {
      "a.ts": `import type { B } from "./b.ts"\nexport type A = B`,
      "b.ts": `export type { C as B } from "./c.ts"`,
      "c.ts": `import type { A } from "./a.ts"\nexport interface C { readonly a: A }`,
    },
    1,
  )
  check(
    "are not seen where two files import a third",
    {
      "a.ts": `import { c } from "./c.ts"\nexport const a = c`,
      "b.ts": `import { c } from "./c.ts"\nexport const b = c`,
      "c.ts": `export const c = 1`,
    },
    0,
  )
})
