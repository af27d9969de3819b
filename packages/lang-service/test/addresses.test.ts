/** Where imported requests are sent: to the address of the file, or to a network without one, and never anywhere else. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { describe, expect, it } from "vitest"
import { readViem } from "../src/convert/viem.ts"
import { type Converted, readCast, readCurl, readHttp, readPostman, writeRequests } from "../src/index.ts"

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const none = () => undefined

/** Each network as `id url`; one without a URL is refused before anything is sent. */
const networksOf = (converted: Converted) => {
  const { calls, networks, text } = writeRequests(converted, () => ({ plugin: "evm" }))
  const config = {
    networks: Object.fromEntries(
      networks.map(({ id, plugin, url }) => [id, url === undefined ? { plugin } : { plugin, url }]),
    ),
  }
  const { workspace } = makeWorkspace({ plugins: [Evm.plugin], config, env: () => "https://set.example", now: 0 })
  const { requests } = analyze(parse(text), workspace)
  expect(requests).toHaveLength(calls)
  for (const { network, section } of requests)
    expect([network?.id, section.call?.method.text]).toEqual([networks[0]?.id, "eth_chainId"])
  return networks.map(({ id, url }) => `${id} ${url ?? "-"}`)
}

describe("the address of", () => {
  const check = (what: string, converted: Converted, expected: string, ...expectedProblems: Problems) =>
    it(what, () => {
      expect(networksOf(converted)).toEqual([expected])
      const problems = converted.problems.map(({ message }) => message)
      expect(problems).toEqual(expectedProblems.map((problem) => expect.stringMatching(problem) as unknown))
    })
  type Problems = ReadonlyArray<RegExp>
  const isMissing = /^its URL is not known: write it/

  const curl = (what: string, words: string, expected: string, ...problems: Problems) =>
    check(`curl ${what}`, readCurl(`${words} -d '${body}'`, none), expected, ...problems)
  curl("without a scheme", "curl node.example/rpc", "node http://node.example/rpc")
  curl("without a URL", "curl", "unknown -", isMissing)
  curl("with a placeholder", "curl '<your-endpoint>'", "unknown -", isMissing)
  curl("with a placeholder without quotes", "curl <your-endpoint>", "unknown -", isMissing)
  curl("with a placeholder for the host", "curl https://<your-endpoint>/v2 -X POST", "unknown -", isMissing)
  curl("with a placeholder in braces", "curl https://{your-endpoint}/v2", "unknown -", isMissing)
  curl(
    "with a placeholder for the key",
    "curl 'https://n.example/v2/<key>'",
    "n https://n.example/v2/{{$secret.N_KEY}}",
  )
  curl("that the script sets", 'URL=https://n.example/rpc\ncurl "$URL"', "n https://n.example/rpc")
  curl("that is set around it", 'curl "$NODE_URL"', "node-url {{$env.NODE_URL}}")
  curl("behind an option of curl", "curl --max-filesize 1000 --proto =https n.example", "n http://n.example")
  curl(
    "behind an option that is not known",
    "curl --magic 1000 n.example",
    "unknown -",
    /^the option --magic is not known/,
    isMissing,
  )
  curl(
    "of a socket",
    "curl --unix-socket /run/node.sock http://localhost/",
    "unknown -",
    /^--unix-socket sends it elsewhere/,
  )
  curl("of another server", "curl --connect-to ::a.example n.example", "unknown -", /^--connect-to sends it elsewhere/)
  curl("with the header Host of itself", "curl -H 'Host: n.example' n.example", "n http://n.example")
  curl(
    "with another Host",
    "curl -H 'Host: m.example' n.example",
    "n http://n.example",
    /^headers are not imported: Host/,
  )

  const http = (what: string, head: string, expected: string, ...problems: Problems) =>
    check(`an .http file ${what}`, readHttp(`${head}\n\n${body}\n`, none), expected, ...problems)
  http("without a scheme", "POST localhost:8545", "local http://localhost:8545")
  http("in a variable without a scheme", "@host = n.example:81\nPOST {{host}}/rpc", "n http://n.example:81/rpc")
  http("in a variable with a dash", "@the-host = https://n.example\nPOST {{the-host}}/rpc", "n https://n.example/rpc")
  http("in its header Host", "POST /rpc HTTP/1.1\nHost: n.example", "n http://n.example/rpc")
  http("in its header Host, with TLS", "POST /rpc\nhost: n.example:443", "n https://n.example:443/rpc")
  http("that begins with slashes", "POST //n.example/rpc", "n http://n.example/rpc")
  http("that is a path alone", "POST /rpc", "unknown -", isMissing)
  http("that is missing", "POST", "unknown -", isMissing)
  http("in a variable that is not set", "POST {{host}}/rpc", "host {{$env.HOST}}/rpc")
  http("in parts that are not set", "POST http://{{host}}:{{port}}/rpc", "host http://{{$env.HOST}}:{{$env.PORT}}/rpc")
  http("in a variable that is empty", "@host =\nPOST {{host}}/rpc", "unknown -", isMissing)
  http("of another protocol", "POST ftp://n.example/rpc", "unknown -", isMissing)

  const postman = (
    what: string,
    url: unknown,
    expected: string,
    problem?: RegExp,
    variable: ReadonlyArray<unknown> = [],
  ) => {
    const item = [{ name: "a", request: { method: "POST", url, body: { mode: "raw", raw: body } } }]
    check(
      `Postman ${what}`,
      readPostman(JSON.stringify({ info: {}, item, variable })),
      expected,
      ...(problem === undefined ? [] : [problem]),
    )
  }
  const baseUrl = (value: string) => [{ key: "baseUrl", value }]
  postman("without a scheme", "n.example/rpc", "n http://n.example/rpc")
  postman(
    "in a variable without a scheme",
    "{{baseUrl}}/rpc",
    "n http://n.example/rpc",
    undefined,
    baseUrl("n.example"),
  )
  postman("in a variable that is empty", "{{baseUrl}}/rpc", "unknown -", isMissing, baseUrl(""))
  postman("in a variable of an environment", "{{baseUrl}}/rpc", "base-url {{$env.BASE_URL}}/rpc")
  postman("in a variable with a dash", { raw: "{{the-url}}/rpc" }, "n https://n.example/rpc", undefined, [
    { key: "the-url", value: "https://n.example" },
  ])
  postman(
    "in its parts",
    { protocol: "https", host: ["n", "example"], port: "81", path: ["rpc"], query: [{ key: "chain", value: "main" }] },
    "n https://n.example:81/rpc?chain=main",
  )
  postman(
    "with a variable of its path",
    { raw: "https://n.example/:net/rpc", variable: [{ key: "net", value: "main" }] },
    "n https://n.example/main/rpc",
  )
  postman("that is missing", undefined, "unknown -", isMissing)

  const cast = (what: string, command: string, expected: string, ...problems: Problems) =>
    check(`cast ${what}`, readCast(`${command}\n`), expected, ...problems)
  cast("without a URL", "cast chain-id", "eth-rpc-url {{$env.ETH_RPC_URL}}")
  cast("set before the command", "ETH_RPC_URL=https://n.example cast chain-id", "n https://n.example")
  cast("of this machine", "cast chain-id --rpc-url localhost:8545", "local http://localhost:8545")
  cast("by a name of its configuration", "cast chain-id --rpc-url mainnet", "mainnet -", isMissing)
  cast("for bundles", "cast chain-id --flashbots", "flashbots https://rpc.flashbots.net/fast")

  const viem = (what: string, script: string, expected: string, ...problems: Problems) =>
    check(`viem ${what}`, readViem(`${script}\nawait client.getChainId()\n`), expected, ...problems)
  viem("of its chain", "const client = createPublicClient({ chain: base, transport: http() })", "base -", isMissing)
  viem(
    "of another script",
    'import { client } from "./clients"',
    "unknown -",
    /^the URL of client is not in this script/,
  )
})

