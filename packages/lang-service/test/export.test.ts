/** Saved requests for other tools. `tooling/peers` runs what is written with the tools themselves. */
import { analyze, defaultConfig, makeWorkspace, type ProjectConfig, writtenEndpoint } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json } from "@dotrpc/spec"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exportFile, type ExportFormat, exportRequests, readHttp, secretPlaceholder } from "../src/index.ts"

const canary = "canary-93b1f02c77"

const config: ProjectConfig = {
  networks: {
    ...defaultConfig.networks,
    keyed: {
      plugin: "evm",
      url: "https://evm.example/v3/{{$secret.API_KEY}}",
      headers: { "X-Team": "{{$secret.TEAM}}", "X-Literal": canary },
    },
    login: { plugin: "token-accounts", url: "https://{{$secret.USER}}:{{$secret.PASSWORD}}@accounts.example" },
    staged: { plugin: "evm", url: "https://evm.example", headers: { "X-Team": "{{$secret.TEAM}}" } },
    socket: { plugin: "evm", wsUrl: "wss://evm.example" },
    old: { plugin: "evm", url: "http://127.0.0.1:8332", jsonrpc: "1.0" },
  },
  environments: { staging: { networks: { staged: { url: "https://staging.example/{{$secret.STAGING}}" } } } },
}

const exported = (text: string, format: ExportFormat, environment?: string) => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin, TokenAccounts.plugin, L2Events.plugin],
    config,
    environment,
    secret: () => canary,
    env: () => undefined,
    now: 0,
  })
  const named = { ...workspace, secret: (name: string) => Redacted.make(secretPlaceholder(name)) }
  const analysis = analyze(parse(text), named)
  const requests = exportRequests(analysis, (request, id) => writtenEndpoint(request.workspace, config, id))
  const file = exportFile(requests, format)
  expect(JSON.stringify(file)).not.toContain(canary)
  return file
}

const check = (format: ExportFormat, name: string, request: string, expected: string, environment?: string) =>
  it(`${format}: ${name}`, () => {
    expect(exported(request, format, environment).text).toBe(expected)
  })

describe("a request", () => {
  check(
    "curl",
    "with names instead of its secrets",
    `### head\n# @network keyed\neth_getBalance ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "latest"]\n`,
    `# head
# Set API_KEY, TEAM first.
curl -s "https://evm.example/v3/$API_KEY" \\
  -H 'content-type: application/json' \\
  -H "X-Team: $TEAM" \\
  -H "X-Literal: $API_KEY" \\
  --data '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x5fbdb2315678afecb367f032d93f642f64180aa3","latest"]}'
`,
  )
  check(
    "cast",
    "with names instead of its secrets",
    `###\n# @network keyed\neth_blockNumber []\n`,
    `# eth_blockNumber
# Set API_KEY, TEAM first.
cast rpc --rpc-url "https://evm.example/v3/$API_KEY" \\
  --rpc-headers "X-Team: $TEAM" \\
  --rpc-headers "X-Literal: $API_KEY" \\
  --raw eth_blockNumber '[]'
`,
  )
  check(
    "http",
    "with variables instead of its secrets, and a login",
    `### It's\n# @network login\ngetBalance ["So11111111111111111111111111111111111111112"]\n`,
    `### It's
# Define the variables USER, PASSWORD in your environment file first.
POST https://accounts.example
Content-Type: application/json
Authorization: Basic {{USER}} {{PASSWORD}}

{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "getBalance",
  "params": [
    "So11111111111111111111111111111111111111112"
  ]
}
`,
  )
  check(
    "viem",
    "as a module",
    `### token supply\n# @network keyed\neth_call [{ "to": "0x5fbdb2315678afecb367f032d93f642f64180aa3", "data": "0x18160ddd" }, "latest"]\n\n###\n# @network keyed\neth_blockNumber []\n`,
    `// Set API_KEY, TEAM in the environment first.
import { createPublicClient, http } from "viem"

const keyed = createPublicClient({ transport: http(\`https://evm.example/v3/\${process.env.API_KEY}\`, { fetchOptions: { headers: { "X-Team": \`\${process.env.TEAM}\`, "X-Literal": \`\${process.env.API_KEY}\` } } }) })

// token supply
const tokenSupply = await keyed.request({ method: "eth_call", params: [
  { to: "0x5fbdb2315678afecb367f032d93f642f64180aa3", data: "0x18160ddd" },
  "latest",
] })
console.log("tokenSupply", tokenSupply)

// eth_blockNumber
const ethBlockNumber = await keyed.request({ method: "eth_blockNumber", params: [] })
console.log("ethBlockNumber", ethBlockNumber)
`,
  )
  check(
    "ethers",
    "as a module, in an environment",
    `###\n# @network staged\neth_blockNumber []\n`,
    `// Set STAGING, TEAM in the environment first.
import { FetchRequest, JsonRpcProvider } from "ethers"

const stagedRequest = new FetchRequest(\`https://staging.example/\${process.env.STAGING}\`)
stagedRequest.setHeader("X-Team", \`\${process.env.TEAM}\`)
const staged = new JsonRpcProvider(stagedRequest)

// eth_blockNumber
const ethBlockNumber = await staged.send("eth_blockNumber", [])
console.log("ethBlockNumber", ethBlockNumber)
`,
    "staging",
  )
  check(
    "kit",
    "as a module, with a login and every digit",
    `###\n# @network login\n# @unchecked\ngetProgramAccounts ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { "filters": [{ "dataSize": 165 }] }]\n`,
    `// Set USER, PASSWORD in the environment first.
import { createSolanaRpc } from "@solana/kit"

const login = createSolanaRpc("https://accounts.example", { headers: { "Authorization": "Basic " + btoa(\`\${process.env.USER}:\${process.env.PASSWORD}\`) } })

// getProgramAccounts
const getProgramAccounts = await login.getProgramAccounts("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", { filters: [{ dataSize: 165 }], encoding: "jsonParsed" }).send()
console.log("getProgramAccounts", getProgramAccounts)
`,
  )
})

