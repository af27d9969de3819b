import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { Json } from "@dotrpc/spec"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { Gateway, httpUpstream, type Upstream } from "../src/index.ts"
import { bodyOf, call, noon, post } from "./gatewayRequests.ts"
import { type Asked, withNode } from "./nodeServer.ts"

type Answer = (params: Json.Json) => Json.Json | { readonly code: number; readonly message: string }

/** A node with these methods, which remembers what it was asked. */
const nodeOf = (methods: Readonly<Record<string, Answer>>) => {
  const asked: Array<string> = []
  const upstream: Upstream = {
    call: (method, params) =>
      Effect.suspend(() => {
        asked.push(`${method} ${Json.stringify(params)}`)
        const answer = (methods[method] ?? notFound)(params)
        return isFault(answer) ? Effect.fail(answer) : Effect.succeed(answer)
      }),
  }
  return { asked, upstream }
}

const notFound: Answer = () => ({ code: -32601, message: "Method not found" })

const isFault = (answer: unknown): answer is { readonly code: number; readonly message: string } =>
  typeof answer === "object" && answer !== null && "code" in answer

const evm = (methods: Readonly<Record<string, Answer>>) => {
  const node = nodeOf(methods)
  return { ...node, gateway: Gateway.make({ upstreams: { evm: node.upstream, "evm-l2": node.upstream } }) }
}

const blockNumber = (params: Json.Json): Json.Json => (Json.isArray(params) ? (params[0] ?? null) : null)
const head = 0x400
const blocks: Answer = (params) => {
  const number = blockNumber(params)
  if (number === "pending") return { number: null }
  const resolved = number === "latest" ? head : Number(number)
  return resolved > head
    ? null
    : { number: `0x${resolved.toString(16)}`, full: Json.isArray(params) ? (params[1] ?? null) : null }
}

describe("eth_getLogs from a node", () => {
  it("goes through as received, digit for digit", async () => {
    const { asked, gateway } = evm({ eth_getLogs: () => [{ anything: 18446744073709551615n }] })
    const reply = await post(gateway, bodyOf("eth_getLogs", [{ fromBlock: "0x1", extra: 9007199254740993n }]))
    expect(reply.body).toBe('{"jsonrpc":"2.0","id":1,"result":[{"anything":18446744073709551615}]}')
    expect(reply.headers["x-credits-cost"]).toBe("255")
    expect(asked).toEqual(['eth_getLogs [{"fromBlock":"0x1","extra":9007199254740993}]'])
  })
  it("is limited to 10,000 results", async () => {
    const logs = (count: number) => evm({ eth_getLogs: () => Array.from({ length: count }, () => 1) }).gateway
    expect((await call(logs(10_000), "eth_getLogs", [{}])).result).toHaveLength(10_000)
    expect(await call(logs(10_001), "eth_getLogs", [{}])).toEqual({
      error: { code: -32005, message: "query returned more than 10000 results" },
    })
  })
  it("is limited to 5,000 params, and then the node is not asked", async () => {
    const { asked, gateway } = evm({ eth_getLogs: () => [] })
    const { error } = await call(gateway, "eth_getLogs", [{ address: Array.from({ length: 5_001 }, () => "0x") }])
    expect(error).toEqual({ code: -32602, message: "This query contains 5001 filters. The current limit is 5000." })
    expect(asked).toEqual([])
  })
  it.effect("is limited to 10 seconds", () =>
    Effect.gen(function* () {
      const gateway = Gateway.make({ upstreams: { evm: { call: () => Effect.never } } })
      const request = { network: "evm", key: "local", now: noon, body: bodyOf("eth_getLogs", [{}]) }
      const running = yield* Effect.forkChild(gateway.handle(request))
      yield* TestClock.adjust("10 seconds")
      const { body } = yield* Fiber.join(running)
      expect(body).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query timeout exceeded"}}')
    }),
  )
  it("passes the node's own error through", async () => {
    const { gateway } = evm({ eth_getLogs: () => ({ code: -32000, message: "One of the blocks is odd" }) })
    const reply = await post(gateway, bodyOf("eth_getLogs", [{}]))
    expect([reply.status, reply.headers["x-credits-cost"]]).toEqual([200, "255"])
    expect(JSON.parse(reply.body).error).toEqual({ code: -32000, message: "One of the blocks is odd" })
  })
})