describe("a network of imported requests", () => {
  const families = [L2Events.plugin]
  const check = (what: string, text: string, configured: Parameters<typeof writeRequests>[2], expected: unknown) =>
    it(what, () => {
      const familyOf = (method: string) =>
        method.startsWith("starknet_") ? { plugin: "l2-events", methodWord: "starknet" } : { plugin: "evm" }
      const { networks, text: written } = writeRequests(readCurl(text, none), familyOf, configured)
      expect([written.match(/^# @network \S+$/gm), networks]).toEqual(expected)
    })
  const curl = (method: string, jsonrpc = "2.0") =>
    `curl https://main.example -d '{"jsonrpc":"${jsonrpc}","method":"${method}"}'\n`
  const main = { id: "main", plugin: "evm", url: "https://main.example", secrets: [] }
  check("has the word of its methods", curl("starknet_getEvents"), undefined, [
    ["# @network main"],
    [{ ...main, plugin: "l2-events", methodWord: "starknet" }],
  ])
  check("has the version of its calls, one network for each", curl("a", "1.0") + curl("b"), undefined, [
    ["# @network main", "# @network main-2"],
    [
      { ...main, jsonrpc: "1.0" },
      { ...main, id: "main-2" },
    ],
  ])
  check(
    "is one that is there already, with the same address",
    curl("a"),
    new Map([["it", { plugin: "evm", url: main.url }]]),
    [["# @network it"], []],
  )
  check(
    "never has the name of another one",
    curl("a"),
    new Map([
      ["main", { plugin: "evm", url: "https://other.example" }],
      ["main-2", {}],
    ]),
    [["# @network main-3"], [{ ...main, id: "main-3" }]],
  )

  it("sends a method by the name that the file has, where the network has no word of its own", () => {
    const config = {
      networks: {
        node: { plugin: "l2-events", url: "https://n.example" },
        other: { plugin: "l2-events", url: "https://o.example", methodWord: "madara" },
      },
    }
    const { workspace } = makeWorkspace({ plugins: families, config, now: 0 })
    const words = (text: string) =>
      analyze(parse(text), workspace).requests.map(({ method, network }) => [method?.name, network?.methodWord])
    const call = (name: string) => `###\n# @network node\n${name} []\n`
    expect(
      words(call("starknet_chainId") + call("l2_chainId") + call("starknet_chainId").replace("node", "other")),
    ).toEqual([
      ["l2_chainId", "starknet"],
      ["l2_chainId", undefined],
      ["l2_chainId", "madara"],
    ])
  })
})

describe("what stands beside the params of a call", () => {
  const check = (what: string, text: string, expected: string) =>
    it(what, () => {
      const converted = readHttp(`POST https://h.example\n\n${text}\n`, none)
      expect(writeRequests(converted, () => ({ plugin: "evm" })).text).toBe(`# @network h\n\n${expected}`)
    })
  check(
    "is kept as comments",
    '{\n  // the logs\n  "method": "a", /* of\n   * all */\n  "params": [1 /* one */] // and no more\n}',
    "### a\n# the logs\n# of\n# all\n# and no more\na [1 /* one */]\n",
  )
  check(
    "belongs to the call that it is in",
    '[ // two\n  { "method": "a" }, // first\n  { "method": "b" } // last\n]',
    "### a\n# two\na\n\n### b\n# first\n# last\nb\n",
  )
})
