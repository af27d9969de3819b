import { createServer } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Logger, Scope } from "effect"
import { WebSocket } from "ws"
import { serve, serveAnswers, type ServeOptions } from "../../src/server/Server.ts"
import { emptyChain } from "../emptyChain.ts"
import { bodyOf } from "../gatewayRequests.ts"
import { answering } from "./answers.ts"

const chain = emptyChain()

/** A test with a server of its own, over real time and real sockets. */
const served = (title: string, options: ServeOptions, test: (base: string) => Promise<void>) =>
  it.live(title, () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ port: 0, chain, keys: ["local"], ...options })
      yield* Effect.promise(() => test(`http://127.0.0.1:${port}`))
    }).pipe(Effect.scoped),
  )

const post = (address: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(address, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

const chainId = bodyOf("eth_chainId")
const chainIdReply = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'

describe("calls over HTTP", () => {
  served("are answered with their credits", {}, async (base) => {
    const reply = await post(`${base}/evm/v3/local`, chainId)
    expect([reply.status, await reply.text()]).toEqual([200, chainIdReply])
    expect(reply.headers.get("content-type")).toBe("application/json")
    expect(reply.headers.get("x-credits-cost")).toBe("5")
    expect(reply.headers.get("x-credits-remaining")).toBe("2999995")
  })
  served("may be sent with a charset, a slash at the end, or an encoded key", { keys: ["a key"] }, async (base) => {
    for (const path of ["/evm/v3/a%20key", "/evm/v3/a%20key/", "/evm/v3/a%20key?x=1"])
      expect(
        await (await post(base + path, chainId, { "content-type": "Application/JSON; charset=utf-8" })).text(),
      ).toBe(chainIdReply)
  })
  served("are answered for every network", {}, async (base) => {
    for (const network of ["evm", "evm-l2", "accounts", "l2"])
      expect((await post(`${base}/${network}/v3/local`, "[]")).status).toBe(400)
  })
  served("beyond the body limit are refused", { bodyLimit: 100 }, async (base) => {
    const reply = await post(`${base}/evm/v3/local`, new Uint8Array(101).fill(32))
    expect([reply.status, await reply.text()]).toEqual([413, "the body is larger than 100 bytes"])
    const padded = chainId.padEnd(100)
    expect((await post(`${base}/evm/v3/local`, padded)).status).toBe(200)
  })
  served("of unknown length beyond the limit are refused", { bodyLimit: 100 }, async (base) => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(60).fill(32))
        controller.enqueue(new Uint8Array(60).fill(32))
        controller.close()
      },
    })
    const headers = { "content-type": "application/json" }
    const request: RequestInit & { readonly duplex: "half" } = { method: "POST", body, headers, duplex: "half" }
    expect((await fetch(`${base}/evm/v3/local`, request)).status).toBe(413)
  })
})

describe("what cannot be answered says why, without the key", () => {
  const check = (title: string, method: string, path: string, status: number, words: string) =>
    served(title, { keys: ["right"] }, async (base) => {
      const reply = await fetch(base + path, { method, ...(method === "POST" ? { body: chainId } : {}) })
      expect([reply.status, await reply.text()]).toEqual([status, words])
    })
  check("a wrong key", "POST", "/evm/v3/wr0ng-secret", 401, "invalid project id")
  check("a wrong key at the credits", "GET", "/evm/v3/wr0ng-secret/credits", 401, "invalid project id")
  check(
    "an unknown network",
    "POST",
    "/evn/v3/right",
    404,
    "unknown network; expected one of evm, evm-l2, accounts, l2",
  )
  check("no network", "POST", "/v3/right", 404, "not found: post to /NETWORK/v3/KEY")
  check("no key", "POST", "/evm/v3/", 404, "not found: post to /NETWORK/v3/KEY")
  check("another version", "POST", "/evm/v4/right", 404, "not found: post to /NETWORK/v3/KEY")
  check("a path that is badly encoded", "POST", "/evm/v3/%E0%A4%A", 401, "invalid project id")
  check("a GET of the calls", "GET", "/evm/v3/right", 405, "method not allowed: this route takes POST, OPTIONS")
  check(
    "a POST of the credits",
    "POST",
    "/evm/v3/right/credits",
    405,
    "method not allowed: this route takes GET, OPTIONS",
  )
  check("a GET of the socket", "GET", "/evm/ws/v3/right", 426, "this URL accepts only WebSocket connections")
})

