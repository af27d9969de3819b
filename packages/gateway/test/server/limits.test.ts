/** What callers can take of a server: memory, connections, and time. */
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Scope } from "effect"
import fc from "fast-check"
import { WebSocket } from "ws"
import { generateChain } from "../../src/index.ts"
import { BYTES_PER_CHARACTER } from "../../src/methods/ReplyRoom.ts"
import { leastLimitFor, longestReplyWithin, makeBudget } from "../../src/server/Budget.ts"
import { type Answering, serve, serveAnswers, type ServeOptions } from "../../src/server/Server.ts"
import { emptyChain } from "../emptyChain.ts"
import { bodyOf } from "../gatewayRequests.ts"
import { answering } from "./answers.ts"
import { exchange, request } from "./rawPeer.ts"

const chain = emptyChain()

const served = (
  title: string,
  { answers, ...options }: ServeOptions & { readonly answers?: Answering },
  test: (port: number) => Promise<void>,
) =>
  it.live(title, () =>
    Effect.gen(function* () {
      const port =
        answers === undefined
          ? (yield* serve({ port: 0, chain, keys: ["local"], ...options })).port
          : yield* serveAnswers(answers, { port: 0, ...options })
      yield* Effect.promise(() => test(port))
    }).pipe(Effect.scoped),
  )

