import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { problemCodes } from "../src/index.ts"

it("docs/language.md lists every code of meaning, and no other", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/language.md"), "utf8")
  const listed = [...text.matchAll(/^\| (A\d{3}) \|/gm)].map(([, code]) => code)
  expect(listed).toEqual(Object.keys(problemCodes))
})
