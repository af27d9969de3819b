import { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { bindParams, checkScope, evaluate } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const declared = "# @abi function balanceOf(address holder) view returns (uint256)\n"
const balanceOf = `0x70a08231${holder.slice(2).padStart(64, "0")}`

const request = (data: string, before = declared, after = "") =>
  `${before}###\n# @name balance\neth_call [{ "to": "${token}", "data": {{${data}}} }, "latest"]\n${after}`

/** The problems of a file as `code line:column-column message`, and the data that its first request sends. */
const check = (
  title: string,
  text: string,
  expected: { readonly problems?: ReadonlyArray<string>; readonly data?: string | undefined },
) =>
  it(title, () => {
    const analysis = analyzeText(text)
    const place = (offset: number) => {
      const before = text.slice(0, offset).split("\n")
      return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
    }
    const problems = analysis.diagnostics.map(
      ({ code, end, message, start }) => `${code} ${place(start)}-${place(end).split(":")[1]} ${message}`,
    )
    const [first] = analysis.requests
    const bound = first && bindParams(analysis, first, new Map())
    const data =
      bound !== undefined && "params" in bound ? /"data":"(\w+)"/.exec(Json.stringify(bound.params))?.[1] : undefined
    expect({ problems, data }).toEqual({ problems: [], data: undefined, ...expected })
  })

describe("a call by the name of its function", () => {
  check("is sent as data", request(`call("balanceOf", "${holder}")`), { data: balanceOf })
  check("is sent without an ABI as well", request(`call("balanceOf(address)", "${holder}")`, ""), { data: balanceOf })
  check("takes a variable", request(`call("balanceOf", holder)`, `${declared}@holder = "${holder}"\n`), {
    data: balanceOf,
  })
  check("takes an array that is a variable", request(`call("f(uint8[])", list)`, "@list = [1, 2]\n"), {
    data: `0xcbdb4526${["20", "2", "1", "2"].map((digits) => digits.padStart(64, "0")).join("")}`,
  })
  check("is underlined at the name that is not declared", request(`call("balancOf", "${holder}")`), {
    problems: ['A204 4:80-90 call: no function balancOf is declared; did you mean "balanceOf"?'],
  })
  check("is underlined at the argument that does not fit", request(`call("balanceOf", "0x12")`), {
    problems: [
      'A204 4:93-99 call: holder expects an address of 20 bytes (0x and 40 hex digits), found 2 digits in "0x12"',
    ],
  })
  check("is underlined as a whole where an argument is missing", request(`call("balanceOf")`), {
    problems: ["A204 4:75-91 call: balanceOf(holder: address) takes 1 argument, found 0"],
  })
})

describe("what a result is decoded to", () => {
  const outcome = { result: `0x${"2a".padStart(64, "0")}`, decoded: { amount: 42 }, error: null }
  const reads = (
    title: string,
    expression: string,
    own: Json.JsonObject,
    named: Json.JsonObject,
    expected: Json.Json,
  ) =>
    it(title, () => {
      const analysis = analyzeText(
        request(`call("balanceOf", "${holder}")`, declared, `###\neth_call [{}]\n?? ${expression}\n`),
      )
      expect(analysis.diagnostics.map(({ message }) => message)).toEqual([])
      const [, second] = analysis.requests
      const [found] = second?.section.checks ?? []
      const value =
        second && found && evaluate(found.expr, checkScope(analysis, second, own, new Map([["balance", named]])))
      expect(value).toEqual({ _tag: "Value", value: expected, secret: false })
    })
  reads("is read by a check of its own request", "result.decoded.amount == 42", outcome, {}, true)
  reads("is read by another request", "balance.result.decoded.amount == 42", {}, outcome, true)
  reads("does not replace the result", "balance.result == result", outcome, outcome, true)
  reads("is null where nothing was decoded", "result.decoded == null", { result: "0x" }, {}, true)
  const own = { result: { decoded: 1 }, decoded: 2 }
  reads("does not hide a member that the server sent", "result.decoded == 1", own, {}, true)
})

it("a call says what it calls, also from a variable in an object", () => {
  const analysis = analyzeText(
    `@request = { "to": "${token}", "data": {{call("f() returns (bool)")}} }\n###\neth_call [{{request}}]\n`,
  )
  const [first] = analysis.requests
  const bound = first && bindParams(analysis, first, new Map())
  expect(bound).toMatchObject({ meanings: [{ path: [0, "data"], meaning: { type: "function", name: "f" } }] })
})