describe("routes beside the calls", () => {
  served("report that the server lives", {}, async (base) => {
    const reply = await fetch(`${base}/healthz`)
    expect([reply.status, await reply.json()]).toEqual([200, { status: "ok" }])
  })
  served("report the balance", { daily: 1_000 }, async (base) => {
    await post(`${base}/evm/v3/local`, bodyOf("eth_getLogs", [{}]))
    const report = await (await fetch(`${base}/evm/v3/local/credits`)).json()
    expect(report).toEqual({
      daily: 1_000,
      spent: 255,
      remaining: 745,
      resetsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      byMethod: { eth_getLogs: 255 },
    })
  })
  served("report the counts", {}, async (base) => {
    await post(`${base}/evm/v3/local`, chainId)
    const reply = await fetch(`${base}/metrics`)
    expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    expect(await reply.text()).toContain(
      'dotrpc_gateway_requests_total{network="evm",method="eth_chainId",status="200"} 1',
    )
  })
})

describe("a WebSocket", () => {
  const connect = (base: string, path: string) => new WebSocket(`${base.replace("http", "ws")}${path}`)
  const next = (socket: WebSocket) =>
    new Promise<string>((resolve, reject) => {
      socket.once("message", (data: Buffer) => resolve(data.toString()))
      socket.once("error", reject)
    })
  const opened = (socket: WebSocket) => new Promise<void>((resolve) => socket.once("open", () => resolve()))

  served("answers messages, single and batch", {}, async (base) => {
    const socket = connect(base, "/evm/ws/v3/local")
    await opened(socket)
    socket.send(chainId)
    expect(await next(socket)).toBe(chainIdReply)
    socket.send(`[${chainId}]`)
    expect(await next(socket)).toBe(`[${chainIdReply}]`)
    socket.send("{")
    expect(JSON.parse(await next(socket))).toMatchObject({ id: null, error: { code: -32700 } })
    socket.close()
  })
  served("spends the same balance", { daily: 255 }, async (base) => {
    await post(`${base}/evm/v3/local`, bodyOf("eth_getLogs", [{}]))
    const socket = connect(base, "/evm/ws/v3/local")
    await opened(socket)
    socket.send(bodyOf("eth_getLogs", [{}], "x"))
    expect(JSON.parse(await next(socket))).toMatchObject({ id: "x", error: { code: 402 } })
    socket.close()
  })
  served("is refused for a wrong key or network", { keys: ["right"] }, async (base) => {
    for (const [path, status] of [
      ["/evm/ws/v3/wrong", 401],
      ["/evn/ws/v3/right", 404],
      ["/evm/v3/right", 404],
    ] as const) {
      const socket = connect(base, path)
      const refused = await new Promise<number | undefined>((resolve) => {
        socket.once("unexpected-response", (_, response) => resolve(response.statusCode))
        socket.once("error", () => {})
      })
      expect(refused).toBe(status)
      socket.terminate()
    }
  })
})

describe("starting", () => {
  it.live("on a port that is taken fails with what to do", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ port: 0, chain })
      const error = yield* Effect.flip(serve({ port, chain }))
      expect(error).toMatchObject({ reason: "port-in-use", code: "GW-1002" })
      expect(error.message).toBe(
        `port ${port} on 127.0.0.1 is in use: stop the program that listens there, or choose another port (0 takes any free one)`,
      )
    }).pipe(Effect.scoped),
  )
  it.live("for other machines needs a key", () =>
    Effect.gen(function* () {
      for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.com", "127.0.0.1.example.com"])
        for (const keys of [[], ["local"], ["given", "local"]])
          expect(yield* Effect.flip(serve({ host, port: 0, chain, keys }))).toMatchObject({ reason: "key-required" })
      const { networks } = yield* serve({ host: "0.0.0.0", port: 0, chain, keys: ["given"] })
      expect(networks).toEqual(["evm", "evm-l2", "accounts", "l2"])
    }).pipe(Effect.scoped),
  )
  it.live("without a key makes one that nobody can guess", () =>
    Effect.gen(function* () {
      const one = yield* serve({ port: 0, chain })
      const two = yield* serve({ port: 0, chain, keys: [] })
      expect(one.madeKey).toMatch(/^[\w-]{32}$/)
      expect(two.madeKey).not.toBe(one.madeKey)
      const statuses = [one.madeKey, two.madeKey, "local"].map((key) =>
        Effect.promise(() => post(`http://127.0.0.1:${one.port}/evm/v3/${key}`, chainId)),
      )
      expect((yield* Effect.all(statuses)).map(({ status }) => status)).toEqual([200, 401, 401])
    }).pipe(Effect.scoped),
  )
  const checkOption = (what: string, options: Parameters<typeof serve>[0], message: RegExp) =>
    it.live(`with ${what} fails`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(serve({ port: 0, ...options }))
        expect(error).toMatchObject({ reason: "bad-option", message: expect.stringMatching(message) })
      }).pipe(Effect.scoped),
    )
  checkOption(
    "a sample that cannot be made",
    { sample: { blocks: -1 } },
    /^the number of blocks must be a whole number/,
  )
  checkOption("a port that is not one", { port: 99_999 }, /^a port is a number from 0 to 65535, got 99999$/)
  checkOption("a negative balance", { daily: -5 }, /^daily must be a number of credits, zero or more; it is -5\.$/)
  checkOption(
    "replies that do not fit into its memory",
    { replyLimit: 1_000_000, memoryLimit: 3_000_000 },
    /^replyLimit and memoryLimit contradict each other: a reply of 1000000 characters does not fit into 2\.9 MiB\. Raise memoryLimit to at least 3226215, or lower replyLimit to at most 929308\.$/,
  )
  checkOption(
    "replies that do not fit into the usual memory",
    { replyLimit: 100_000_000 },
    /does not fit into 256 MiB\. Raise memoryLimit to at least 320026215/,
  )
  checkOption("no memory for a reply", { memoryLimit: 20_000 }, /^memoryLimit must be at least 26218 bytes/)
  checkOption(
    "no credits per second",
    { perSecond: 0 },
    /^perSecond must be a number of credits above zero; it is 0\.$/,
  )
  checkOption(
    "an origin that is not one",
    { allowOrigins: ["*"] },
    /^Expected an origin such as https:\/\/app\.example or/,
  )
  checkOption("an origin with a path", { allowOrigins: ["https://app.example/"] }, /without a path, got/)
  checkOption(
    "a host name that is not one",
    { hostNames: ["http://a"] },
    /^Expected a host name such as gateway\.example or/,
  )
  checkOption("an empty key", { keys: [""], host: "0.0.0.0" }, /^keys: an API key must not be empty\.$/)
  checkOption(
    "a Redis server whose address is not one",
    { redis: "http://127.0.0.1" },
    /Write the URL of a Redis server as redis:\/\/host:6379/,
  )
})

