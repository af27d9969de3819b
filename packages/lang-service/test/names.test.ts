import { describe, expect, it } from "vitest"
import { definition, prepareRename, references, rename } from "../src/index.ts"
import { apply, openAt } from "./cursor.ts"

describe("definition", () => {
  const check = (what: string, marked: string, expected: string | undefined) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const range = definition(document, position)?.range
      expect(range && `${range.start.line}:${range.start.character}-${range.end.character}`).toBe(expected)
    })
  check("a variable of the prelude", "@token = 1\n###\neth_getLogs [{{tok|en}}]", "0:1-6")
  check("a variable of the section wins", "@a = 1\n###\n@a = 2\neth_getLogs [{{a|}}]", "2:1-2")
  check("a variable of another section is not seen", "###\n@a = 2\n###\neth_getLogs [{{a|}}]", undefined)
  check("the definition above, inside a definition", "@a = 1\n@a = a| + 1\n@b = a", "0:1-2")
  check("the last definition, below all of them", "@a = 1\n@a = a + 1\n@b = a|", "1:1-2")
  check("nothing that is only defined below", "@a = b|\n@b = 1", undefined)
  check("the definition itself", "@tok|en = 1", "0:1-6")
  check("a name inside a string", '@a = 1\n###\neth_getLogs ["x{{a|}}y"]', "0:1-2")
  check("behind CRLF and an emoji", '@a = "🎈"\r\n### 🎈\r\neth_getLogs [/* 🎈 */ {{|a}}]', "0:1-2")
  check("a request", "### a\n# @name logs\neth_getLogs [{}]\n###\n?? lo|gs.result", "1:8-12")
  check("a request that is run first", "### a\n# @name logs\neth_getLogs [{}]\n###\n# @ref lo|gs", "1:8-12")
  check(
    "a variable rather than a request of its name",
    "@logs = 1\n### a\n# @name logs\neth_getLogs [{}]\n###\n?? lo|gs",
    "0:1-5",
  )
  check("the variable itself in a variable, which is not in a check", "###\n@result = 1\n@b = resu|lt\n?? b", "1:1-7")
  check("nothing for an outcome", "###\neth_getLogs [{}]\n?? res|ult", undefined)
  check("nothing for a variable of the environment", "@x = chu|nk", undefined)
  check("in a file that is being written", '@token = 1\n###\neth_getLogs [{ "address": {{tok|en', "0:1-6")
})

describe("references", () => {
  const check = (what: string, marked: string, expected: ReadonlyArray<string>) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const found = references(document, position)
      expect(
        found.map(
          ({ isDefinition, range }) => `${isDefinition ? "@" : ""}${range.start.line}:${range.start.character}`,
        ),
      ).toEqual(expected)
    })
  check(
    "a variable, in strings, checks and variables",
    '@a| = 1\n@b = a\n###\neth_getLogs ["{{a}}", {{a}}]\n?? a == 1',
    ["@0:1", "1:5", "3:16", "3:24", "4:3"],
  )
  check("not where another one is seen", "@a| = 1\n###\n@a = 2\neth_getLogs [{{a}}]\n###\n?? a", ["@0:1", "5:3"])
  check("every definition of the same name", "@a = 1\n@a = a| + 1\n?? a", ["@0:1", "@1:1", "1:5", "2:3"])
  check(
    "a request",
    "### a\n# @name lo|gs\neth_getLogs [{}]\n###\n# @ref logs\neth_getTransactionReceipt [{{logs.result[0].transactionHash}}]",
    ["@1:8", "4:7", "5:29"],
  )
  check("none of nothing", "### a|\n", [])
})

describe("rename", () => {
  const check = (what: string, marked: string, name: string, expected: string) =>
    it(what, () => {
      const { document, position } = openAt(marked)
      const changes = rename(document, position, name)
      expect("reason" in changes ? changes.reason : apply(document, changes)).toBe(expected)
    })
  check(
    "a variable everywhere",
    '@a| = 1\r\n###\r\n🎈\r\neth_getLogs ["{{a}}", {{ a }}]\r\n?? a == 1',
    "from",
    '@from = 1\r\n###\r\n🎈\r\neth_getLogs ["{{from}}", {{ from }}]\r\n?? from == 1',
  )
  check(
    "a variable of one section only",
    "###\n@a = 1\n?? a|\n###\n@a = 2\n?? a",
    "b",
    "###\n@b = 1\n?? b\n###\n@a = 2\n?? a",
  )
  check(
    "a request",
    "###\n# @name logs\neth_getLogs [{}]\n###\n# @ref logs\n?? lo|gs.credits < 1",
    "all",
    "###\n# @name all\neth_getLogs [{}]\n###\n# @ref all\n?? all.credits < 1",
  )
  check("to the same name", "@a| = 1", "a", "@a = 1")
  check("no name", "@a| = 1", "1a", '"1a" is not a name: use letters, digits and _, and do not begin with a digit')
  check("a value of the language", "@a| = 1", "null", '"null" is a reserved word of the language')
  check(
    "the name of an outcome",
    "@a| = 1",
    "result",
    '"result" means the outcome of a request in every check: choose another name',
  )
  check(
    "the name of another variable",
    "@a| = 1\n@b = 2",
    "b",
    'a variable of this file is named "b": choose another name',
  )
  check(
    "the name of a section's variable",
    "@a| = 1\n###\n@b = 2",
    "b",
    'a variable of this file is named "b": choose another name',
  )
  check("a name that another section uses for itself", "###\n@a| = 1\n###\n@b = 2", "b", "###\n@b = 1\n###\n@b = 2")
  check(
    "the name of a request",
    "@a| = 1\n###\n# @name b\neth_getLogs [{}]",
    "b",
    'a request of this file is named "b": choose another name',
  )
  check(
    "the name of a variable of the environment",
    "@a| = 1",
    "chunk",
    'a variable of the environment is named "chunk": choose another name',
  )
  check(
    "a variable of the environment",
    "@a = chu|nk",
    "b",
    '"chunk" is defined in rpc.config.json: rename it there and in every file that uses it',
  )
  check(
    "a name that is mentioned and not defined",
    "@a| = 1\n###\neth_getLogs [{{b}}]",
    "b",
    'this file mentions "b" already: choose another name',
  )
  check(
    "one of two requests of one name",
    "###\n# @name logs\neth_getLogs [{}]\n###\n# @name lo|gs\neth_getLogs [{}]\n###\n?? logs.credits < 1",
    "all",
    "###\n# @name logs\neth_getLogs [{}]\n###\n# @name all\neth_getLogs [{}]\n###\n?? logs.credits < 1",
  )
  check("an outcome", "###\neth_getLogs [{}]\n?? resu|lt", "b", '"result" is a built-in name that every check can use')
  check("what is not a name", "### tit|le", "b", "only variables and the names of requests can be renamed")

  it("says beforehand what would be renamed", () => {
    const { document, position } = openAt("@token = 1\n###\neth_getLogs [{{tok|en}}]")
    expect(prepareRename(document, position)).toEqual({
      range: { start: { line: 2, character: 15 }, end: { line: 2, character: 20 } },
      name: "token",
    })
  })
  it("says beforehand why not", () => {
    const { document, position } = openAt("###\neth_getLo|gs [{}]")
    expect(prepareRename(document, position)).toEqual({
      reason: "only variables and the names of requests can be renamed",
    })
  })
})
