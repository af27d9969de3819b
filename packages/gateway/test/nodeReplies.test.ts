/** What a node repeats, and how much of it callers of the gateway get. */
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, Json, Transport } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { vi } from "vitest"
import { EmbeddedGateway, Gateway, httpUpstream } from "../src/index.ts"
import { bodyOf, noon, post } from "./gatewayRequests.ts"
import { withNode } from "./nodeServer.ts"

const privateValue = "Pr1vate-Value-9x"

const gatewayOf = (address: string) => {
  const node = httpUpstream(address, { secrets: [Redacted.make(privateValue)] })
  return Gateway.make({ upstreams: { evm: node, "evm-l2": node, accounts: node, l2: node } })
}

describe("a key of a node", () => {
  /** Ways in which a node may say it, and what each looks like. */
  const disguises: Readonly<Record<string, (text: string) => string>> = {
    plain: (text) => text,
    "capital letters": (text) => text.toUpperCase(),
    base64: (text) => Buffer.from(text).toString("base64"),
    hex: (text) => `0x${Buffer.from(text).toString("hex")}`,
    percent: (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&"),
    "a part of a sentence": (text) => `no such project ${text}!`,
  }
  const places: Readonly<Record<string, (text: string) => Json.Json>> = {
    "a text": (text) => text,
    "a list of objects": (text) => [{ a: 1 }, { blockNumber: "0x1", words: [text] }],
    "the name of a member": (text) => ({ [text]: 1 }),
  }
  const methods = [
    ["evm", "eth_getStorageAt", ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "latest"]],
    ["evm", "eth_getLogs", [{}]],
    ["evm", "eth_getBlockRange", ["0x1", "0x2", false]],
    ["evm", "eth_getTransactionReceipt", ["0x1"]],
    ["evm", "eth_chainId", []],
    ["accounts", "getTokenAccountsByDelegate", []],
    ["l2", "starknet_getEvents", []],
  ] as const
  const member = fc.constantFrom("result", "error" as const)

  it("reaches no caller, whatever method, place and disguise it comes in, by a POST or a message", async () => {
    let said = ""
    await withNode(
      ({ id }, response) => response.end(`{"jsonrpc":"2.0","id":${id},${said}}`),
      async (address) => {
        const gateway = gatewayOf(address)
        const keys = fc.constantFrom("secret-of-the-node", address, new URL(address).host, privateValue)
        const arbitrary = fc.record({
          key: keys,
          disguise: fc.constantFrom(...Object.keys(disguises)),
          place: fc.constantFrom(...Object.keys(places)),
          method: fc.constantFrom(...methods),
          member,
        })
        await fc.assert(
          fc.asyncProperty(arbitrary, async ({ disguise, key, member: as, method, place }) => {
            const text = disguises[disguise]?.(key) ?? key
            const value = places[place]?.(text) ?? text
            said = Json.stringify({
              [as]: as === "result" ? value : { code: -32000, message: text, data: value },
            }).slice(1, -1)
            const [network, name, params] = method
            const body = bodyOf(name, params as Json.Json)
            const reply = await post(gateway, body, { network })
            const message = await Effect.runPromise(gateway.handleMessage({ network, key: "local", now: noon, body }))
            for (const sent of [reply.body, message ?? ""]) {
              expect(sent).toContain("•••")
              expect(sent.toLowerCase()).not.toContain(text.toLowerCase())
            }
          }),
        )
      },
    )
  })
  it("changes nothing of a reply that does not hold it", () =>
    withNode(
      ({ id }, response) => response.end(`{"jsonrpc":"2.0","id":${id},"result":[1e400,18446744073709551615,"node"]}`),
      async (address) => {
        const { body } = await post(gatewayOf(address), bodyOf("eth_getLogs", [{}]))
        expect(body).toBe('{"jsonrpc":"2.0","id":1,"result":[1e400,18446744073709551615,"node"]}')
      },
    ))
})

