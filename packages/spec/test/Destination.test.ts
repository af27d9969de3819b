/** Which host a URL leads to: the one that a connection is opened to. */
import { describe, expect, it } from "vitest"
import { Destination } from "../src/index.ts"

describe("the destination of a URL of HTTP or a WebSocket", () => {
  const check = (url: string, expected: string | undefined) =>
    it(`${url} is ${expected ?? "none"}`, () => expect(Destination.ofEndpoint(url)).toBe(expected))
  check("https://mainnet.example/v3/key", "https://mainnet.example")
  check("https://mainnet.example:443/", "https://mainnet.example")
  check("https://mainnet.example:8443/", "https://mainnet.example:8443")
  check("wss://mainnet.example/ws", "https://mainnet.example")
  check("ws://127.0.0.1:8546", "http://127.0.0.1:8546")
  check("https://good.example@evil.example/", "https://evil.example")
  check("https://good.example\\@evil.example/", "https://good.example")
  check("https://EVIL.example./", "https://evil.example.")
  check("http://0x7f.1:8545/", "http://127.0.0.1:8545")
  check("embedded:evm", undefined)
  check("file:///etc/passwd", undefined)
  check("no url", undefined)
})

describe("the destination of a Redis or PostgreSQL server", () => {
  const check = (url: string, expected: readonly [destination: string, host: string, port: number] | undefined) =>
    it(`${url} is ${expected?.[0] ?? "none"}`, () => {
      const found = Destination.ofServer(url)
      expect(found && [found.destination, found.host, found.port]).toEqual(expected)
    })
  check("redis://:pass@cache.example", ["redis://cache.example", "cache.example", 6379])
  check("redis://cache.example:6379/2", ["redis://cache.example", "cache.example", 6379])
  check("rediss://Cache.example:6380", ["rediss://cache.example:6380", "Cache.example", 6380])
  check("redis://[::1]:7000", ["redis://[::1]:7000", "::1", 7000])
  check("redis://ev%69l.example", ["redis://evil.example", "evil.example", 6379])
  check("redis://cache.example?host=evil.example", undefined)
  check("redis://cache.example?path=/tmp/redis.sock", undefined)
  check("postgres://user:pass@db.example/team", ["postgres://db.example", "db.example", 5432])
  check("postgresql://db.example:5432/team", ["postgres://db.example", "db.example", 5432])
  check("postgres://db.example/team?sslmode=require", ["postgres+tls://db.example", "db.example", 5432])
  check("postgres://db.example/team?sslmode=prefer", ["postgres://db.example", "db.example", 5432])
  check("postgres://db.example/team?sslmode=require&sslmode=disable", ["postgres://db.example", "db.example", 5432])
  check("postgres://db.example/team?host=evil.example", ["postgres://evil.example", "evil.example", 5432])
  check("postgres://db.example/team?host=a.example&host=b.example", ["postgres://b.example", "b.example", 5432])
  check("postgres://db.example/team?port=6000", ["postgres://db.example:6000", "db.example", 6000])
  check("postgres:///team?host=/var/run/postgresql", ["postgres://localhost", "/var/run/postgresql", 5432])
  check("postgres://db.example/team?host=a.example,b.example", undefined)
  check("postgres://db.example/team?host=good.example/@evil.example", undefined)
  check("postgres://db.example/team?host=a%252eb", undefined)
  check("postgres://db.example/team?port=0", undefined)
  check("postgres:///team", undefined)
  check("mysql://db.example", undefined)
  check("memory", undefined)

  it("has a user of its own where the URL has none, and not that of this machine", () => {
    const userIn = (url: string) => Destination.ofServer(url)?.rest.href
    expect(userIn("postgres://db.example/team")).toBe("postgres://dotrpc@db.example/team")
    expect(userIn("postgres://:k@db.example/team")).toBe("postgres://dotrpc:k@db.example/team")
    expect(userIn("postgres://db.example/team?user=ann")).toBe("postgres://db.example/team?user=ann")
    expect(userIn("postgres://ann@db.example/team")).toBe("postgres://ann@db.example/team")
  })
  it("leaves nothing in the rest that says where the server is", () => {
    const { rest } = Destination.ofServer("postgres://u:p@db.example/team?host=evil.example&port=1&sslmode=require")!
    expect(rest.search).toBe("?sslmode=require")
  })
})
