/** Checks over the items of a list. */
import type { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { atOnce, checking, checkScope } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

const logs = [
  { block: "0x2", size: 3, topics: ["0xa", "0xb"], state: { name: "ok" } },
  { block: "0x2", size: 4, topics: ["0xa"], state: { name: "ok" } },
  { block: "0x3", size: 5, topics: [], state: { name: "lost" } },
]

const outcomeOf = (check: string, result: Json.Json, directives = "") => {
  const analysis = analyzeText(`###\n${directives}eth_chainId\n?? ${check}\n`)
  const [request] = analysis.requests
  const [found] = request?.section.checks ?? []
  if (request === undefined || found === undefined) throw new Error(`no check in ${check}`)
  return atOnce(checking(found.expr, checkScope(analysis, request, { result }, new Map())))
}

describe("a check with [*]", () => {
  const check = (text: string, value: Json.Json, place?: string, result: Json.Json = logs) =>
    it(text, () => {
      const { outcome, place: at } = outcomeOf(text, result)
      expect(outcome).toMatchObject({ _tag: "Value", value, secret: false })
      expect(at).toBe(place)
    })
  check("result[*].size > 2", true)
  check("result[*].size < 5", false, "item 2")
  check("result[*].block == 0x2 || result[*].size == 5", true)
  check("result[*].topics[*].length == 3", true)
  check("result[*].topics[*] == 0xa", false, "item 0, item 1")
  check('(result[*]).state["name"] != null && !(result[*].state.name == "gone")', true)
  check("result[*].absent == null", true)
  check("result[*] > 0", true, undefined, [])
  check("every(result[*].size < 5)", false, "item 2")
  check("some(result[*].size == 4)", true)
  check("some(result[*].size == 6)", false)
  check("count(result[*].block == 0x2) == 2", true)
  check("sum(result[*].size) == 12", true)
  check("sum(result.list[*]) == 340282366920938463463374607431768211456", true, undefined, {
    list: [340282366920938463463374607431768211455n, 1],
  })
  check("some(result[*].topics[*] == 0xb) && every(result[*].size > 2)", true)
})

describe("a check with [*] that cannot be evaluated", () => {
  const check = (text: string, said: string, result: Json.Json = logs) =>
    it(text, () => {
      const { outcome } = outcomeOf(text, result)
      expect(outcome._tag === "Problem" && outcome.diagnostics.map(({ message }) => message)).toEqual([said])
    })
  check("result.size[*] > 1", "[*] needs a list, found null")
  check("some(result.size[*] > 1)", "[*] needs a list, found null")
  check("some(result[*] + 1 > 1)", 'item 0: "+" needs two numbers, found an object and a number')
  check("result[*].size[*] > 1", "[*] needs a list, found a number")
  check(
    "result[*].size < result[0].topics[*]",
    "a check goes over the items of one list: write another check for this one",
  )
})

describe("a [*] before anything runs", () => {
  const check = (text: string, ...expected: ReadonlyArray<string>) =>
    it(text.replaceAll("\n", " / "), () =>
      expect(analyzeText(`###\n${text}\n`).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
        expected,
      ),
    )
  const alone = "[*] stands for every item of a list, and only in checks: write the number of an item"
  const about = (name: string) =>
    `${name}(…) is about all items, as ${name}(result[*].value > 0), or all rows: use it in a check with [*], or of a section with # @each`
  const logs = "eth_getLogs [{}]"
  check(`${logs}\n?? result[*].size > 2`)
  check(`${logs}\n?? result[*].topics[*] == 0x1 && count(result[*].size > 1) > 2`)
  check(
    'eth_getBlockByNumber ["0x1", false]\n?? result[*].number > 0\n?? some(result.number[*] > 1)\n?? result.transactions[*] != null',
    "A208 [*] needs a list, and here the result of eth_getBlockByNumber has an object",
    "A208 [*] needs a list, and here the result of eth_getBlockByNumber has a single value",
  )
  check(
    `${logs}\n?? result[*].blockNumber[*] > 0`,
    "A208 [*] needs a list, and here the result of eth_getLogs has a single value",
  )
  check('# @unchecked\neth_getBlockByNumber ["0x1", false]\n?? result[*].number > 0')
  check("eth_getBalance [{{list[*]}}]\n@list = [1]", `A205 ${alone}`)
  check("@a = b[*]\n@b = [1]\neth_getBlockByNumber [{{a}}, false]", `A205 ${alone}`)
  check(`${logs}\n?? every(result[*].size > 1, 2)`, `A204 ${about("every")}`)
  check(`${logs}\n?? sum(result[*].size, 2) > 1`, `A204 ${about("sum")}`)
  check("eth_chainId\n?? every(result > 0)", `A204 ${about("every")}`)
})

it("a function without a [*] is about the rows of a section, and one with it about items", () => {
  const analysis = analyzeText(
    "###\n# @each rows.csv\neth_chainId\n?? every(result != null)\n?? every(result[*].size > 1)\n",
  )
  const messages = analysis.diagnostics.filter(({ code }) => code === "A204")
  expect(messages).toEqual([])
})
