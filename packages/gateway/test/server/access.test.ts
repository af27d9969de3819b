import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAccess } from "../../src/server/Access.ts"
import { serve, type ServeOptions } from "../../src/server/Server.ts"
import { emptyChain } from "../emptyChain.ts"
import { bodyOf } from "../gatewayRequests.ts"
import { exchange, request } from "./rawPeer.ts"

const chain = emptyChain()
const body = bodyOf("eth_chainId")
const page = "https://app.example"
const json = { "content-type": "application/json", "content-length": String(body.length) }

/** Every way into the server: what it answers there when nothing is wrong. */
const doors = [
  { line: "POST /evm/v3/local", headers: json, body, status: 200 },
  { line: "GET /evm/v3/local/credits", headers: {}, body: "", status: 200 },
  { line: "GET /metrics", headers: {}, body: "", status: 200 },
  { line: "GET /healthz", headers: {}, body: "", status: 200 },
  { line: "OPTIONS /evm/v3/local", headers: {}, body: "", status: 204 },
  {
    line: "GET /evm/ws/v3/local",
    headers: {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    },
    body: "",
    status: 101,
  },
] as const

/** What one request gets at every door: the same status, or to be let in. */
const check = (
  title: string,
  headers: (port: number) => Readonly<Record<string, string>>,
  expected: "let in" | 400 | 403,
  options: ServeOptions = {},
) =>
  it.live(title, () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ port: 0, chain, keys: ["local"], ...options })
      for (const door of doors) {
        const text = request(port, door.line, { ...headers(port), ...door.headers, connection: "close" }, door.body)
        const upgrading = door.status === 101 ? text.replace("connection: close", "connection: upgrade") : text
        const { statuses } = yield* Effect.promise(() => exchange(port, [upgrading], "end"))
        expect([door.line, statuses]).toEqual([door.line, [expected === "let in" ? door.status : expected]])
      }
    }).pipe(Effect.scoped),
  )

describe("the host that a request names", () => {
  check("may be the address", (port) => ({ host: `127.0.0.1:${port}` }), "let in")
  check("may be the address without its port", () => ({ host: "127.0.0.1" }), "let in")
  check("may be another word for this machine", (port) => ({ host: `LocalHost:${port}` }), "let in")
  check("may be this machine's other address", (port) => ({ host: `[0:0:0:0:0:0:0:1]:${port}` }), "let in")
  check("may be a name that is allowed", () => ({ host: "Gateway.example:80" }), "let in", {
    hostNames: ["gateway.example"],
  })
  check("may be a name that is allowed with its port", () => ({ host: "gateway.example:80" }), "let in", {
    hostNames: ["gateway.example:80"],
  })
  check("is refused with another port than that of the name", () => ({ host: "gateway.example:81" }), 403, {
    hostNames: ["gateway.example:80"],
  })
  for (const host of [
    "evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.256",
    "evil.example:127.0.0.1",
    "localhost@evil.example",
    "localhost.evil.example",
    "192.0.2.1",
    "0.0.0.0",
    "127.0.0.1:1",
    "127.0.0.1:123456",
    "[::2]",
    "127.0.0.1/",
    "2130706433",
  ])
    check(`is refused when it is ${host}`, () => ({ host }), 403)
  check("is refused when it is empty", () => ({ host: "" }), 403)
  check("is refused when there are two", (port) => ({ host: `127.0.0.1:${port}`, Host: "evil.example" }), 403)
})

describe("a server that listens on every address", () => {
  /** Whether a request to this address that names this host is accepted. */
  const checkAddress = (localAddress: string, host: string, admitted: boolean) =>
    it(`${admitted ? "answers" : "refuses"} ${host} at ${localAddress}`, () => {
      const access = makeAccess({ host: "0.0.0.0", hostNames: [], allowOrigins: [] })
      const socket = { localAddress, localPort: 8645 }
      expect(access({ headers: { host }, rawHeaders: ["Host", host], socket }).admitted).toBe(admitted)
    })
  checkAddress("192.0.2.7", "192.0.2.7:8645", true)
  checkAddress("::ffff:192.0.2.7", "192.0.2.7:8645", true)
  checkAddress("2001:db8::7", "[2001:DB8:0::7]:8645", true)
  checkAddress("127.0.0.1", "localhost:8645", true)
  checkAddress("192.0.2.7", "localhost:8645", false)
  checkAddress("192.0.2.7", "127.0.0.1:8645", false)
  checkAddress("192.0.2.7", "192.0.2.8:8645", false)
  checkAddress("127.0.0.1", "192.0.2.7:8645", false)
})

