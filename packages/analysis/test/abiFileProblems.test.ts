/** What is wrong in the files of `# @abi`, at its place in them. */
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { describe, expect, it } from "vitest"
import { abiFileProblems, type Analysis, analyzing, makeWorkspace, type Steps } from "../src/index.ts"
import { atOnce } from "../src/Steps.ts"

const abi = "file:///project/t.json"

const analysing = (text: string, of = "# @abi ./t.json\n###\neth_blockNumber []\n"): Steps<Analysis> => {
  const { workspace } = makeWorkspace({ plugins: [Evm.plugin], now: 0 })
  const sources = { uri: "file:///project/a.rpc", files: new Map(), texts: new Map([[abi, text]]) }
  return analyzing(parse(of), workspace, { sources })
}

describe("the problem of an ABI file", () => {
  const check = (name: string, text: string, expected: ReadonlyArray<string>, of?: string) =>
    it(name, () => {
      const found = abiFileProblems(atOnce(analysing(text, of)))
      expect(
        found.map(({ character, line, message, uri }) => `${uri === abi} ${line}:${character} ${message}`),
      ).toEqual(expected)
    })
  const unnamed = '"type": "event", "name": 5, "inputs": []'
  const missing = 'item 0 of the ABI: "name" is missing: expected the name of the event'
  check("is none in an ABI", '[{ "type": "event", "name": "Paused", "inputs": [] }]', [])
  check("is at the value that is wrong", `[\n  { ${unnamed} }\n]`, [`true 1:29 ${missing}`])
  check("is at the same place with other line breaks", `[\r\n\r  { ${unnamed} }\r\n]`, [`true 2:29 ${missing}`])
  check("is where the text stops being JSON", "[\n  {,\n]", [`true 1:3 is not JSON: expected a string, found ","`])
  check("is in front where it is about the whole", "[]", ["true 0:0 the ABI declares no event, function or error"])
  check(
    "is in front of a file with too many entries",
    JSON.stringify(Array.from({ length: 3_001 }, () => ({ type: "fallback" }))),
    ["true 0:0 has more than 3,000 entries, the most that are read"],
  )
  check(
    "is there once, however many lines lead to it",
    "[]",
    ["true 0:0 the ABI declares no event, function or error"],
    "# @abi ./t.json\n###\n# @abi ./t.json\neth_blockNumber []\n",
  )
  check("is none where no line leads to it", "[]", [], "###\neth_blockNumber []\n")

  it("is found in steps, however long the file is", () => {
    const text = JSON.stringify(
      { bytecode: "ab".repeat(1_000_000), ast: Array.from({ length: 50_000 }, () => ({ a: 1 })), abi: [{}] },
      null,
      1,
    )
    const steps = analysing(text)
    let count = 0
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) count++
    expect(count).toBeGreaterThan(text.length / 20_000)
    expect(abiFileProblems(next.value)).toMatchObject([{ line: text.split("\n").length - 3, character: 2 }])
  })
})
