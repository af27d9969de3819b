import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { bindParams } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

const call = `eth_getStorageAt [{{token}}, "0x0", "latest"]\n`
const [production, staging] = ["aa", "bb"].map((end) => `0x${end.padStart(40, "0")}`)

/** Where each request goes, and the token that it sends. */
const check = (
  what: string,
  text: string,
  expected: ReadonlyArray<readonly [string | undefined, unknown]>,
  sources = {},
) =>
  it(what, () => {
    const analysis = analyzeText(text, sources)
    expect(analysis.diagnostics).toEqual([])
    const found = analysis.requests.map((request) => {
      const bound = bindParams(analysis, request, new Map())
      const { url } = request.network ?? {}
      const token = "params" in bound && Array.isArray(bound.params) ? bound.params[0] : bound
      return [url === undefined ? undefined : Redacted.value(url), token]
    })
    expect(found).toEqual(expected)
  })

describe("# @env", () => {
  const there = "https://staging.example/v3/key"
  check("in a section holds for that section", `###\n# @env prod\n${call}###\n# @env staging\n${call}`, [
    ["embedded:evm", production],
    [there, staging],
  ])
  check(
    "above the sections holds for all, and a section's own for itself",
    `# @env staging\n###\n${call}###\n# @env prod\n${call}`,
    [
      [there, staging],
      ["embedded:evm", production],
    ],
  )
  check(
    "wins over the environment that was chosen",
    `###\n# @env staging\n${call}###\n${call}`,
    [
      [there, staging],
      ["embedded:evm", production],
    ],
    { environment: "prod" },
  )
  check(
    "reaches the variables of the file",
    `@mine = {{token}}\n###\n# @env staging\neth_getStorageAt [{{mine}}, "0x0", "latest"]\n`,
    [[there, staging]],
  )
  it("changes the price with the network", () =>
    expect(analyzeText(`###\n# @env staging\neth_getLogs [{}]\n`).requests[0]?.price?.max).toBe(7))
  it("that no project has gets the nearest name, and nothing is sent", () => {
    const { diagnostics, requests } = analyzeText(`# @env stagin\n###\neth_getLogs [{}]\n`)
    expect(diagnostics.map(({ code, fix, message }) => [code, message, fix?.title])).toEqual([
      ["A107", 'unknown environment "stagin"; did you mean "staging"?', "Replace with staging"],
    ])
    expect(requests[0]?.errors).toHaveLength(1)
  })
  it("keeps what a caller has changed of the workspace", () => {
    const analysis = analyzeText(`###\n# @env staging\neth_getLogs [{ "fromBlock": {{$secret.API_KEY}} }]\n`, {
      secret: () => "0x1",
    })
    const [request] = analysis.requests
    expect(request && bindParams(analysis, request, new Map())).toMatchObject({ params: [{ fromBlock: "0x1" }] })
  })
})

describe("a variable with a mistake", () => {
  it("forbids to send the requests that use it, and no other", () => {
    const { requests } = analyzeText(
      `@at = "0x1" "0x2"\n###\neth_getLogs [{ "fromBlock": {{at}} }]\n###\neth_getLogs [{}]\n`,
    )
    expect(requests.map(({ errors }) => errors.map(({ code }) => code))).toEqual([["L404"], []])
  })
})
