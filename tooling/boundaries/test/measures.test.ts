import { describe, expect, it } from "vitest"
import { longFunctions, upwardImports } from "../src/measures.ts"

const fileOf = (path: string, ...lines: ReadonlyArray<string>) => ({ path, text: lines.join("\n") })

describe("functions with more than two lines", () => {
  const check = (what: string, expected: ReadonlyArray<object>, ...files: ReadonlyArray<ReturnType<typeof fileOf>>) =>
    it(what, () => expect(longFunctions(files, 2)).toEqual(expected))
  const short = fileOf("packages/a/src/A.ts", "export const a = () =>", "  1", "")
  const long = fileOf("packages/a/src/B.ts", "// b", "export function b() {", "  return [", "    1,", "  ]", "}")
  const arrow = fileOf("tooling/a/src/C.ts", "export const c = () => [", "  1,", "]")
  check("are none where there are none", [], short, fileOf("packages/a/src/D.ts", "export const d = 1", "", "", ""))
  check("are counted from their first line to their last", [{ path: long.path, line: 2, lines: 5 }], short, long)
  check(
    "are arrows as well, and the longest is first",
    [
      { path: long.path, line: 2, lines: 5 },
      { path: arrow.path, line: 1, lines: 3 },
    ],
    arrow,
    long,
  )
  check("are not those of a test", [], fileOf("packages/a/test/B.test.ts", "it(() => {", "", "})"))
})

describe("imports upwards", () => {
  const order = ["texts", "run"]
  const check = (what: string, path: string, line: string, expected: ReadonlyArray<object>) =>
    it(what, () => expect(upwardImports([fileOf(path, line)], "app/src/", order)).toEqual(expected))
  const upwards = { path: "app/src/texts/a.ts", from: "texts", to: "run" }
  check("of values", upwards.path, 'import { b } from "../run/b.ts"', [upwards])
  check("of types", upwards.path, 'import type { B } from "../run/b.ts"', [upwards])
  check("that are loaded later", upwards.path, 'const b = () => import("../run/b.ts")', [upwards])
  check("that are exported again", upwards.path, 'export { b } from "../run/b.ts"', [upwards])
  check("of a file without a place in the order", upwards.path, 'import { c } from "../c.ts"', [
    { ...upwards, to: "c.ts" },
  ])
  check("are not those downwards", "app/src/run/b.ts", 'import { a } from "../texts/a.ts"', [])
  check("are not those of the same folder", upwards.path, 'import { d } from "./d.ts"', [])
  check("are not those of packages", upwards.path, 'import { e } from "effect"', [])
})
