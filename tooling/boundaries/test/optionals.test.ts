import { describe, expect, it } from "vitest"
import { findOptionals } from "../src/optionals.ts"

const check = (text: string, expected: ReadonlyArray<string>, path = "packages/core/src/Retry.ts") =>
  it(`${expected.length === 0 ? "allows" : "refuses"} ${text} in ${path}`, () => {
    const names = findOptionals([{ path, text }]).map(
      ({ line, message }) => `${line} ${/property (\S+)/.exec(message)?.[1]}`,
    )
    expect(names).toEqual(expected)
  })

describe("an optional property takes undefined", () => {
  check("interface A { readonly a?: number }", ["1 a"])
  check("interface A { readonly a?: number | undefined }", [])
  check("interface A {\n  a: number\n  b?: () => number | undefined\n}", ["3 b"])
  check("interface A { a?: (() => number) | undefined }", [])
  check("type A = { a?: unknown; b?: any }", [])
  check("const a = (b: { c?: string }) => b", ["1 c"])
  check("class A { a?: string }", ["1 a"])
  check("interface A { a?: { b?: string } | undefined }", ["1 b"])
})

describe("and elsewhere", () => {
  check("interface A { a?: number }", ["1 a"], "apps/cli/src/Host.ts")
  check("interface A { a?: number }", [], "packages/core/test/Retry.test.ts")
  check("interface A { a?: number }", [], "packages/core/src/scan/Checkpoint.ts")
  check("const a = (b?: number) => b", [])
})
