/** Snippets for viem as saved requests: what is known without running them, and why the rest are comments. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { isSyntaxError, parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import { readViem } from "../src/convert/viem.ts"
import { exportFile, exportRequests, writeRequests } from "../src/index.ts"

const key = "0f3aa9c1d2b84e57"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const hash = `0x${"ab".repeat(32)}`
const padded = `0x${"0".repeat(24)}${token.slice(2)}`

/** However the formatter breaks its lines. */
const plain = (call: string) => call.replace(/\s+/g, "")

const imported = (text: string) => {
  const converted = readViem(text)
  const { networks, text: written } = writeRequests(converted, () => ({ plugin: "evm" }))
  expect(JSON.stringify([written, networks, converted.problems])).not.toContain(key)
  expect(parse(written).diagnostics.filter(isSyntaxError)).toEqual([])
  const problems = converted.problems.map(({ line, message }) => `${line}: ${message}`)
  const calls = parse(written).tree.sections.flatMap(({ call }) =>
    call === undefined ? [] : [written.slice(call.start, call.end)],
  )
  return { calls, networks: networks.map(({ id, url }) => `${id} ${url}`), problems, written }
}

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin],
  config: { networks: { evm: { plugin: "evm", url: "https://mainnet.example/rpc" } } },
  now: 0,
})

const wrongIn = (text: string) =>
  analyze(parse(text), workspace)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ message }) => message)

/** Its chain is the network of the workspace. */
const client = 'const client = createPublicClient({ chain: evm, transport: http("https://mainnet.example/rpc") });'

