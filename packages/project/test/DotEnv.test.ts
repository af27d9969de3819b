import { describe, expect, it } from "vitest"
import { parseDotEnv, variableIn } from "../src/node/index.ts"

describe("a .env", () => {
  const check = (text: string, expected: Readonly<Record<string, string>>) =>
    it(JSON.stringify(text), () => expect({ ...parseDotEnv(text) }).toEqual(expected))
  check("", {})
  check("API_KEY=abc\r\nOTHER = d e # why\r\n", { API_KEY: "abc", OTHER: "d e" })
  check("export API_KEY='a#b'\n# a comment\n\nNAME=\"two\\nlines\"", { API_KEY: "a#b", NAME: "two\nlines" })
  it("gives no value to a name that every object has", () => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty"]
    expect(names.map((name) => parseDotEnv("A=1")[name])).toEqual(names.map(() => undefined))
    expect(names.map((name) => variableIn({ env: process.env }, name))).toEqual(names.map(() => undefined))
  })
  check("EMPTY=\nno line of it\nLAST=1=2", { EMPTY: "", LAST: "1=2" })
})
