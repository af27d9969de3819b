/** Peers that are broken or are hostile: whatever they send, and wherever they stop, the server keeps answering others. */
import { runs } from "@dotrpc/vitest/depth"
import { createHash, randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { type Answering, serve, serveAnswers, type ServeOptions } from "../../src/server/Server.ts"
import { emptyChain } from "../emptyChain.ts"
import { bodyOf } from "../gatewayRequests.ts"
import { answering } from "./answers.ts"
import { exchange, request } from "./rawPeer.ts"

const chain = emptyChain()
const body = bodyOf("eth_chainId")

/** A test with a server of its own, which must still answer when it is over. */
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
      const reply = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/healthz`))
      expect(yield* Effect.promise(() => reply.json())).toEqual({ status: "ok" })
    }).pipe(Effect.scoped),
  )

const post = (port: number, text = body) =>
  request(
    port,
    "POST /evm/v3/local",
    { "content-type": "application/json", "content-length": String(text.length) },
    text,
  )

const upgrade = (port: number, headers: Readonly<Record<string, string>> = {}, path = "/evm/ws/v3/local") =>
  request(port, `GET ${path}`, {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    ...headers,
  })

/** One frame of a client, masked with zeros. */
const frame = (first: number, payload: Uint8Array | string, length?: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.from(payload)
  const size = length ?? (bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff])
  const [head = 0, ...rest] = size
  return Buffer.concat([Buffer.from([first, 0x80 | head, ...rest, 0, 0, 0, 0]), bytes])
}

const text = (payload: string) => frame(0x81, payload)

describe("a connection that is cut", () => {
  for (const [what, bytes] of [
    ["an upgrade", upgrade],
    ["an upgrade with a wrong key", (port: number) => upgrade(port, {}, "/evm/ws/v3/wrong")],
    ["an upgrade to nothing", (port: number) => upgrade(port, {}, "/nothing")],
    ["a call", post],
    [
      "a call that says it is longer",
      (port: number) => post(port).replace(/content-length: \d+/, "content-length: 9999"),
    ],
  ] as const)
    for (const ending of ["reset", "end"] as const)
      served(`at every byte of ${what} by a ${ending} leaves the server as it was`, {}, async (port) => {
        const whole = bytes(port)
        const cuts = Array.from({ length: whole.length + 1 }, (_, at) => whole.slice(0, at))
        for (let at = 0; at < cuts.length; at += 50)
          await Promise.all(cuts.slice(at, at + 50).map((part) => exchange(port, part === "" ? [] : [part], ending)))
      })
  served("at every byte of a conversation over a WebSocket leaves the server as it was", {}, async (port) => {
    const whole = Buffer.concat([Buffer.from(upgrade(port)), text(body), frame(0x89, "ping"), frame(0x88, "")])
    for (let at = 1; at <= whole.length; at += 3)
      await Promise.all((["reset", "end"] as const).map((ending) => exchange(port, [whole.subarray(0, at)], ending)))
  })
})

describe("a request that no client would send", () => {
  const check = (title: string, of: (port: number) => string | Uint8Array, statuses: ReadonlyArray<number>) =>
    served(`${title} gets ${statuses.length === 0 ? "no reply" : statuses.join(", ")}`, {}, async (port) => {
      expect((await exchange(port, [of(port)], "end")).statuses).toEqual(statuses)
    })
  check("that is garbage", () => "\u0000\u0001\u0002 garbage\r\n\r\n", [400])
  check("of another protocol", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400])
  check("of TLS", () => Buffer.from("16030100f8010000f40303", "hex"), [400])
  check("for a tunnel", () => "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n", [])
  check(
    "for another server",
    (port) => request(port, "GET http://evil.example/healthz", { connection: "close" }),
    [404],
  )
  check("without a host", () => "GET /healthz HTTP/1.1\r\n\r\n", [400])
  check("without a host in an old version", () => "GET /healthz HTTP/1.0\r\n\r\n", [403])
  check("with a head of a megabyte", (port) => request(port, "GET /healthz", { x: "a".repeat(1_000_000) }), [431])
  check("with an address of a megabyte", (port) => request(port, `GET /${"/".repeat(1_000_000)}`), [431])
  check("with a method of its own", (port) => request(port, "SPEND /evm/v3/local"), [400])
  check(
    "with two lengths",
    (port) => post(port).replace("content-length: ", "content-length: 1\r\ncontent-length: "),
    [400],
  )
  check(
    "with a length and chunks",
    (port) => post(port).replace("content-length", "transfer-encoding: chunked\r\ncontent-length"),
    [400],
  )
  check(
    "with chunks that are not chunks",
    (port) => post(port, "zz\r\n").replace(/content-length: \d+/, "transfer-encoding: chunked"),
    [400],
  )
  check("that expects the impossible", (port) => post(port).replace("\r\n\r\n", "\r\nexpect: wonders\r\n\r\n"), [417])
  check(
    "that asks first",
    (port) => post(port).replace("\r\n\r\n", "\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n"),
    [100, 200],
  )
  check(
    "with a key that is badly encoded",
    (port) => request(port, "GET /evm/v3/%ff%zz%/credits", { connection: "close" }),
    [401],
  )
  check("to upgrade to another protocol", (port) => upgrade(port, { upgrade: "h2c" }), [400])
  check("to upgrade without a key of the handshake", (port) => upgrade(port, { "sec-websocket-key": "x" }), [400])
  check("to upgrade to an older version", (port) => upgrade(port, { "sec-websocket-version": "7" }), [400])
  check("to upgrade by another method", (port) => upgrade(port).replace("GET", "POST"), [405])

  served("in many on one connection gets every reply in order", {}, async (port) => {
    const many = Array.from({ length: 300 }, (_, id) => post(port, bodyOf("eth_chainId", [], id)))
    const { text } = await exchange(port, [many.join("")], "end")
    const ids = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 300 }, (_, id) => id))
  })
  served("in chunks of one byte is read", {}, async (port) => {
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join("")
    const head = post(port, "").replace(/content-length: \d+/, "transfer-encoding: chunked\r\nconnection: close")
    expect((await exchange(port, [`${head}${chunks}0\r\n\r\n`])).statuses).toEqual([200])
  })
})

describe("frames that no client would send", () => {
  /** The code a connection is closed with. */
  const check = (
    title: string,
    frames: ReadonlyArray<Uint8Array>,
    code: number | undefined,
    options: ServeOptions = {},
  ) =>
    served(title, options, async (port) => {
      const { text } = await exchange(port, [upgrade(port), ...frames])
      const sent = Buffer.from(text.slice(text.indexOf("\r\n\r\n") + 4), "latin1")
      expect(sent[0] === 0x88 ? sent.readUInt16BE(2) : undefined).toBe(code)
    })
  check("with reserved bits are refused", [frame(0xf1, "x")], 1002)
  check("with a compressed message are refused", [frame(0xc1, "x")], 1002)
  check("of an unknown kind are refused", [frame(0x83, "x")], 1002)
  check("without a mask are refused", [Buffer.from([0x81, 0x01, 0x61])], 1002)
  check("that continue nothing are refused", [frame(0x80, "x")], 1002)
  check("that interrupt a message are refused", [frame(0x01, "x"), frame(0x01, "y")], 1002)
  check("of control in pieces are refused", [frame(0x09, "x")], 1002)
  check("of control that are too long are refused", [frame(0x89, "x".repeat(126))], 1002)
  check("that are not text are refused", [frame(0x81, new Uint8Array([0xff, 0xfe]))], 1007)
  check("that say they are huge are refused", [frame(0x81, "x", [127, 0, 0, 0xff, 0, 0, 0, 0, 0])], 1009)
  check("that say they are absurd are refused", [frame(0x81, "x", [127, 0xff, 0, 0, 0, 0, 0, 0, 0])], 1009)
  check("that are too long together are refused", [frame(0x01, "x".repeat(60)), frame(0x00, "x".repeat(60))], 1009, {
    bodyLimit: 100,
  })
  check(
    "of many empty pieces are refused",
    [frame(0x01, "x"), Buffer.concat(Array.from({ length: 400_000 }, () => frame(0x00, "")))],
    1008,
  )

  served("of a message that does not end take no more room than there is", { memoryLimit: 150_000 }, async (port) => {
    const part = "x".repeat(60_000)
    const { text } = await exchange(port, [upgrade(port), frame(0x01, part), frame(0x00, part), frame(0x00, part)])
    expect(text).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\n$/)
  })
  served("are never compressed, whatever is offered", {}, async (port) => {
    const offer = { "sec-websocket-extensions": "permessage-deflate; client_max_window_bits" }
    const { text } = await exchange(port, [upgrade(port, offer)], "end")
    expect(text.toLowerCase()).not.toContain("sec-websocket-extensions")
    expect(text).toMatch(/^HTTP\/1\.1 101 /)
  })
})

describe("a message in any pieces", () => {
  served("is answered as one in a single piece", {}, async (port) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: body.length - 1 }), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), body.length]
        const pieces = places.slice(1).map((end, index) => body.slice(places[index], end))
        const frames = pieces.map((piece, index) =>
          frame((index === pieces.length - 1 ? 0x80 : 0) | (index === 0 ? 1 : 0), piece),
        )
        const { text } = await exchange(port, [upgrade(port), ...frames, frame(0x88, Buffer.from([0x03, 0xe8]))])
        expect(text).toContain('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}')
      }),
      { numRuns: runs(30) },
    )
  })
})

describe("any bytes", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom(
      "GET / HTTP/1.1\r\n",
      "POST /evm/v3/local HTTP/1.1\r\n",
      "host: 127.0.0.1\r\n",
      "content-length: 10\r\n",
      "content-length: -1\r\n",
      "transfer-encoding: chunked\r\n",
      "connection: upgrade\r\n",
      "upgrade: websocket\r\n",
      "sec-websocket-version: 13\r\n",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
      "content-type: application/json\r\n",
      "\r\n",
      "ffffffffffffffffff\r\n",
      "[[[[",
    ),
    fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 60 })).map(([first, payload]) => frame(first, payload)),
  )
  served("leave the server as it was", {}, async (port) => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(piece, { maxLength: 10 }),
        fc.constantFrom("end" as const, "reset" as const),
        async (upgraded, pieces, ending) => {
          await exchange(port, upgraded ? [upgrade(port), ...pieces] : pieces, ending)
        },
      ),
      { numRuns: runs(400) },
    )
  })
})

/** A client that is connected over a WebSocket and then reads nothing. */
const deaf = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("error", () => {})
    socket.once("data", (data: Buffer) => {
      expect(data.toString()).toContain(
        createHash("sha1").update("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64"),
      )
      socket.pause()
      resolve(socket)
    })
    socket.write(upgrade(port, { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" }))
  })

describe("a client that does not read", () => {
  /** Sends many copies of a piece until the server reads no more; the bytes it took. */
  const flood = async (port: number, piece: Uint8Array): Promise<number> => {
    const socket = await deaf(port)
    for (let copy = 0; copy < 200; copy++) socket.write(piece)
    const taken = () => socket.bytesWritten - socket.writableLength
    let before = -1
    while (!socket.destroyed && taken() !== before) {
      before = taken()
      for (let time = 0; time < 20; time++) await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
    }
    socket.destroy()
    return before
  }
  const question = text(bodyOf("eth_getLogs", [{}]))
  /** A node whose replies are long. */
  const longReplies = () => {
    const node = { asked: 0 }
    const reply = "x".repeat(1_000_000)
    const call = () => Effect.sync(() => ((node.asked += 1), reply))
    return { node, answers: answering(call) }
  }
  const { answers, node } = longReplies()
  served("is answered no more than it could have been read by then", { answers }, async (port) => {
    const socket = await deaf(port)
    socket.write(Buffer.concat(Array.from({ length: 200 }, () => question)))
    await expect.poll(() => node.asked).toBeGreaterThan(0)
    for (let time = 0; time < 100; time++) await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
    expect(node.asked).toBeLessThan(40)
    socket.destroy()
  })
  served(
    "is disconnected, and one that has nothing to read is not",
    { answers: longReplies().answers, readMillis: 100, connectionLimit: 2 },
    async (port) => {
      const quiet = await deaf(port)
      const socket = await deaf(port)
      for (let copy = 0; copy < 20; copy++) socket.write(question)
      const isRoom = async () =>
        (await exchange(port, [request(port, "GET /healthz", { connection: "close" })])).statuses
      expect(await isRoom()).toEqual([])
      await expect.poll(isRoom).toEqual([200])
      const answered = new Promise((resolve) => quiet.once("data", resolve))
      quiet.resume()
      quiet.write(text(body))
      await answered
      quiet.destroy()
    },
  )
  const megabyte = (one: Buffer) => Buffer.concat(Array.from({ length: Math.ceil(1_000_000 / one.length) }, () => one))
  served("is cut off when it pings without end", {}, async (port) => {
    expect(await flood(port, megabyte(frame(0x89, "x".repeat(125))))).toBeLessThan(100_000_000)
  })
  served("is not read from when it asks without end", {}, async (port) => {
    expect(await flood(port, megabyte(text(bodyOf("eth_chainId", [], "x".repeat(80)))))).toBeLessThan(100_000_000)
  })
})