describe("a call of viem", () => {
  const check = (call: string, expected: string, before = "") =>
    it(`${before}${call}`, () => {
      const { calls, problems, written } = imported(`${client}${before}\nconst a = await client.${call}\n`)
      expect([calls.map(plain), problems]).toEqual([[plain(expected)], []])
      expect(wrongIn(written)).toEqual([])
    })
  check(`request({ method: "eth_blockNumber" })`, "eth_blockNumber []")
  check(`request({ method: "eth_getBlockByNumber", params: ["0x1", false] })`, 'eth_getBlockByNumber ["0x1", false]')
  check("getBlockNumber()", "eth_blockNumber []")
  check("getGasPrice()", "eth_gasPrice []")
  check("getChainId()", "eth_chainId []")
  check(`getBalance({ address: "${token}" })`, `eth_getBalance ["${token}", "latest"]`)
  check(
    `getBalance({ address, blockNumber: 436n })`,
    `eth_getBalance ["${token}", "0x1b4"]`,
    `const address = "${token}" as const`,
  )
  check(`getBalance({ address: \`${token}\`, blockTag: "safe" })`, `eth_getBalance ["${token}", "safe"]`)
  check(`getCode({ address: "${token}" as \`0x\${string}\` })`, `eth_getCode ["${token}", "latest"]`)
  check(`getTransactionCount({ address: "${token}" })`, `eth_getTransactionCount ["${token}", "latest"]`)
  check(`getStorageAt({ address: "${token}", slot: "0x2" })`, `eth_getStorageAt ["${token}", "0x2", "latest"]`)
  check("getBlock()", 'eth_getBlockByNumber ["latest", false]')
  check("getBlock({ blockNumber: 1_000n, includeTransactions: true })", 'eth_getBlockByNumber ["0x3e8", true]')
  check(`getBlock({ blockHash: "${hash}" })`, `eth_getBlockByHash ["${hash}", false]`)
  check(`getTransaction({ hash: "${hash}" })`, `eth_getTransactionByHash ["${hash}"]`)
  check(`getTransactionReceipt({ hash: "${hash}" })`, `eth_getTransactionReceipt ["${hash}"]`)
  check(
    `estimateGas({ account: "${token}", to: "${token}", value: parseEther("1") })`,
    `eth_estimateGas [{ "from": "${token}", "to": "${token}", "value": "0xde0b6b3a7640000" }]`,
    `import { parseEther } from "viem"`,
  )
  check(
    `call({ to: "${token}", data: "0x313ce567" })`,
    `eth_call [{ "to": "${token}", "data": "0x313ce567" }, "latest"]`,
  )
  check("getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75] })", 'eth_feeHistory ["0x4", "latest", [25, 75]]')
  check(
    `readContract({ address: token.address, abi, functionName: "balanceOf", args: [token.address] })`,
    `eth_call [{ "to": "${token}", "data": {{call("balanceOf(address) returns (uint256)", "${token}")}} }, "latest"]`,
    `const token = { address: "${token}" }; const abi = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);`,
  )
  check(
    `readContract({ address: "${token}", abi: erc20Abi, functionName: "decimals", blockNumber: 7n })`,
    `eth_call [{ "to": "${token}", "data": {{call("decimals() returns (uint8)")}} }, "0x7"]`,
    `import { erc20Abi } from "viem"`,
  )
  check(
    `readContract({ address: "${token}", abi, functionName: "quote", args: [{ price: 12345678901234567890n, ids: [1, 2] }, -1n] })`,
    `eth_call [{ "to": "${token}", "data": {{call("quote((uint256 price,uint8[] ids),int256)", "[12345678901234567890, [1, 2]]", "-1")}} }, "latest"]`,
    `const abi = [{ type: "function", name: "quote", inputs: [{ name: "order", type: "tuple", components: [{ name: "price", type: "uint256" }, { name: "ids", type: "uint8[]" }] }, { name: "n", type: "int256" }], outputs: [], stateMutability: "view" }] as const`,
  )
  const transfer = `parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)")`
  check(
    `getLogs({ address: "${token}", event: ${transfer}, args: { to: "${token}" }, fromBlock: 1n, toBlock: "latest" })`,
    `eth_getLogs [{ "fromBlock": "0x1", "toBlock": "latest", "address": "${token}", "topics": [{{event("Transfer(address,address,uint256)")}}, null, "${padded}"] }]`,
  )
  check("getLogs()", "eth_getLogs [{}]")

  const comment = (call: string, reason: string, before = "") =>
    it(`${before}${call} is a comment with the reason`, () => {
      const { calls, problems, written } = imported(`${client}${before}\nconst a = await client.${call}\n`)
      expect(calls).toEqual([])
      expect(problems).toEqual([`2: this call cannot be converted: ${reason}; its name is kept as a comment`])
      expect(written).toMatch(/^# \w+: this call cannot be converted: /)
      expect(written).toContain(reason)
    })
  comment("writeContract({})", "writeContract is not one of the calls that can be converted")
  comment("getBalance({ address: owner })", "owner is not defined in this script")
  comment("getBalance({ address })", "address is not known before the script runs", `let address = "${token}"`)
  comment("getBalance({ address })", "address is imported", `import { address } from "./a"`)
  comment("getBalance({ address: c })", "c is defined by itself", "const c = d; const d = c;")
  comment("getBalance({ address: await find() })", "the result of find is not known before the script runs")
  comment(`getBalance({ address: "vitalik.eth" })`, "its address does not have 20 bytes")
  comment("getBlock({ blockNumber: 1n + 1n })", "a calculation is not known before the script runs")
  comment(`call({ to: "${token}", stateOverride: [] })`, "the option stateOverride has no counterpart here")
  comment(`request({ method: "eth_call", params: [1n] })`, "a bigint is not JSON: write it in hex, as a string")
  comment(
    `request({ method: "eth_call", params: ["{{$secret.KEY}}"] })`,
    "a string contains {{, which begins an expression here",
  )
  comment(
    `request({ method: "eth_call", params: [\`\${b}{$secret.KEY}}\`] })`,
    "a string contains {{, which begins an expression here",
    `const b = "{";`,
  )
  comment(
    `readContract({ address: "${token}", abi: parseAbi(["function f(Order o)"]), functionName: "f", args: [1] })`,
    "its ABI has the type Order, which is not one of Solidity's own: write a struct as a tuple",
  )
  comment(
    `readContract({ address: "${token}", abi: parseAbi(["function f()"]), functionName: "g" })`,
    "its ABI does not declare g",
  )
})

describe("a snippet of viem", () => {
  it("gives the networks of its clients by their chains, without keys", () => {
    const { networks, problems, written } = imported(`import { createPublicClient, http } from "viem"
const url = \`https://eth.example/v2/\${process.env.ETH_KEY}\`
const publicClient = createPublicClient({ chain: mainnet, transport: http(url) })
const other = createPublicClient({ chain: sepolia, transport: http("https://sepolia.example/v3/${key}") }).extend(actions)
// The newest block, not by ${key}
// of all
export const head = await publicClient.getBlock()
const [a, b] = await Promise.all([other.getBlockNumber(), other.getGasPrice()])
`)
    expect(networks).toEqual([
      "mainnet https://eth.example/v2/{{$secret.ETH_KEY}}",
      "sepolia https://sepolia.example/v3/{{$secret.SEPOLIA_KEY}}",
    ])
    expect(written).toContain("### The newest block, not by •••\n# of all\neth_getBlockByNumber")
    expect(written).toContain("# @network sepolia\neth_blockNumber []")
    expect(problems).toEqual([])
  })
  it("reports parts of its clients that are not imported", () => {
    const { problems } = imported(`const client = createPublicClient({ chain: mainnet, transport: http() })
const second = createPublicClient({ transport: http("https://a.example", { fetchOptions: { headers: { Authorization: "Bearer ${key}" } } }) })
await client.getBlockNumber()
// Bearer ${key}
await second.getBlockNumber()
`)
    expect(problems).toEqual([
      '1: its URL is not known: write it as the "url" of its network in rpc.config.json',
      expect.stringMatching(/^2: headers are not imported: Authorization;/),
    ])
  })
  it("may call actions that are functions", () => {
    const { calls } = imported(
      `import { getBalance as balance } from "viem/actions"\nawait balance(client, { address: "${token}" })`,
    )
    expect(calls).toEqual([`eth_getBalance ["${token}", "latest"]`])
  })
  it("says where it is not JavaScript or TypeScript", () => {
    expect(imported("const a = 1\nconst = \n").problems).toEqual([
      "2: it is not JavaScript or TypeScript, or it is nested too deeply",
    ])
    expect(imported("[".repeat(200_000)).problems).toEqual([expect.stringContaining("or it is nested too deeply")])
    expect(imported(" ".repeat(1_000_001)).problems).toEqual([
      "1: it has more than 1,000,000 characters: move its calls to a file of their own",
    ])
  })
})

describe("a request that was exported for viem", () => {
  it("is the same when it is imported again", () => {
    const calls = Evm.plugin.methods.flatMap(({ composite, examples, name }) =>
      composite === undefined ? examples.map(({ params }) => `${name} ${Json.stringify(params)}`) : [],
    )
    const analysis = analyze(parse(calls.map((call) => `###\n${call}\n`).join("\n")), workspace)
    const exported = exportFile(
      exportRequests(analysis, () => ({ url: "https://mainnet.example/rpc" })),
      "viem",
    )
    const again = imported(exported.text)
    expect(again.problems).toEqual([])
    expect(again.calls.length).toBe(exported.calls)
    expect(again.calls.map(plain)).toEqual(calls.map(plain))
  })
  const value: fc.Arbitrary<Json.Json> = fc.letrec<{ value: Json.Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }).filter((text) => !/\{\{/.test(text)),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(
          fc.constant("__proto__"),
          fc.string().filter((text) => !/\{\{/.test(text)),
        ),
        tie("value"),
        { maxKeys: 3 },
      ),
    ),
  })).value
  it("has the same values, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (params) => {
        const analysis = analyze(parse(`###\neth_call ${Json.stringify(params)}\n`), workspace)
        const requests = exportRequests(analysis, () => ({ url: "https://mainnet.example/rpc" }))
        const exported = exportFile(requests, "viem")
        fc.pre(exported.calls === 1)
        const [call] = readViem(exported.text).sections.flatMap((section) => section.call ?? [])
        const [{ method, network } = {}] = analysis.requests
        assert(method !== undefined && network !== undefined)
        // Without null for what may be absent, as they are sent.
        const sent = method.prepare(params, network).params
        expect(Json.stringify(Json.parse(call?.params ?? "null"))).toBe(Json.stringify(sent))
      }),
    )
  })
})