const post = (port: number, body: string) =>
  fetch(`http://127.0.0.1:${port}/evm/v3/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })

describe("the memory of everything in flight", () => {
  it("is never more than the limit and a share for each, and comes back whole", () => {
    const step = fc.record({ share: fc.nat(4), bytes: fc.nat(2_000), give: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const budget = makeBudget(100_000)
        const shares = Array.from({ length: 5 }, () => budget.share())
        for (const { bytes, give, share } of steps) {
          const before = budget.taken()
          if (give) shares[share]?.give(bytes)
          else expect(shares[share]?.take(bytes)).toBe(before + bytes <= 100_000)
          expect(budget.taken()).toBeLessThanOrEqual(100_000)
          expect(budget.taken()).toBeGreaterThanOrEqual(0)
        }
        for (const share of shares) share.close()
        for (const share of shares) share.close()
        expect(budget.taken()).toBe(0)
        expect(shares[0]?.take(1)).toBe(false)
      }),
    )
  })
  served(
    "is refused with 503 to a body that does not fit, and is there again after that",
    { memoryLimit: 100_000 },
    async (port) => {
      const large = bodyOf("eth_chainId", ["x".repeat(20_000)])
      for (let time = 0; time < 5; time++) {
        const refused = await post(port, large)
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"])
        await refused.text()
        const small = await post(port, bodyOf("eth_chainId"))
        expect(small.status).toBe(200)
        await small.text()
      }
    },
  )
})

describe("the longest reply that fits into a memory", () => {
  it("is given to a key, and one character more is not", () =>
    fc.assert(
      fc.property(fc.integer({ min: 30_000, max: 1_000_000_000 }), (limit) => {
        const longest = longestReplyWithin(limit)
        const takes = (characters: number) => {
          const share = makeBudget(limit).share()
          share.countFor("local")
          return share.take(characters * BYTES_PER_CHARACTER)
        }
        expect([takes(longest), takes(longest + 1)]).toEqual([true, false])
        expect(longestReplyWithin(leastLimitFor(longest))).toBe(longest)
        expect(leastLimitFor(longest)).toBeLessThanOrEqual(limit)
      }),
    ))
  served(
    "is the limit of a small gateway, which refuses a longer one for good instead of being busy forever",
    { memoryLimit: 100_000, chain: generateChain({ blocks: 20, logs: 400 }) },
    async (port) => {
      const response = await post(port, bodyOf("eth_getLogs", [{ fromBlock: "earliest" }]))
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("response too large")])
    },
  )
})

describe("a key", () => {
  it("leaves others a part of the memory, however many connections it has", () => {
    const budget = makeBudget(1_000_000)
    const greedy = Array.from({ length: 5 }, () => budget.share())
    for (const share of greedy) share.countFor("greedy")
    const taken = () => greedy.filter((share) => share.take(100_000)).length
    expect([taken(), taken()]).toEqual([5, 0])
    const other = budget.share()
    other.countFor("other")
    expect(other.take(300_000)).toBe(true)
    for (const share of greedy) share.close()
    expect(greedy[0]?.take(1)).toBe(false)
    const later = budget.share()
    later.countFor("greedy")
    expect(later.take(500_000)).toBe(true)
  })
  it("finds room for calls, however much others keep while they are connected", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(100_000))), (kept) => {
        const budget = makeBudget(1_000_000)
        const shares = Array.from({ length: 4 }, (_, index) => {
          const share = budget.share("kept")
          share.countFor(`key ${index}`)
          return share
        })
        for (const [index, bytes] of kept) shares[index]?.take(bytes)
        const call = budget.share()
        call.countFor("key 0")
        expect(call.take(450_000)).toBe(true)
        for (const share of [call, ...shares]) share.close()
        expect(budget.taken()).toBe(0)
      }),
    )
  })
})

describe("a body that nobody wants", () => {
  const head = (port: number, length: number, headers: Readonly<Record<string, string>> = {}) =>
    request(port, "POST /evm/v3/local", {
      "content-type": "application/json",
      "content-length": String(length),
      ...headers,
    })
  served("is refused by its length alone", { bodyLimit: 1_000 }, async (port) => {
    expect((await exchange(port, [head(port, 1_001)])).statuses).toEqual([413])
  })
  served("ends its connection, so that none of it is taken for a request", {}, async (port) => {
    const { statuses, text } = await exchange(port, [head(port, 100, { "content-type": "text/plain" })], "end")
    expect(statuses).toEqual([415])
    expect(text.toLowerCase()).toContain("connection: close")
  })
  served("is not read forever", { bodyLimit: 1_000 }, async (port) => {
    const megabyte = Buffer.alloc(1_000_000, " ")
    const socket = await opened(port, head(port, 1e12))
    for (let sent = 0; sent < 100; sent++) socket.write(megabyte)
    await new Promise<void>((resolve) => {
      socket.on("close", () => resolve())
      socket.on("drain", () => resolve())
    })
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(50_000_000)
    socket.destroy()
  })
})

describe("a client that does not read", () => {
  const reply = "x".repeat(30_000_000)
  const answers = answering(() => Effect.succeed(reply))
  served("its reply is disconnected", { answers, readMillis: 100, connectionLimit: 1 }, async (port) => {
    const body = bodyOf("eth_chainId")
    const headers = { "content-type": "application/json", "content-length": String(body.length) }
    const socket = await opened(port, request(port, "POST /evm/v3/local", headers, body))
    socket.pause()
    const isRoom = async () => (await exchange(port, [request(port, "GET /healthz", { connection: "close" })])).statuses
    expect(await isRoom()).toEqual([])
    await expect.poll(isRoom).toEqual([200])
    socket.destroy()
  })
})

describe("a client that is refused and stays", () => {
  served("is cut off", { readMillis: 100, connectionLimit: 1 }, async (port) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()))
    socket.on("error", () => {})
    socket.resume()
    socket.write(request(port, "GET /evm/ws/v3/wrong", { connection: "Upgrade", upgrade: "websocket" }))
    const isRoom = async () => (await exchange(port, [request(port, "GET /healthz", { connection: "close" })])).statuses
    await expect.poll(isRoom).toEqual([200])
    socket.destroy()
    await closed
  })
})

describe("a client that goes away", () => {
  it.live("lets go of what it asked for", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const letGo = yield* Deferred.make<void>()
      const call = () =>
        Effect.onInterrupt(Effect.andThen(Deferred.succeed(asked, undefined), Effect.never), () =>
          Deferred.succeed(letGo, undefined),
        )
      const port = yield* serveAnswers(answering(call), { port: 0 })
      const body = bodyOf("eth_chainId")
      const headers = { "content-type": "application/json", "content-length": String(body.length) }
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.write(request(port, "POST /evm/v3/local", headers, body))
      yield* Deferred.await(asked)
      socket.destroy()
      yield* Deferred.await(letGo)
    }).pipe(Effect.scoped),
  )
})

describe("a message over a WebSocket", () => {
  const upgrade = (port: number) =>
    request(port, "GET /evm/ws/v3/local", {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    })
  /** A frame with this text, masked with zeros. */
  const frame = (text: string) =>
    Buffer.concat([
      Buffer.from(text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0xfe, text.length >> 8, text.length & 0xff]),
      Buffer.alloc(4),
      Buffer.from(text),
    ])
  const bye = Buffer.from([0x88, 0x80, 0, 0, 0, 0])

  served("that does not fit is refused, and the next one is answered", { memoryLimit: 300_000 }, async (port) => {
    const long = bodyOf("eth_chainId", ["x".repeat(50_000)])
    const { text } = await exchange(port, [upgrade(port), frame(long), frame(bodyOf("eth_chainId")), bye])
    expect(text).toMatch(/"code":503,"message":"the gateway is busy/)
    expect(text).toContain('"result":"0x7a69"')
  })
  it.live("is answered after any number of notifications that waited with it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const call = (method: string) =>
        method === "eth_getLogs" ? Effect.as(Deferred.await(gate), "late") : Effect.succeed("soon")
      const port = yield* serveAnswers(answering(call), { port: 0 })
      const late = Array.from({ length: 16 }, () => frame(bodyOf("eth_getLogs", [{}])))
      const notifications = Array.from({ length: 1_500 }, () => frame('{"jsonrpc":"2.0","method":"a"}'))
      const all = Buffer.concat(
        [upgrade(port), ...late, ...notifications, frame(bodyOf("eth_chainId"))].map(Buffer.from),
      )
      const socket = connect(port, "127.0.0.1")
      let heard = ""
      socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")))
      socket.write(all)
      yield* Effect.promise(() => expect.poll(() => heard).toContain("101 Switching"))
      for (let time = 0; time < 20; time++)
        yield* Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).text())
      expect(heard).not.toContain("result")
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.promise(() => expect.poll(() => heard.match(/"result"/g)?.length).toBe(17))
      socket.destroy()
    }).pipe(Effect.scoped),
  )
})

describe("a WebSocket that is cut", () => {
  it.live("ends the calls that nobody waits for any more, and each gives its room back", () =>
    Effect.gen(function* () {
      const calls = { begun: 0, ended: 0 }
      const call = () =>
        Effect.suspend(() => {
          calls.begun++
          return Effect.onInterrupt(Effect.never, () => Effect.sync(() => void calls.ended++))
        })
      const port = yield* serveAnswers(answering(call), { port: 0 })
      for (let round = 1; round <= 3; round++) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/evm/ws/v3/local`)
        socket.on("open", () => {
          for (let id = 0; id < 16; id++) socket.send(bodyOf("eth_getLogs", [{}], id))
        })
        yield* Effect.promise(() => expect.poll(() => calls.begun).toBe(16 * round))
        socket.terminate()
        yield* Effect.promise(() => expect.poll(() => calls.ended).toBe(16 * round))
      }
    }).pipe(Effect.scoped),
  )
})

