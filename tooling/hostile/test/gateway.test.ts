/** A gateway whose neighbours speak no HTTP, hang up in the middle, and ask for more than fits. */
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { recordFigure } from "../src/Figures.ts"
import { type Gateway, startGateway } from "../src/Gateway.ts"
import { makeProject, type Project } from "../src/Project.ts"

let project: Project
let gateway: Gateway
beforeAll(async () => {
  project = makeProject({})
  gateway = await startGateway([], project.place)
})
afterAll(async () => {
  await gateway.stop()
  project[Symbol.dispose]()
})

/** Sends bytes, waits for what comes back or for a second, and hangs up. */
const send = (bytes: Uint8Array | string, millis = 1_000): Promise<string> =>
  new Promise((resolve) => {
    let heard = ""
    const socket = connect(gateway.port, "127.0.0.1", () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      resolve(heard)
    }
    socket.setTimeout(millis, end)
    socket.on("data", (data) => {
      heard += data.toString("latin1").slice(0, 100_000 - heard.length)
    })
    socket.on("error", end).on("close", end)
  })

const post = (path: string, body: string, headers = ""): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\ncontent-type: application/json\r\nconnection: close\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

const survives = (name: string, attack: () => Promise<unknown>) =>
  it(`survives ${name}`, async () => {
    const before = gateway.running.seconds()
    await attack()
    expect(await gateway.answers()).toBe(true)
    expect(gateway.running.seconds() - before).toBeLessThan(20)
  })

describe("a neighbour without the key", () => {
  const check = (name: string, bytes: () => Uint8Array | string) => survives(name, () => send(bytes()))
  check("noise", () => Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7_919) % 256)))
  check("a TLS client", () => Buffer.from("16030100c8010000c40303", "hex"))
  check("HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
  check("a line without end", () => `GET /${"a".repeat(10_000_000)}`)
  check(
    "a path of 15 KB of slashes",
    () => `GET ${"/".repeat(15_000)} HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\n\r\n`,
  )
  check("slashes after the key", () => post(`/evm/v3/none${"/".repeat(15_000)}x`, call))
  check("a path that cannot be decoded", () => post("/%ff%/v3/%E0%A4%A", call))
  check("a network of every object", () => post("/__proto__/v3/constructor", call))
  check("a million header lines", () => `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(1_000_000)}`)
  check("no Host", () => "POST /evm/v3/local HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}")
  check("two Hosts", () => `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.example\r\n\r\n`)
  check("a proxy's request", () => `CONNECT evil.example:443 HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\n\r\n`)
  check("TRACE", () => `TRACE / HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nx-secret: a\r\n\r\n`)
  check("a length of a petabyte", () => post("/evm/v3/none", "", "content-length: 1000000000000000\r\n"))
  check("both a length and chunks", () => post("/evm/v3/none", "0\r\n\r\n", "transfer-encoding: chunked\r\n"))
  check("an upgrade to something else", () => upgrade("/evm/ws/v3/none").replace("websocket", "h2c"))
  survives("an upgrade that is cut anywhere", async () => {
    const whole = upgrade("/evm/ws/v3/none")
    for (let length = 0; length <= whole.length; length += 9) await send(whole.slice(0, length), 5)
  })
  survives("five hundred connections that say nothing", async () => {
    const sockets = Array.from({ length: 500 }, () => connect(gateway.port, "127.0.0.1").on("error", () => {}))
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve))),
    )
    expect(await gateway.answers()).toBe(true)
    for (const socket of sockets) socket.destroy()
  })
  it("has spent nothing", async () => expect(await gateway.spent()).toBe(0))
})

describe("a client with the key", () => {
  const path = () => `/evm/v3/${gateway.key}`
  const check = (name: string, body: () => string) => survives(name, () => send(post(path(), body()), 15_000))
  check("a batch of 110 KB of nothing", () => `[${"[],".repeat(36_000)}[]]`)
  check("a batch of a thousand times all logs", () => {
    const logs = '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x2ee"}]}'
    return `[${Array.from({ length: 1_000 }, () => logs).join(",")}]`
  })
  check("an id of 4 MB", () => call.replace("1,", `"${"i".repeat(4_000_000)}",`))
  check("an id of 4 million digits", () => call.replace('"id":1', `"id":${"7".repeat(4_000_000)}`))
  check("a batch in a batch, a million deep", () => "[".repeat(1_000_000) + "]".repeat(1_000_000))
  check("params a million deep", () => call.replace("[]", "[".repeat(1_000_000) + "]".repeat(1_000_000)))
  check("five million topics", () =>
    call.replace("eth_chainId", "eth_getLogs").replace("[]", `[{"topics":[[${"null,".repeat(900_000)}null]]}]`),
  )
  check("a method that every object has", () => call.replace("eth_chainId", "__proto__"))
  check("members that every object has", () => call.replace("[]", '{"__proto__":{"a":1},"constructor":1}'))
  check("half a character", () => call.replace("eth_chainId", "\ud800"))
  survives("a socket that is cut after every part of a frame", async () => {
    const frame = Buffer.concat([Buffer.from([0x81, 0xbb, 1, 2, 3, 4]), Buffer.from(call)])
    for (let length = 0; length <= frame.length; length += 4)
      await send(Buffer.concat([Buffer.from(upgrade(`/evm/ws/v3/${gateway.key}`)), frame.subarray(0, length)]), 20)
  })
  survives("frames of an exabyte, without masks, of no kind", async () => {
    for (const frame of ["81ff1000000000000000", "8105aaaaaaaaaa", "ffffffffffff", "8900890089008900", "01000100"])
      await send(Buffer.concat([Buffer.from(upgrade(`/evm/ws/v3/${gateway.key}`)), Buffer.from(frame, "hex")]), 100)
  })
})

it("stops when it is asked, with memory to spare", async () => {
  const outcome = await gateway.stop()
  recordFigure("the gateway", "all of it", outcome)
  expect([outcome.exceeded, outcome.signal]).toEqual([undefined, null])
  expect([0, 130]).toContain(outcome.code)
})
