/** Requests as curl commands, run by a real shell where quoting matters. */
import { execFileSync } from "node:child_process"

import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { defineNetwork, type Json } from "@dotrpc/spec"
import { describe, expect, test } from "vitest"

import { curlCommand, secretPlaceholder } from "../src/index.ts"

const network = defineNetwork({ id: "mainnet", plugin: "evm", url: "https://mainnet.example/v3/real-key-0123456789" })
const curl = (url: string, params: Json.Json = []) => curlCommand({ method: Evm.GetLogs, network, params, url })

const check = (url: string, expected: ReadonlyArray<string>) =>
  expect(curl(url).split("\n").slice(0, 2)).toEqual(expected)

describe("the headers of a network", () => {
  const url = "https://mainnet.example/rpc"
  const headersIn = (headers: Readonly<Record<string, string>>, at = url) =>
    curlCommand({ method: Evm.GetLogs, network, params: [], url: at, headers })
      .split("\n")
      .filter((line) => line.startsWith("  -H ") && !line.includes("content-type"))

  test.each([
    [{ Authorization: "Bearer {{$secret.T}}" }, ['  -H "Authorization: Bearer $T" \\']],
    [{ "X-Api-Key": "0123456789abcdef" }, ['  -H "X-Api-Key: $MAINNET_KEY" \\']],
    [{ Authorization: "Bearer 0123456789abcdef" }, ['  -H "Authorization: Bearer $MAINNET_KEY" \\']],
    [{ "X-Chain": "mainnet" }, ['  -H "X-Chain: mainnet" \\']],
    [{ "X-A": 'a"`$(b)`{{$env.B}}' }, ['  -H \'X-A: a"`$(b)`\'"$B" \\']],
    [{ "X-A": "{{$env.B}}!!" }, ["  -H 'X-A: '\"$B\"'!!' \\"]],
    [{ "X-A": "it's \\{{$env.B}}c\\d" }, ["  -H 'X-A: it'\\''s '\\\\\"$B\"'c\\d' \\"]],
  ])("%o", (headers, expected) => expect(headersIn(headers)).toEqual(expected))

  test("are named among the secrets to set", () =>
    expect(
      curlCommand({
        method: Evm.GetLogs,
        network,
        params: [],
        url,
        headers: { Authorization: "Bearer {{$secret.T}}" },
      }),
    ).toContain("# Set T first."))

  test("are not sent to an embedded network", () =>
    expect(headersIn({ Authorization: "Bearer {{$secret.T}}" }, "embedded:evm")).toEqual([]))
})

describe("the URL", () => {
  test("names its secret as a variable", () => {
    check("https://mainnet.example/v3/{{$secret.API_KEY}}", [
      "# Set API_KEY first.",
      'curl -s "https://mainnet.example/v3/$API_KEY" \\',
    ])
  })

  test("of an embedded network is where the gateway serves it", () => {
    check("embedded:evm-l2", [
      "# Start the gateway first: dotrpc gateway --key local",
      'curl -s "http://127.0.0.1:8645/evm-l2/v3/local" \\',
    ])
  })

  test.each([
    "https://mainnet.example/v3/0123456789abcdef",
    "https://mainnet.example/v3/short",
    "https://mainnet.example/rpc?apikey=0123456789abcdef",
    "https://user:0123456789abcdef@mainnet.example/rpc",
    "https://mainnet.example/rpc?0123456789abcdef",
    "https://mainnet.example/rpc?chain=1&0123456789abcdef",
    "https://mainnet.example/?0123456789abcdef#0123456789abcdef",
    "https://0123456789abcdef.mainnet.example/rpc",
    "https://0123456789ABCDEF.eu.mainnet.example:8545/rpc",
    "https://eth-0123456789abcdef.mainnet.example/rpc",
    "0123456789abcdef.mainnet.example/rpc",
    "{{$env.BASE}}/v3/0123456789abcdef",
    "https://mainnet.example/0123456789abcdef/{{$secret.OTHER}}",
  ])("hides a key that is written out: %s", (url) => {
    const text = curl(url)
    expect(text).not.toMatch(/0123456789abcdef|short/i)
    expect(text).toContain("$MAINNET_KEY")
  })

  test.each([
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["https://eth-mainnet.g.provider.example/rpc", "https://eth-mainnet.g.provider.example/rpc"],
    ["https://{{$env.REGION}}.provider.example/rpc", "https://$REGION.provider.example/rpc"],
    ["https://{{$secret.HOST_KEY}}.provider.example/", "https://$HOST_KEY.provider.example/"],
    ["https://mainnet.example/rpc?key={{$secret.K}}", "https://mainnet.example/rpc?key=$K"],
  ])("without a key stays as it is: %s", (url, expected) => {
    expect(curl(url)).toContain(`curl -s "${expected}" \\`)
  })

  test("has a user name and a password beside it, whatever characters they have", () => {
    const text = curl("http://{{$secret.NODE_USER}}:{{$secret.NODE_PASSWORD}}@127.0.0.1:8332/")
    expect(text).toContain("# Set NODE_USER, NODE_PASSWORD first.")
    expect(text).toContain('curl -s "http://127.0.0.1:8332/" \\\n  -u "$NODE_USER:$NODE_PASSWORD" \\\n')
  })

  test("is not the one with the key that the network holds", () => {
    expect(curl("https://mainnet.example/v3/{{$secret.API_KEY}}")).not.toContain("real-key")
  })
})

describe("the body, as a shell passes it on", () => {
  /** What curl would be given, with `curl` replaced by a function that prints its arguments. */
  const argumentsOf = (command: string, environment: Readonly<Record<string, string>>): ReadonlyArray<string> =>
    execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], {
      env: environment,
      encoding: "utf8",
    }).split("\0")

  test("is the request with every digit and quote", () => {
    const params = [{ note: `it's "quoted" $HOME \`id\` \\ %`, amount: 18_446_744_073_709_551_615n }]
    const body = argumentsOf(curl("https://x.example", params), {}).at(-2)
    expect(body).toBe(
      `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"note":"it's \\"quoted\\" $HOME \`id\` \\\\ %","amount":18446744073709551615}]}`,
    )
  })

  test("has the values of its variables", () => {
    const command = curl("https://x.example/v3/{{$secret.KEY}}x", [secretPlaceholder("TOKEN")])
    expect(command).toMatch(/^# Set KEY, TOKEN first\./)
    const all = argumentsOf(command, { KEY: "k e y", TOKEN: "t'o" })
    expect(all[1]).toBe("https://x.example/v3/k e yx")
    expect(all.at(-2)).toContain(`"params":["t'o"]`)
  })

  test("uses the network's own spelling of the method", () => {
    const starknet = defineNetwork({ id: "sn", plugin: "l2-events", methodWord: "starknet" })
    const [getEvents] = L2Events.plugin.methods
    if (getEvents === undefined) throw new Error("The plugin has no method.")
    const text = curlCommand({ method: getEvents, network: starknet, params: {}, url: "https://x.example" })
    expect(text).toContain('"method":"starknet_getEvents"')
  })
})