describe("what cannot be written is a comment with the reason", () => {
  const left = (formats: ReadonlyArray<ExportFormat>, request: string, reason: string) => {
    for (const format of formats)
      it(`${format}: ${reason}`, () => {
        const { leftOut, text } = exported(`${request}\n\n### other\neth_blockNumber []\n`, format)
        expect(leftOut.map((one) => one.reason)).toContain(reason)
        expect(text).toContain(`not exported: ${reason}.`)
      })
  }

  left(
    ["curl", "viem", "http"],
    `### block\neth_getBlockByNumber [{{head.result}}, false]\n\n###\n# @name head\neth_blockNumber []`,
    'it needs the result of "head", which only a run has',
  )
  left(
    ["curl", "cast"],
    '### wrong\neth_getBalance ["0x12", "latest"]',
    'address: expected an address of 20 bytes (0x and 40 hex digits), found 2 digits in "0x12"',
  )
  left(["curl"], "###\n# @network socket\neth_blockNumber []", 'network "socket" has no "url"')
  left(["cast"], "###\n# @network login\ngetSlot []", "cast calls Ethereum networks only")
  left(["viem"], "###\n# @network login\ngetSlot []", "viem calls Ethereum networks only")
  left(["kit"], "###\n# @network keyed\neth_blockNumber []", "@solana/kit calls Solana networks only")
  left(["cast"], "###\n# @network old\neth_blockNumber []", "cast sends JSON-RPC 2.0, and this network takes 1.0")
  left(
    ["viem", "ethers"],
    `###\n# @network keyed\n# @unchecked\neth_strange [18446744073709551615]`,
    "the number 18446744073709551615 has more digits than JavaScript keeps",
  )
  left(
    ["viem"],
    `###\n# @network keyed\n# @unchecked\neth_strange [1.0]`,
    "JavaScript would write the number 1.0 in another way",
  )
  left(
    ["cast"],
    `###\n# @network keyed\n# @unchecked\neth_strange { "a": 1 }`,
    "cast sends params as an array, and these are an object",
  )
})

it("names of results in a module are valid and each its own", () => {
  const titles = ["class", "1 block", "total", "Total", "total", "日本", "a\u2028b", "evm", "createPublicClient"]
  const { text } = exported(
    titles.map((title) => `### ${title}\n# @network keyed\neth_blockNumber []\n`).join("\n"),
    "viem",
  )
  const names = [...text.matchAll(/^const (\w+) = await/gm)].map(([, name]) => name)
  expect(names).toEqual([
    "class2",
    "result1Block",
    "total",
    "total2",
    "total3",
    "result",
    "aB",
    "evm",
    "createPublicClient2",
  ])
  expect(text).not.toMatch(/[\u2028\u2029]/)
})

const json: fc.Arbitrary<Json.Json> = fc.letrec<{ value: Json.Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json.Json>(null, true, 0, 1.5, 12_345_678_901_234_567_890n),
    fc.string({ unit: "binary" }).filter((text) => !text.includes("{{")),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string({ unit: "binary" }).filter((text) => !text.includes("{{")),
      tie("value"),
    ),
  ),
})).value

it("an .http file that is imported again has the same params", () => {
  fc.assert(
    fc.property(fc.array(json), (params) => {
      const { text } = exported(`###\n# @network keyed\n# @unchecked\neth_strange ${Json.stringify(params)}\n`, "http")
      const [section] = readHttp(text, () => undefined).sections
      expect(section?.call?.method).toBe("eth_strange")
      expect(Json.stringify(Json.parse(section?.call?.params ?? ""))).toBe(Json.stringify(params))
    }),
    { numRuns: 200 },
  )
})

it("the params in a module are the same value", () => {
  fc.assert(
    fc.property(fc.array(json), (params) => {
      const { leftOut, text } = exported(
        `###\n# @network login\n# @unchecked\ngetStrange ${Json.stringify([params])}\n`,
        "kit",
      )
      expect(leftOut).toEqual([])
      const value: unknown = new Function(`return ${/getStrange\(([^]*)\)\.send\(\)\nconsole/.exec(text)?.[1]}`)()
      expect(value).toEqual(params)
    }),
    { numRuns: 200 },
  )
})