describe("eth_getBlockRange from a node", () => {
  const range = async (methods: Readonly<Record<string, Answer>>, params: Json.Json) => {
    const { asked, gateway } = evm(methods)
    return { asked, reply: await call(gateway, "eth_getBlockRange", params) }
  }
  it("is the node's own where it has the method", async () => {
    const { asked, reply } = await range({ eth_getBlockRange: () => ["its own"] }, ["0x1", "0x2", true])
    expect(reply).toEqual({ result: ["its own"] })
    expect(asked).toEqual(['eth_getBlockRange ["0x1","0x2",true]'])
  })
  it("is put together block by block where it has not", async () => {
    const { asked, reply } = await range({ eth_getBlockByNumber: blocks }, ["0xf", "0x11", true])
    expect(reply).toEqual({
      result: [
        { number: "0xf", full: true },
        { number: "0x10", full: true },
        { number: "0x11", full: true },
      ],
    })
    expect(asked).toHaveLength(4)
  })
  it.each([-32601, -32004])("asks once for the method that %i says is missing", async (code) => {
    const { asked, gateway } = evm({
      eth_getBlockByNumber: blocks,
      eth_getBlockRange: () => ({ code, message: "no such method" }),
    })
    await call(gateway, "eth_getBlockRange", ["0x1", "0x1", false])
    await call(gateway, "eth_getBlockRange", ["0x1", "0x1", false])
    expect(asked.filter((line) => line.startsWith("eth_getBlockRange"))).toHaveLength(1)
  })
  it("is given up once the blocks are too large together", async () => {
    const extra = "x".repeat(4_000_000)
    const { asked, reply } = await range({ eth_getBlockByNumber: () => ({ extra }) }, ["0x1", "0x64", true])
    expect(reply).toMatchObject({ error: { code: -32003 } })
    // 64 MiB hold 16 of them, and eight are asked for at a time.
    expect(asked.length).toBeLessThan(30)
  })
  it("ends in the pending block", async () => {
    const { reply } = await range({ eth_getBlockByNumber: blocks }, ["latest", "pending", false])
    expect(reply).toEqual({ result: [{ number: "0x400", full: false }, { number: null }] })
  })
  const refused = (title: string, params: Json.Json, message: string) =>
    it(title, async () => {
      const { reply } = await range({ eth_getBlockByNumber: blocks }, params)
      expect(reply).toEqual({ error: { code: -32602, message } })
    })
  refused(
    "refuses 1,001 blocks",
    ["0x0", "0x3e8", false],
    "requested block range is too large (max is 1000, requested 1001)",
  )
  refused(
    "refuses 1,001 blocks up to a tag",
    ["0x18", "latest", false],
    "requested block range is too large (max is 1000, requested 1001)",
  )
  refused(
    "refuses a start after the end",
    ["0x2", "0x1", false],
    "start of block range (2) is greater than end of block range (1)",
  )
  refused(
    "refuses an end that does not exist",
    ["0x400", "0x401", false],
    "end of requested block range (1025) does not exist",
  )
  refused("refuses params without the flag", ["0x1", "0x2"], "missing value for required argument 2")
})

