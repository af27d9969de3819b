/** What `# @compare` means for a request: the other network, the price of both sides, and why it is refused. */
import { describe, expect, it } from "vitest"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { analyze, makeWorkspace, missingPrivates, usesOfRun, wholePrice } from "../src/index.ts"

const config = {
  networks: {
    evm: { plugin: "evm", url: "https://one.example/{{$secret.ONE}}" },
    other: { plugin: "evm", url: "https://two.example/{{$secret.TWO}}", methods: { eth_getProof: false } },
    short: { plugin: "evm", url: "https://three.example/", historyDepth: 128 },
    l2: { plugin: "l2-events", url: "embedded:l2" },
  },
}
const analysisOf = (text: string, given: { comparedNetwork?: string; secrets?: boolean } = {}) => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin, L2Events.plugin],
    config,
    secret: (name) => (given.secrets === false ? undefined : `secret of ${name}`),
    expectsMore: true,
    comparedNetwork: given.comparedNetwork,
    now: 0,
  })
  return analyze(parse(text), workspace)
}

const balance = 'eth_getBalance ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "latest"]'
const inSection = (id: string, call: string, ...more: ReadonlyArray<string>) =>
  ["### a", ...more, `# @compare ${id}`, call, ""].join("\n")

describe("@compare", () => {
  const check = (name: string, text: string, expected: ReadonlyArray<string>) =>
    it(name, () => {
      expect(analysisOf(text).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(expected)
    })
  check("takes another network of the plugin", inSection("other", balance), [])
  check("refuses an unknown network", inSection("othr", balance), [
    'A103 unknown network "othr"; did you mean "other"?',
  ])
  check("refuses a network of another plugin", inSection("l2", balance), [
    'A330 network "l2" answers methods of l2-events, but eth_getBalance is a method of evm: choose another network',
  ])
  check("refuses what would be sent twice", inSection("other", 'eth_sendRawTransaction ["0x02f86c"]'), [
    "A330 eth_sendRawTransaction changes something, and a comparison would send it twice: remove @compare",
  ])
  check(
    "refuses a method that the other network lacks",
    inSection("other", 'eth_getProof ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", [], "latest"]'),
    [
      'A330 network "other" does not have eth_getProof; if it does, set "methods": { "eth_getProof": true } for it in rpc.config.json',
    ],
  )
  check("needs the transport on both networks", inSection("other", balance, "# @transport ws"), [
    'A303 network "evm" has no WebSocket endpoint: give it a "wsUrl" in rpc.config.json, or remove @transport',
    'A330 network "other" has no WebSocket endpoint, and @transport asks for one',
  ])
  check("counts both sides in a budget", inSection("other", balance, "# @budget 159"), [
    "A309 the comparison costs ~320 credits and the budget is 159 credits, so nothing is sent: raise @budget to 320 or more",
  ])
  check(
    "says nothing is sent only where no earlier request can pay for the block",
    inSection("other", balance, "# @budget 300"),
    ["A309 the comparison costs ~320 credits and the budget is 300 credits: raise @budget to 320 or more"],
  )
  check("counts a block that is looked up for each request", inSection("short", balance, "# @budget 300"), [
    "A309 the comparison costs ~320 credits and the budget is 300 credits, so nothing is sent: raise @budget to 320 or more",
  ])
  check(
    "takes the paths of what is not compared",
    inSection("other", balance, "# @ignore result.a result[*].b", "# @ignore result[0].c.*"),
    [],
  )
  check("refuses what is not a path of the result", inSection("other", balance, "# @ignore result.a timestamp"), [
    "A330 expected paths to leave out, such as result[*].timestamp",
  ])

  it("above the first section, leaves out what cannot be compared", () => {
    const { diagnostics, requests } = analysisOf(`# @compare other\n### a\n${balance}\n### b\nl2_chainId []\n`)
    expect(diagnostics).toEqual([])
    expect(requests.map(({ compare, notCompared }) => compare?.network.id ?? notCompared)).toEqual([
      "other",
      'not compared: network "other" answers methods of evm, but l2_chainId is a method of l2-events',
    ])
  })
  it("is overridden by what the run compares with", () => {
    const { requests } = analysisOf(inSection("l2", balance), { comparedNetwork: "other" })
    expect(requests.map(({ compare, errors }) => [compare?.network.id, errors.length])).toEqual([["other", 0]])
  })
  it("costs both calls, and the lookup of the block on both networks", () => {
    const [pinned, plain] = analysisOf(
      `${inSection("other", balance)}${inSection("other", balance.replace("latest", "0x1"))}`,
    ).requests
    expect(pinned && wholePrice(pinned)).toEqual({ min: 320, max: 320, assumed: true })
    expect(plain && wholePrice(plain)).toEqual({ min: 160, max: 160, assumed: true })
  })
  it("gives the secret of each network to its own host", () => {
    const analysis = analysisOf(inSection("other", balance))
    const [request] = analysis.requests
    if (request === undefined) throw new Error("there is no request")
    expect(
      (usesOfRun([{ analysis, requests: [request] }]).get(request) ?? []).map(({ name, destination }) => [
        name,
        destination,
      ]),
    ).toEqual([
      ["ONE", "https://one.example"],
      ["TWO", "https://two.example"],
    ])
    const without = analysisOf(inSection("other", balance), { secrets: false })
    const [unset] = without.requests
    expect(unset && missingPrivates(without, unset)).toEqual(["ONE", "TWO"])
  })
})
