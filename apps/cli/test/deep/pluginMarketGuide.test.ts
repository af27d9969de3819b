/** docs/plugins-market.md, followed to the letter: every file it shows is built, tested and run on a market that wants a key. */
import { rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebSocketServer } from "ws"
import { temporaryFolder } from "../folders.ts"
import { checkBuildAndTest, dotrpcIn, linkDependencies, linkPackages } from "../generated.ts"
import { readGuide } from "../guide.ts"
import { spawnAt, startScript } from "../process.ts"

const guide = readGuide("plugins-market.md")
const home = temporaryFolder()
const folder = join(home, "market")

const newestFirst = [
  '{"id":3,"price":64000.10,"size":1234.567890123456789012}',
  '{"id":2,"price":63999.99,"size":0.000000000000000001}',
  '{"id":1,"price":64000,"size":0.5}',
]
const news = ['{"id":4,"price":64001.25,"size":0.100000000000000001}', '{"id":5,"price":64001.30,"size":2}']

/** What the market was asked, in order. */
const asked: Array<string> = []
const hasKey = (authorization: string | undefined) => authorization === "Bearer k3y"

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly [{ readonly limit: number; readonly cursor?: string }]
}

/** Sends pages whose cursor names the first trade of the next one. */
const market = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    if (!hasKey(request.headers.authorization))
      return response.writeHead(401).end(`unknown key: ${request.headers.authorization}`)
    const { id, method, params } = JSON.parse(body) as Call
    const [{ cursor = "from-0", limit }] = params
    asked.push(`${method} ${cursor}`)
    const from = Number(cursor.slice("from-".length))
    const next = from + limit < newestFirst.length ? `"from-${from + limit}"` : "null"
    const trades = newestFirst.slice(from, from + limit).join()
    return response.end(`{"jsonrpc":"2.0","result":{"trades":[${trades}],"next":${next}},"id":${id}}`)
  })
})
const sockets = new WebSocketServer({
  server: market,
  verifyClient: ({ req }: { readonly req: IncomingMessage }) => hasKey(req.headers.authorization),
})
sockets.on("connection", (socket) =>
  socket.on("message", (data: Buffer) => {
    const { id, method, params } = JSON.parse(data.toString()) as Call
    asked.push(`${method} ${params.join(" ")}`)
    if (method === "market_unsubscribe") return socket.send(`{"jsonrpc":"2.0","result":true,"id":${id}}`)
    socket.send(`{"jsonrpc":"2.0","result":"s1","id":${id}}`)
    for (const trade of news)
      socket.send(`{"jsonrpc":"2.0","method":"market_event","params":{"subscription":"s1","result":${trade}}}`)
  }),
)

const environment = (key: string) => ({
  MARKET_KEY: key,
  MARKET_PORT: String((market.address() as AddressInfo).port),
})

const run = (key: string) => spawnAt({ cwd: folder, env: environment(key) }, "run", "example.rpc", "--trust").outcome

const watch = (key: string) => startScript({ cwd: folder, env: environment(key) }, "watch.ts").outcome

/** The time that a call takes is not the same twice. */
const untimed = (text: string) => text.replaceAll(/\d+ ms/g, "N ms")

beforeAll(async () => {
  await new Promise<void>((resolve) => market.listen(0, "127.0.0.1", resolve))
  await dotrpcIn(home, "new", "plugin", "market")
  linkDependencies(folder)
  linkPackages(folder, ["@dotrpc/core", "@dotrpc/project"])
  for (const path of ["src/blockNumber.ts", "test/io/eth_blockNumber.io"]) rmSync(join(folder, path))
  for (const [path, text] of Object.entries(guide.files)) writeFileSync(join(folder, path), text)
})
afterAll(() => {
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  market.close()
})

describe("the page about a plugin for a market", () => {
  it("builds a package that passes its tests", async () => {
    const tested = await checkBuildAndTest(folder)
    expect(tested).toMatch(/✓.*what was paid has every digit/)
    expect(tested).toMatch(/✓.*subscription trades: has samples of its events/)
    expect(tested).toMatch(/✓.*market_getTrades\.io: its requests are as the plugin sends them/)
  })

  it("reads all pages by their cursor, with every digit, as it shows", async () => {
    asked.length = 0
    const { code, stderr, stdout } = await run("k3y")
    expect(untimed(stdout + stderr)).toContain(untimed(guide.outputs[0] ?? "no output"))
    expect(asked).toEqual(["market_getTrades from-0", "market_getTrades from-2"])
    expect(code).toBe(0)
  })

  it("gets new trades, pays for them and ends the subscription, as it shows", async () => {
    asked.length = 0
    const { stderr, stdout } = await watch("k3y")
    expect(stderr).toBe("")
    expect(stdout).toBe(guide.outputs[1])
    expect(asked).toEqual(["market_subscribe trades BTC-USD", "market_unsubscribe s1"])
  })

  it("is refused with another key, which is not shown", async () => {
    const called = await run("another-key-4d1f")
    const watched = await watch("another-key-4d1f")
    expect(called.stdout + called.stderr).toContain("RPC-2010")
    expect(called.code).toBe(3)
    expect(watched.code).not.toBe(0)
    for (const { stderr, stdout } of [called, watched]) expect(stdout + stderr).not.toContain("another-key-4d1f")
  })

  it("has no block that is not tried here", () => {
    expect(guide.commands.slice(3)).toEqual([
      "npm run build",
      "npm test",
      "MARKET_KEY=k3y MARKET_PORT=8080 dotrpc run example.rpc --trust",
      "npm install CLONE/tarballs/dotrpc-*-[0-9]*.tgz",
      "MARKET_KEY=k3y MARKET_PORT=8080 node watch.ts",
    ])
    expect(Object.keys(guide.files).length + 3 + guide.outputs.length).toBe(guide.blocks)
  })
})
