import { describe, expect, test } from "vitest"
import { directiveInfo, directives, parse, parseDuration } from "../src/index.ts"

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["2s", 2000],
    ["1m", 60_000],
    ["0s", 0],
    ["007s", 7000],
    ["9007199254740991ms", 9_007_199_254_740_991],
    ["9007199254740992ms", undefined],
    ["", undefined],
    ["2", undefined],
    ["s", undefined],
    ["1.5s", undefined],
    ["-1s", undefined],
    ["2 s", undefined],
    [" 2s", undefined],
    ["2h", 7_200_000],
    ["2d", undefined],
    ["2S", undefined],
  ])("%j is %s milliseconds", (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })
})

describe("the values of directives", () => {
  test.each([
    ["budget 1", ""],
    ["budget 0", "L203"],
    ["budget 1.5", "L203"],
    ["budget 99999999999999999999", "L203"],
    ["retry 0", ""],
    ["retry -1", "L203"],
    ["timeout 0ms", "L203"],
    ["timeout 5m", ""],
    ["transport https", "L203"],
    ["name a_1", ""],
    ["name a-b", "L203"],
    ["name", "L202"],
    ["all", ""],
    ["all 2", "L204"],
    ["skip", ""],
    ["skip because of this", ""],
    ["bugdet 5", "L207"],
    ["author anyone", "L201"],
  ])("# @%s gives %j", (directive, expected) => {
    const { diagnostics } = parse(`### a\n# @${directive}\nm []`)
    expect(diagnostics.map(({ code }) => code).join(" ")).toBe(expected)
  })

  test.each(directives)("the example of @$name is right", ({ name, example, place }) => {
    const line = `# @${name} ${example}`
    const { diagnostics } = parse(place === "prelude" ? line : `### a\n${line}\nm []`)
    expect(diagnostics).toEqual([])
  })

  test("a known directive is found by its name and no other", () => {
    expect(directiveInfo("budget")?.shape).toBe("positive")
    expect(directiveInfo("toString")).toBeUndefined()
  })

  test("a misspelt directive has a fix", () => {
    const [finding] = parse("# @netwrok evm").diagnostics
    expect(finding?.fix).toEqual({ title: "Write @network", edits: [{ start: 3, end: 10, text: "network" }] })
  })
})