describe("the other methods from a node", () => {
  it("storage is padded to 32 bytes", async () => {
    const { gateway } = evm({ eth_getStorageAt: () => "0x5" })
    expect(await call(gateway, "eth_getStorageAt", ["0x", "0x0", "latest"])).toEqual({
      result: `0x${"5".padStart(64, "0")}`,
    })
  })
  it("chain queries and receipts go through", async () => {
    const { gateway } = evm({
      eth_chainId: () => "0x1",
      net_version: () => "1",
      eth_blockNumber: () => "0x400",
      eth_getTransactionReceipt: () => null,
    })
    for (const [method, result] of Object.entries({ eth_chainId: "0x1", net_version: "1", eth_blockNumber: "0x400" }))
      expect(await call(gateway, method, [])).toEqual({ result })
    expect(await call(gateway, "eth_getTransactionReceipt", ["0x"])).toEqual({ result: null })
  })
  it("the network of 128 blocks keeps its limits", async () => {
    const { gateway } = evm({
      eth_blockNumber: () => "0x400",
      eth_getLogs: () => [],
      eth_getStorageAt: () => "0x0",
      eth_getTransactionReceipt: () => ({ blockNumber: "0x380" }),
    })
    const ask = { network: "evm-l2" }
    expect(await call(gateway, "eth_getLogs", [{ fromBlock: "0x381" }], ask)).toEqual({ result: [] })
    const archive = { error: { code: -32000, message: expect.stringContaining("from 0x381 on") } }
    expect(await call(gateway, "eth_getLogs", [{ fromBlock: "0x380" }], ask)).toEqual(archive)
    expect(await call(gateway, "eth_getStorageAt", ["0x", "0x0", "earliest"], ask)).toEqual(archive)
    expect(await call(gateway, "eth_getTransactionReceipt", ["0x"], ask)).toEqual(archive)
    expect(await call(gateway, "eth_getLogs", [{ toBlock: "safe" }], ask)).toMatchObject({ error: { code: -32602 } })
  })
  it("events are asked for under the caller's own word", async () => {
    const { asked, upstream } = nodeOf({ starknet_getEvents: () => ({ events: [] }) })
    const gateway = Gateway.make({ upstreams: { l2: upstream } })
    const reply = await post(gateway, bodyOf("starknet_getEvents", { filter: {} }), { network: "l2" })
    expect([reply.body, reply.headers["x-credits-cost"]]).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"events":[]}}',
      "80",
    ])
    expect(asked).toEqual(['starknet_getEvents {"filter":{}}'])
  })
})