describe("a connection", () => {
  served("beyond the limit is closed at once", { connectionLimit: 1 }, async (port) => {
    const first = await opened(port)
    expect((await exchange(port, [request(port, "GET /healthz")])).statuses).toEqual([])
    first.destroy()
  })
  for (const [what, bytes] of [
    ["that says nothing", ""],
    ["that stops in its head", "POST /evm/v3/local HTTP/1.1\r\nhost: 127.0.0.1\r\nx"],
    [
      "that stops in its body",
      "POST /evm/v3/local HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
    ],
  ] as const)
    served(`${what} is closed after a while`, { idleMillis: 50 }, async (port) => {
      expect((await exchange(port, bytes === "" ? [] : [bytes])).statuses).not.toContain(200)
    })
})

const opened = (port: number, bytes = ""): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (bytes === "") resolve(socket)
      else socket.write(bytes)
    })
    socket.once("data", () => resolve(socket))
    socket.on("error", () => {})
  })

describe("a server that stops", () => {
  const upgrade = (port: number, path: string) =>
    request(port, `GET ${path}`, {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    })
  it.live("cuts every connection in the end, whatever it was", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      const call = () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      const port = yield* Scope.provide(serveAnswers(answering(call), { port: 0, stopMillis: 50 }), scope)
      const sockets = yield* Effect.promise(() =>
        Promise.all([
          opened(port),
          opened(port, upgrade(port, "/evm/ws/v3/local")),
          opened(port, upgrade(port, "/evm/ws/v3/wrong")),
        ]),
      )
      const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.on("close", () => resolve())))
      const pending = post(port, bodyOf("eth_chainId")).catch(() => "cut")
      yield* Deferred.await(asked)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => Promise.all(closed))
      expect(yield* Effect.promise(() => pending)).toBe("cut")
    }),
  )
})
