import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { findPhrases, readRefused } from "../src/phrases.ts"

const page = readFileSync(join(import.meta.dirname, "../../../docs/style.md"), "utf8")
const refused = readRefused(page)

const check = (text: string, expected: RegExp | undefined) =>
  it(`${expected === undefined ? "allows" : "refuses"} ${JSON.stringify(text)}`, () => {
    const found = findPhrases(refused, [{ path: "a.md", text }]).map(({ line, message }) => `${line}: ${message}`)
    if (expected === undefined) expect(found).toEqual([])
    else expect(found.join("\n")).toMatch(expected)
  })

describe("refused phrases", () => {
  check("the value is no number", /^1: may not say "is no number": write "is not a"/)
  check("the value is not a number, and there is no other", undefined)
  check("it is no longer there", undefined)
  check("one\nmay belong into the file", /^2: .*"belong into": write "belongs in"/)
  check("/**\n * Nothing goes on\n * with this.\n */", /^2: .*"goes on \* with": write "resume with, continue with"/)
  check("// The answer is\n// no result.", /^1: .*is \/\/ no result/)
  check("a phrase Known Are in capitals", /"Known Are"/)
  check("the observer\nis told of it", /^2: .*"is told": write "is notified, gets, is reported"/)
  check("anewly and renewed", undefined)
  check("a file that is none of these", undefined)
})

describe("the table of docs/style.md", () => {
  it.each(refused.flatMap(({ phrases }) => phrases))("refuses %s", (phrase) => {
    const text = `so ${phrase.replace("…", "number")} so`
    expect(findPhrases(refused, [{ path: "a.md", text }])).not.toEqual([])
  })
  it.each(refused.flatMap(({ except }) => except))("allows %s", (phrase) => {
    expect(findPhrases(refused, [{ path: "a.md", text: `so ${phrase} so` }])).toEqual([])
  })
  it("is required", () => expect(() => readRefused("# Style\n")).toThrow("no table of refused phrases"))
})