describe("a node over HTTP", () => {
  const ask = (address: string) => Effect.runPromise(Effect.result(httpUpstream(address).call("eth_chainId", [])))

  it("is posted to exactly as its address was given", () => {
    const bodies: Array<string> = []
    const reply = ({ body, url }: Asked, response: ServerResponse) => {
      bodies.push(`${url} ${body}`)
      response.end('{"jsonrpc":"2.0","id":1,"result":18446744073709551615}')
    }
    return withNode(reply, async (address) => {
      expect(await ask(address)).toEqual(Result.succeed(18446744073709551615n))
      expect(bodies).toEqual(['/v3/secret-of-the-node {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'])
    })
  })
  it("has its errors passed on, without its address", () =>
    withNode(
      (_, response) =>
        response.end(
          '{"error":{"code":-32000,"message":"no project secret-of-the-node","data":["secret-of-the-node"]}}',
        ),
      async (address) => {
        expect(await ask(address)).toEqual(Result.fail({ code: -32000, message: "no project •••", data: ["•••"] }))
      },
    ))
  for (const [title, body] of [
    ["HTML", "<html>"],
    ["an array", "[]"],
    ["an object of its own", '{"ok":true}'],
  ] as const)
    it(`that answers with ${title} is a bad gateway`, () =>
      withNode(
        (_, response) => response.end(body),
        async (address) => {
          expect(await ask(address)).toMatchObject({ failure: { code: -32603, status: 502 } })
        },
      ))
  it("that is gone is a bad gateway, charged nothing, and its address is not shown", async () => {
    let gone = ""
    await withNode(
      (_, response) => response.end(),
      async (address) => {
        gone = address
      },
    )
    const gateway = Gateway.make({ upstreams: { evm: httpUpstream(gone) } })
    const reply = await post(gateway, bodyOf("eth_chainId"))
    expect(reply).toEqual({
      status: 502,
      headers: { "content-type": "application/json", "x-credits-cost": "0", "x-credits-remaining": "3000000" },
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the node behind this network did not answer"}}',
    })
  })
  describe("that is hostile", () => {
    /** What a gateway says of a node that answers in this way, and how often nodes were asked. */
    const answerOf = async (respond: (response: ServerResponse, own: string) => void) => {
      const asked: Array<string> = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? "")
        response.on("error", () => {})
        request.resume()
        respond(response, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const upstream = httpUpstream(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/secret-of-the-node`,
        {
          replyLimit: 100_000,
        },
      )
      const reply = await Effect.runPromise(Effect.result(upstream.call("eth_chainId", [])))
      server.closeAllConnections()
      server.close()
      return { asked, said: Result.isFailure(reply) ? reply.failure.message : reply.success }
    }
    const result = '{"id":1,"result":"0x1"}'
    const check = (title: string, respond: (response: ServerResponse, own: string) => void, said: string) =>
      it(title, async () => {
        expect(await answerOf(respond)).toEqual({ asked: ["/v3/secret-of-the-node"], said })
      })
    for (const status of [301, 302, 303, 307, 308])
      check(
        `by a redirect with ${status} is not followed`,
        (response, own) => response.writeHead(status, { location: `${own}/elsewhere` }).end(result),
        "the node behind this network answered with a redirect, which is not followed",
      )
    const endless = (response: ServerResponse) => {
      const piece = Buffer.alloc(10_000, "x")
      const write = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on("drain", write)
      write()
    }
    const oversized = "the reply of the node behind this network is too large"
    check("by a reply without an end is not read on", endless, oversized)
    check(
      "by a small reply that becomes a large one is not read on",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000))),
      oversized,
    )
    check(
      "by an encoding that was not asked for is not read",
      (response) => response.writeHead(200, { "content-encoding": "zstd" }).end(result),
      "the node behind this network answered with something that is not JSON-RPC",
    )
    check(
      "by nesting without an end is not read",
      (response) => response.end(`{"id":1,"result":${"[".repeat(40_000)}${"]".repeat(40_000)}}`),
      "the node behind this network answered with something that is not JSON-RPC",
    )
    check(
      "by compressing an honest reply is read",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(result)),
      "0x1",
    )
  })
  describe("answers several at a time", () => {
    const size = 900
    const reply = (id: number, length: number) => {
      const head = `{"id":${id},"result":"`
      return `${head}${"x".repeat(length - head.length - 2)}"}`
    }
    it("each up to the limit, and none beyond it", () =>
      withNode(
        ({ id }, response) => response.end(reply(id, id === 1 ? 1_000 : 1_001)),
        async (address) => {
          const { call } = httpUpstream(address, { replyLimit: 1_000 })
          const [fits, exceeds] = [await ask(call), await ask(call)]
          expect([Result.isSuccess(fits), Result.isFailure(exceeds) && exceeds.failure.message]).toEqual([
            true,
            "the reply of the node behind this network is too large",
          ])
        },
      ))
    it("all of them up to four times the limit, again and again", () => {
      const open: Array<() => void> = []
      return withNode(
        ({ id }, response) => {
          const text = reply(id, size)
          response.write(text.slice(0, -1))
          open.push(() => response.end(text.slice(-1)))
        },
        async (address) => {
          const { call } = httpUpstream(address, { replyLimit: 1_000 })
          for (let time = 0; time < 2; time++) {
            const asked = Array.from({ length: 5 }, () => ask(call))
            // The one that does not fit ends by itself; the others wait for their ends.
            expect(Result.isFailure(await Promise.race(asked))).toBe(true)
            for (const end of open.splice(0)) end()
            expect((await Promise.all(asked)).filter(Result.isSuccess)).toHaveLength(4)
          }
        },
      )
    })
    const ask = (call: Upstream["call"]) => Effect.runPromise(Effect.result(call("eth_chainId", [])))
  })
  it("must have an http address", () => {
    expect(() => httpUpstream("ws://127.0.0.1:8545")).toThrow("An upstream must be an http:// or https:// URL.")
  })
})