describe("a mistake of the gateway", () => {
  it.live("is reported in one line that steers no terminal, and the next call is answered", () => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
    return Effect.gen(function* () {
      let asked = 0
      const call = () =>
        asked++ < 2 ? Effect.die(new Error("\u001b[2J\n\u202eforged\u009b1m")) : Effect.succeed("0x1" as const)
      const port = yield* serveAnswers(answering(call), { port: 0 })
      const failed = yield* Effect.promise(() => post(`http://127.0.0.1:${port}/evm/v3/local`, chainId))
      expect([failed.status, yield* Effect.promise(() => failed.text())]).toEqual([500, "internal error"])
      const socket = new WebSocket(`ws://127.0.0.1:${port}/evm/ws/v3/local`)
      const closed = new Promise<number>((resolve) => socket.once("close", resolve))
      socket.once("open", () => socket.send(chainId))
      expect(yield* Effect.promise(() => closed)).toBe(1006)
      expect((yield* Effect.promise(() => post(`http://127.0.0.1:${port}/evm/v3/local`, chainId))).status).toBe(200)
      const said = "Error: ␛[2J␊\ufffdforged\ufffd1m; this is a bug in the gateway, please report it"
      expect(lines).toEqual([`a request could not be answered: ${said}`, `a message could not be answered: ${said}`])
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
})

describe("stopping", () => {
  /** A server with a node that answers on demand. */
  const slow = (stopMillis?: number) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const call = () =>
        Deferred.succeed(asked, undefined).pipe(Effect.andThen(Deferred.await(release)), Effect.as("0x1"))
      const port = yield* Scope.provide(serveAnswers(answering(call), { port: 0, stopMillis }), scope)
      return { scope, asked, release, address: `http://127.0.0.1:${port}/evm/v3/local`, port }
    })

  it.live("answers what is in flight, closes sockets, and frees the port", () =>
    Effect.gen(function* () {
      const { address, asked, port, release, scope } = yield* slow()
      const socket = new WebSocket(`ws://127.0.0.1:${port}/evm/ws/v3/local`)
      yield* Effect.promise(() => new Promise((resolve) => socket.once("open", resolve)))
      const closed = new Promise<number>((resolve) => socket.once("close", resolve))
      const pending = post(address, chainId)
      yield* Deferred.await(asked)
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Deferred.succeed(release, undefined)
      const reply = yield* Effect.promise(() => pending)
      expect([reply.status, yield* Effect.promise(() => reply.text())]).toEqual([
        200,
        '{"jsonrpc":"2.0","id":1,"result":"0x1"}',
      ])
      yield* Fiber.join(stopping)
      expect(yield* Effect.promise(() => closed)).toBe(1001)
      const again = createServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => again.listen(port, "127.0.0.1", () => resolve())))
      again.close()
    }),
  )
  it.live("cuts what does not end in time", () =>
    Effect.gen(function* () {
      const { address, asked, scope } = yield* slow(20)
      const pending = post(address, chainId).then(
        () => "answered",
        () => "cut",
      )
      yield* Deferred.await(asked)
      yield* Scope.close(scope, Exit.void)
      expect(yield* Effect.promise(() => pending)).toBe("cut")
    }),
  )
})
