/** docs/plugins-bitcoin.md, followed to the letter: every file it shows is built, tested and run on a node with a password. */
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../folders.ts"
import { checkBuildAndTest, dotrpcIn, linkDependencies } from "../generated.ts"
import { readGuide } from "../guide.ts"
import { spawnAt } from "../process.ts"

const guide = readGuide("plugins-bitcoin.md")
const home = temporaryFolder()
const folder = join(home, "bitcoin")

const newestFirst = ['"c","amount":0.5', '"b","amount":-0.10000000', '"a","amount":20999999.97690000']
let isStarting = false

/** Answers as a Bitcoin node does: in JSON-RPC 1.0, and errors in an HTTP 500. */
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const call = JSON.parse(body) as {
      readonly id: number
      readonly jsonrpc?: string
      readonly params: [string, number, number?]
    }
    if (request.headers.authorization !== `Basic ${btoa("alice:p@ss")}` || call.jsonrpc !== undefined)
      return response.writeHead(401).end()
    if (isStarting)
      return response
        .writeHead(500)
        .end(`{"result":null,"error":{"code":-28,"message":"Loading block index…"},"id":${call.id}}`)
    const [, count, skip = 0] = call.params
    const page = newestFirst.slice(skip, skip + count).toReversed()
    const items = page.map((item) => `{"txid":${item},"category":"send","confirmations":1}`)
    return response.end(`{"result":[${items.join()}],"error":null,"id":${call.id}}`)
  })
})

const run = async (password: string, file = "example.rpc") => {
  const { port } = node.address() as AddressInfo
  const env = { BITCOIN_USER: "alice", BITCOIN_PASSWORD: password, BITCOIN_PORT: String(port) }
  const { code, stderr, stdout } = await spawnAt({ cwd: folder, env }, "run", file, "--trust").outcome
  return { code, text: stdout + stderr }
}

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  await dotrpcIn(home, "new", "plugin", "bitcoin")
  linkDependencies(folder)
  for (const path of ["src/blockNumber.ts", "test/io/eth_blockNumber.io"]) rmSync(join(folder, path))
  for (const [path, text] of Object.entries(guide.files)) writeFileSync(join(folder, path), text)
})
afterAll(() => {
  node.close()
})

describe("the page about a plugin for a Bitcoin node", () => {
  it("builds a package that passes its tests", async () => {
    const tested = await checkBuildAndTest(folder)
    expect(tested).toMatch(/✓.*an amount has all its decimals/)
    expect(tested).toMatch(/✓.*listtransactions\.io: its requests are as the plugin sends them/)
  })

  it("reads all pages, with every decimal", async () => {
    const { code, text } = await run("p@ss")
    expect(text).toContain("3 transactions · 2 calls")
    expect(text).toMatch(/a +20999999\.97690000\n +b +-0\.10000000\n +c +0\.50000000\n/)
    expect(text).toContain("1 of 1 checks passed")
    expect(code).toBe(0)
  })

  it("is refused with another password, which is not shown", async () => {
    const { code, text } = await run("another-password")
    expect(text).toContain("RPC-2010")
    expect(text).not.toMatch(/another-password|YWxpY2U6YW5vdGhlci1wYXNzd29yZA/)
    expect(code).toBe(3)
  })

  it("reports a node that is starting by its own words", async () => {
    isStarting = true
    writeFileSync(join(folder, "once.rpc"), '### once\n# @network node\n# @retry 0\nlisttransactions ["*", 2]\n')
    const { text } = await run("p@ss", "once.rpc")
    expect(text).toContain("Loading block index…")
    expect(text).toContain("NodeBehind")
  })

  it("has no block that is not tried here", () => expect(Object.keys(guide.files).length + 3).toBe(guide.blocks))
})