describe("a hostile script", () => {
  it("never throws, and never breaks the language", () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(
          "client.",
          "getBalance(",
          "request({ method: ",
          '"eth_call"',
          "params: [",
          "const a = ",
          "a",
          "{",
          "}",
          "(",
          ")",
          "[",
          "]",
          "`${",
          "}`",
          "//",
          "/*",
          "*/",
          "\n",
          "### x",
          "{{",
          "<T>",
          "=>",
          `"${token}"`,
          "process.env.A",
          "\u202e",
          "\u2028",
        ),
        fc.string(),
      ),
      { maxLength: 14 },
    )
    fc.assert(
      fc.property(words, (parts) => {
        expect(imported(parts.join(" ")).written).toMatch(/^$|\n$/)
      }),
    )
  })
  it("is not converted where a value doubles again and again", () => {
    const doubled = (first: string, next: (above: string) => string) =>
      imported(
        `${client}const a0 = ${first}\n${Array.from({ length: 60 }, (_, index) => `const a${index + 1} = ${next(`a${index}`)}\n`).join("")}client.request({ method: "a_b", params: [a60] })`,
      ).problems
    const refused = [expect.stringContaining("cannot be converted")]
    expect(doubled('["x"]', (above) => `[${above}, ${above}]`)).toEqual(refused)
    expect(doubled('"xx"', (above) => `\`\${${above}}\${${above}}\``)).toEqual(refused)
  })
})