describe("a reply of a node", () => {
  const bad = { status: 502, cost: "0", code: -32603 }
  const check = (what: string, members: string, expected: Readonly<Record<string, unknown>>, status = 200) =>
    it(what, () =>
      withNode(
        ({ id }, response) => {
          response.statusCode = status
          response.end(`{"jsonrpc":"2.0"${members.replace("ID", String(id))}}`)
        },
        async (address) => {
          const reply = await post(gatewayOf(address), bodyOf("eth_chainId"))
          const said = Json.parse(reply.body)
          const { error, result } = Json.isObject(said) ? said : {}
          expect({
            status: reply.status,
            cost: reply.headers["x-credits-cost"],
            ...(Json.isObject(error) ? { code: error.code } : { result }),
          }).toEqual(expected)
        },
      ),
    )
  const good = { status: 200, cost: "5" }
  check("that answers the request is passed on", ',"id":ID,"result":"0x1"', { ...good, result: "0x1" })
  check("that answers another request is bad", ',"id":77777,"result":"0x1"', bad)
  check("that answers no request is bad", ',"result":"0x1"', bad)
  check("whose id is a text is bad", ',"id":"ID","result":"0x1"', bad)
  check("with a result and an error is bad", ',"id":ID,"result":"0x1","error":{"code":1,"message":"x"}', bad)
  check("with no error beside its result is passed on", ',"id":ID,"result":"0x1","error":null', {
    ...good,
    result: "0x1",
  })
  check("with no result beside its error is passed on", ',"id":ID,"result":null,"error":{"code":7,"message":"x"}', {
    ...good,
    code: 7,
  })
  check("with neither is bad", ',"id":ID', bad)
  check("with an error that is a text is bad", ',"id":ID,"error":"x"', bad)
  check("whose error has a fraction as its code is bad", ',"id":ID,"error":{"code":-32600.5,"message":"x"}', bad)
  check("whose error has an endless code is bad", ',"id":ID,"error":{"code":1e400,"message":"x"}', bad)
  check("whose error answers another request is bad", ',"id":77777,"error":{"code":1,"message":"x"}', bad)
  check("whose error could not know the request is passed on", ',"id":null,"error":{"code":1,"message":"x"}', {
    ...good,
    code: 1,
  })
  check("with a result and the status of a failure is bad", ',"id":ID,"result":"0x1"', bad, 500)
  check(
    "with an error and the status of a failure is passed on",
    ',"id":ID,"error":{"code":1,"message":"x"}',
    { ...good, code: 1 },
    500,
  )
})

describe("a reply that is long", () => {
  const long = Array.from({ length: 10_000 }, (_, index) => Array.from({ length: 100 }, () => 10_000 + index))
  /** How often others had their turn while something ran. */
  const turnsDuring = async (running: Promise<unknown>) => {
    let turns = 0
    const beat = () => {
      turns += 1
      next = setImmediate(beat)
    }
    let next = setImmediate(beat)
    await running
    clearImmediate(next)
    return turns
  }
  it("is read from a node while others are answered, and means the same", async () => {
    const body = Json.stringify({ jsonrpc: "2.0", id: 1, result: [...long, "secret-of-the-node"] })
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response(body)))
    const node = httpUpstream("http://node.example/v3/secret-of-the-node")
    const reading = Effect.runPromise(node.call("eth_getLogs", []))
    expect(await turnsDuring(reading)).toBeGreaterThan(5)
    expect(await reading).toEqual([...long, "•••"])
    fetched.mockRestore()
  })
  it("is read from the embedded gateway while others are answered", async () => {
    const gateway = Gateway.make({ upstreams: { evm: { call: () => Effect.succeed(long) } } })
    const transport = EmbeddedGateway.layerOf(gateway).pipe(
      Layer.provide(Layer.succeed(Transport, { send: () => Effect.never })),
    )
    const [network = defineNetwork({ id: "none", plugin: "none" })] = EmbeddedGateway.networks
    const request = { method: Evm.GetLogs, network, params: [{}] }
    const reading = Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Transport, ({ send }) => send(request)),
        transport,
      ),
    )
    expect(await turnsDuring(reading)).toBeGreaterThan(5)
    expect(await reading).toMatchObject({ result: long })
  })
})
