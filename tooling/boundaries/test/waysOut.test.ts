import { describe, expect, it } from "vitest"
import { findWaysOut } from "../src/waysOut.ts"

const security = (...paths: ReadonlyArray<string>) =>
  `# Security\n\n| way | opened by |\n| --- | --- |\n${paths.map((path) => `| a call | [file](${path}) |\n`).join("")}`

const found = (text: string, named: ReadonlyArray<string> = [], path = "packages/core/src/Way.ts") =>
  findWaysOut(security(...named), [{ path, text }]).map((one) => `${one.path}:${one.line}`)

describe("a way out that the table does not have is found", () => {
  for (const text of [
    "const reply = await fetch(url)",
    "globalThis.fetch(url, init)",
    "const socket = new make(url, [])",
    "new WebSocket(url)",
    "net.connect({ host })",
    "https.request(url)",
    "new Redis({ host })",
    "new ioredis.Redis({ host })",
    'import { Pool } from "undici"',
    'import { Agent, request } from "node:https"',
    "(isSecure ? node.https : node.http).request(options)",
    'const { make } = await import("@effect/sql-pg/PgClient")',
    "Layer.provide(FetchHttpClient.layer)",
    "new EnvHttpProxyAgent({})",
    "dns.lookup(host)",
    "navigator.sendBeacon(url)",
  ])
    it(text, () => expect(found(`// it\n${text}\n`)).toEqual(["packages/core/src/Way.ts:2"]))
})

it("a way out that the table has is right", () =>
  expect(found("fetch(url)\n", ["packages/core/src/Way.ts"])).toEqual([]))
it("a file of the table that opens nothing is found", () =>
  expect(found("const a = 1\n", ["packages/core/src/Way.ts"])).toEqual(["SECURITY.md:1"]))
it("a comment and a test open nothing", () => {
  expect(found(" * await fetch(url)\n// fetch(url)\n")).toEqual([])
  expect(found("fetch(url)\n", [], "packages/core/test/Way.ts")).toEqual([])
})
