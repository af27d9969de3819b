/** Params that are made to take long, or to be repeated at length: each is answered soon, and in few words. */
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { noon } from "./gatewayRequests.ts"

const gateway = Gateway.make({ sample: { blocks: 20, logs: 50 } })

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const delegate = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
const program = { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }
const events = (member: string, value: string) => `{"filter":{"chunk_size":10,"${member}":${value}}}`

/** Where a caller can put a value, `@` being the value. */
const places: ReadonlyArray<readonly [network: string, method: string, params: string]> = [
  ...["@", "[@]", '[{"fromBlock":@}]', '[{"toBlock":@}]', '[{"address":@}]', '[{"address":[@]}]'].map(
    (params) => ["evm", "eth_getLogs", params] as const,
  ),
  ...['[{"topics":@}]', '[{"topics":[@]}]', '[{"topics":[[@]]}]', '[{"blockHash":@}]', '[{"other":@}]'].map(
    (params) => ["evm", "eth_getLogs", params] as const,
  ),
  ["evm", "eth_getStorageAt", '[@,"0x0","latest"]'],
  ["evm", "eth_getStorageAt", `["${address}",@,"latest"]`],
  ["evm", "eth_getStorageAt", `["${address}","0x0",@]`],
  ["evm", "eth_getTransactionReceipt", "[@]"],
  ["evm", "eth_getBlockRange", '[@,"0x1",false]'],
  ["evm", "eth_getBlockRange", '["0x0",@,false]'],
  ["evm", "eth_getBlockRange", '["0x0","0x1",@]'],
  ["evm", "eth_chainId", "@"],
  ["accounts", "getTokenAccountsByDelegate", "@"],
  ["accounts", "getTokenAccountsByDelegate", `[@,${JSON.stringify(program)}]`],
  ["accounts", "getTokenAccountsByDelegate", `["${delegate}",{"programId":@}]`],
  ["accounts", "getTokenAccountsByDelegate", `["${delegate}",{"mint":@}]`],
  ...[
    '{"encoding":@}',
    '{"commitment":@}',
    '{"minContextSlot":@}',
    '{"dataSlice":@}',
    '{"dataSlice":{"offset":@}}',
  ].map(
    (options) =>
      ["accounts", "getTokenAccountsByDelegate", `["${delegate}",${JSON.stringify(program)},${options}]`] as const,
  ),
  ["l2", "l2_getEvents", "@"],
  ["l2", "l2_getEvents", '{"filter":{"chunk_size":@}}'],
  ...["from_block", "to_block", "address", "keys", "continuation_token", "other"].map(
    (member) => ["l2", "l2_getEvents", events(member, "@")] as const,
  ),
  ["l2", "l2_getEvents", events("keys", "[[@]]")],
  ["l2", "l2_getEvents", events("from_block", '{"block_number":@}')],
  ["l2", "l2_getEvents", events("from_block", '{"block_hash":@}')],
]

const SIZE = 500_000
const times = (text: string, size = SIZE) => text.repeat(Math.ceil(size / text.length))
const list = (item: string, size = SIZE) => `[${times(`${item},`, size)}${item}]`

/** What takes a square of its length if anything does. */
const values: Readonly<Record<string, string>> = {
  "hex digits": `"0x${times("1")}"`,
  zeros: `"0x${times("0")}"`,
  "zeros that end in another letter": `"0x${times("0")}g"`,
  "decimal digits": `"${times("1", 4_000_000)}"`,
  "digits of a number": times("1"),
  "digits of a fraction": `1.${times("1")}`,
  "an exponent": `1e${times("9")}`,
  "letters of base58": `"${times("z")}"`,
  "zeros of base58": `"${times("1")}"`,
  spaces: `"${times(" ")}x"`,
  "dashes and digits": `"${times("1-")}"`,
  "control characters": `"${times("\\u0001")}"`,
  "halves of characters": `"${times("\\ud800")}"`,
  hashes: list(`"0x${"1".repeat(64)}"`),
  numbers: list("1"),
  "empty lists": list("[]"),
  "empty objects": list("{}"),
  "lists of lists": list(list("1", 500)),
  "lists inside each other": times("[", 900) + times("]", 900),
  "objects inside each other": times('{"a":', 4_500) + "1" + times("}", 900),
  "many members": `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
  "a long name": `{"${times("k")}":1}`,
  "names of an object's own": '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
}

const post = (network: string, body: string) =>
  Effect.runPromise(gateway.handle({ network, key: "local", now: noon, body }))

const spentMillis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

describe("hostile params", () => {
  it.each(places)("on %s of %s as %s are answered soon and briefly", async (network, method, params) => {
    await post(network, "[]")
    for (const [what, value] of Object.entries(values)) {
      const began = spentMillis()
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params.replace("@", () => value)}}`
      const reply = await post(network, body)
      expect([what, reply.body.length]).toEqual([what, expect.toSatisfy((length: number) => length < 4_000)])
      expect(Json.isObject(Json.parse(reply.body))).toBe(true)
      // What is linear takes a hundredth of it.
      expect([what, spentMillis() - began]).toEqual([what, expect.toSatisfy((millis: number) => millis < 2_000)])
    }
  })
  it("of any number of values are refused before they are looked at", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":${list("1", 200_000)}}]}`
    expect(Json.parse((await post("evm", body)).body)).toMatchObject({
      error: { code: -32602, message: "invalid params: more than 50000 values" },
    })
  })
})

describe("ids", () => {
  const check = (title: string, id: string, expected: Json.Json) =>
    it(title, async () => {
      const reply = await post("evm", `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)
      expect(Json.parse(reply.body)).toMatchObject({ id: expected })
    })
  const refused = (title: string, id: string) =>
    it(title, async () => {
      const { body, status } = await post("evm", `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)
      expect([status, body]).toEqual([
        400,
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: id must have at most 256 characters"}}',
      ])
    })
  check("of 256 characters are repeated", `"${"x".repeat(256)}"`, "x".repeat(256))
  check("of 256 digits are repeated", "1".repeat(256), BigInt("1".repeat(256)))
  refused("of 257 characters are refused", `"${"x".repeat(257)}"`)
  refused("of 257 digits are refused", "1".repeat(257))
  refused("of 4,000,000 characters are refused", `"${times("x", 4_000_000)}"`)
  refused("of 4,000,000 digits are refused", times("1", 4_000_000))
  refused("of 4,000,000 digits after the point are refused", `1.${times("1", 4_000_000)}`)
})
