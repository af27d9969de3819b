import { describe, expect, it } from "vitest"
import { findSpreads } from "../src/spreads.ts"

const check = (text: string, expected: ReadonlyArray<string>, path = "packages/core/src/Retry.ts") =>
  it(`${expected.length === 0 ? "allows" : "refuses"} ${text} in ${path}`, () => {
    const names = findSpreads([{ path, text }]).map(({ line, message }) => `${line} ${message.split(" ")[0]}`)
    expect(names).toEqual(expected)
  })

describe("a member that may be undefined is not spread", () => {
  check("const a = { ...(b === undefined ? {} : { b }) }", ["1 b"])
  check("const a = {\n  c,\n  ...(b.d === undefined ? {} : { d: f(b.d) }),\n}", ["3 b.d"])
  check("const a = { b: { ...(c === undefined ? {} : { c }) } }", ["1 c"])
  check("const a = { ...(b === undefined ? {} : { b }), ...(c === undefined ? {} : { c }) }", ["1 b", "1 c"])
  check("const a = { b }", [])
  check("const a = { ...(b ? {} : { b }) }", [])
})

describe("except", () => {
  check("const a = { ...defaults, ...(b === undefined ? {} : { b }) }", [])
  check("const a = { ...(b === undefined ? {} : { b, c: b.d }) }", [])
  check("const a = { ...(b === undefined ? {} : { b }) }", [], "packages/runner/src/JsonReport.ts")
  check("const a = { ...(b === undefined ? {} : { b }) }", [], "packages/core/test/Retry.test.ts")
  check("const a = { ...(b === undefined ? {} : { b }) }", ["1 b"], "apps/cli/src/Runtime.ts")
})
