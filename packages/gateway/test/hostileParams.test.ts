/** Params that are made to take long, or to be repeated at length: each is answered in few words. */
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { noon } from "./gatewayRequests.ts"
import { hostileValues, list, places } from "./hostileValues.ts"

const gateway = Gateway.make({ sample: { blocks: 20, logs: 50 } })

const post = (network: string, body: string) =>
  Effect.runPromise(gateway.handle({ network, key: "local", now: noon, body }))

const values = Object.entries(hostileValues(20_000))

describe("hostile params", () => {
  it.each(places)("on %s of %s as %s are answered briefly", async (network, method, params) => {
    for (const [what, value] of values) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params.replace("@", () => value)}}`
      const reply = await post(network, body)
      expect([what, reply.body.length]).toEqual([what, expect.toSatisfy((length: number) => length < 4_000)])
      expect(Json.isObject(Json.parse(reply.body))).toBe(true)
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
  refused("of 4,000,000 characters are refused", `"${"x".repeat(4_000_000)}"`)
  refused("of 4,000,000 digits are refused", "1".repeat(4_000_000))
  refused("of 4,000,000 digits after the point are refused", `1.${"1".repeat(4_000_000)}`)
})