describe("the page that asks", () => {
  check("is accepted when its origin is allowed", () => ({ origin: page, "sec-fetch-site": "cross-site" }), "let in", {
    allowOrigins: [page],
  })
  check("may be one of a browser's extension", () => ({ origin: "chrome-extension://abc" }), "let in", {
    allowOrigins: ["chrome-extension://abc"],
  })
  for (const origin of [
    page,
    "null",
    "",
    "*",
    "http://127.0.0.1",
    "https://app.example.evil.example",
    "https://allowed.example:8443",
    "http://allowed.example",
    "https://allowed.example/",
    "https://allowed.example, https://evil.example",
  ])
    check(`is refused when its origin is "${origin}"`, () => ({ origin }), 403, {
      allowOrigins: ["https://allowed.example"],
    })
  check("is refused when it hides its origin from another site", () => ({ "sec-fetch-site": "cross-site" }), 403)
  check("is refused when it hides its origin from another port", () => ({ "sec-fetch-site": "same-site" }), 403)
  check("may be the browser's address bar", () => ({ "sec-fetch-site": "none" }), "let in")
})

describe("a page of an allowed origin", () => {
  const headersOf = (title: string, init: RequestInit, path: string, test: (headers: Headers) => void) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const { port } = yield* serve({ port: 0, chain, keys: ["local"], allowOrigins: [page] })
        const reply = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, init))
        test(reply.headers)
      }).pipe(Effect.scoped),
    )
  headersOf(
    "may ask first, and is not let into private networks by it",
    {
      method: "OPTIONS",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, solana-client",
        "access-control-request-private-network": "true",
      },
    },
    "/evm/v3/local",
    (headers) => {
      expect(headers.get("access-control-allow-origin")).toBe(page)
      expect(headers.get("access-control-allow-methods")).toBe("POST, OPTIONS")
      expect(headers.get("access-control-allow-headers")).toBe("content-type, solana-client")
      expect(headers.get("access-control-allow-private-network")).toBeNull()
      expect(headers.get("vary")).toBe("origin")
    },
  )
  headersOf(
    "may read the credits of a reply",
    { method: "POST", body, headers: { origin: page, "content-type": "application/json" } },
    "/evm/v3/local",
    (headers) => {
      expect(headers.get("access-control-allow-origin")).toBe(page)
      expect(headers.get("access-control-expose-headers")).toBe("x-credits-cost, x-credits-remaining, retry-after")
    },
  )
  headersOf("is the only one that learns so", {}, "/healthz", (headers) => {
    expect(headers.get("access-control-allow-origin")).toBeNull()
    expect(headers.get("vary")).toBe("origin")
  })
})

describe("a body", () => {
  const checkType = (title: string, headers: Readonly<Record<string, string>>, status: number) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const { port } = yield* serve({ port: 0, chain, keys: ["local"] })
        const lines = { connection: "close", "content-length": String(body.length), ...headers }
        const text = request(port, "POST /evm/v3/local", lines, body)
        expect((yield* Effect.promise(() => exchange(port, [text]))).statuses).toEqual([status])
      }).pipe(Effect.scoped),
    )
  checkType("is taken as JSON", { "content-type": "application/json" }, 200)
  checkType("is taken as JSON with a charset", { "content-type": "application/json;charset=UTF-8" }, 200)
  checkType("is refused as text, which any page may post", { "content-type": "text/plain" }, 415)
  checkType(
    "is refused as a form, which any page may post",
    { "content-type": "application/x-www-form-urlencoded" },
    415,
  )
  checkType("is refused as another type that begins alike", { "content-type": "application/jsonp" }, 415)
  checkType("is refused without a type, which any page may post", {}, 415)
  checkType("is refused when it is compressed", { "content-type": "application/json", "content-encoding": "gzip" }, 415)
})
