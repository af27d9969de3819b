/** Requests that listen to anvil: events, a reorganization, connections that are cut, and both at once. */
import { Json } from "@dotrpc/spec"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { startDotrpc } from "../src/Dotrpc.ts"

let node: AnvilNode
const sockets = new Set<Socket>()
const line = createServer((near) => {
  const far = connect(Number(new URL(node.url).port), "127.0.0.1")
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on("error", () => other.destroy())
    one.on("close", () => other.destroy())
    one.pipe(other)
  }
  sockets.add(near)
  near.on("close", () => sockets.delete(near))
})
const room = mkdtempSync(join(tmpdir(), "dotrpc-streams-"))

beforeAll(async () => {
  node = await startAnvil()
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve))
  const { port } = line.address() as AddressInfo
  const anvil = { plugin: "evm", url: node.url, wsUrl: `ws://127.0.0.1:${port}` }
  writeFileSync(join(room, "rpc.config.json"), JSON.stringify({ networks: { anvil } }))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  line.close()
  rmSync(room, { recursive: true, force: true })
  await node.stop()
})

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

/** A contract that only writes a log while it is created, in a block of its own. */
const writeLog = () => ask(node.url, "eth_sendTransaction", [{ from: account, data: "0x602a60006000a100" }])

/** Listens while something happens, and returns the report and the logs that the chain has since. */
const listening = async (happens: () => Promise<void>) => {
  writeFileSync(join(room, "live.rpc"), '### logs\n# @for 10s\neth_subscribe ["logs", {}]\n')
  const start = Number(await ask(node.url, "eth_blockNumber", []))
  const running = startDotrpc(["run", "live.rpc", "--format", "json"], { XDG_DATA_HOME: room }, room)
  // It is open once a log has been shown.
  const isHeard = async () => {
    await writeLog()
    return running.stderr().includes("… logs")
  }
  await expect.poll(isHeard, { timeout: 30_000, interval: 300 }).toBe(true)
  await happens()
  await running.ended
  const report = JSON.parse(running.stdout()) as {
    readonly files: ReadonlyArray<{
      readonly requests: ReadonlyArray<{
        readonly status: string
        readonly note?: string
        readonly result: ReadonlyArray<Json.JsonObject>
      }>
    }>
  }
  const [request] = report.files[0]?.requests ?? []
  if (request === undefined) throw new Error(running.stderr())
  const first = Math.min(...request.result.map(({ blockNumber }) => Number(blockNumber)))
  const range = { fromBlock: `0x${Math.max(start + 1, first).toString(16)}`, toBlock: "latest" }
  const now: Json.Json = await ask(node.url, "eth_getLogs", [range])
  if (!Json.isArray(now)) throw new Error("the node sent no list of logs")
  return { request, heard: request.result.map(keyOf).toSorted(), now: now.map(keyOf).toSorted() }
}

const keyOf = (log: Json.Json): string =>
  Json.isObject(log) ? `${String(log["blockHash"])} ${String(log["logIndex"])}` : "not a log"

const cut = () => {
  for (const socket of sockets) socket.destroy()
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe("a request that listens to anvil", () => {
  it("has each log once", async () => {
    const { heard, now, request } = await listening(async () => {
      for (let at = 0; at < 5; at++) await writeLog()
    })
    expect(request.status).toBe("ok")
    expect(heard).toEqual(now)
    expect(new Set(heard).size).toBe(heard.length)
  })

  it("reads what it missed while its connection was broken", async () => {
    const { heard, now, request } = await listening(async () => {
      cut()
      for (let at = 0; at < 5; at++) await writeLog()
      await expect.poll(() => sockets.size, { timeout: 8_000 }).toBe(1)
      await pause(500)
      await writeLog()
    })
    expect(request.note).toContain("filled by reading the blocks again")
    expect(heard).toEqual(now)
  })

  // While it is connected, anvil itself never sends the logs that a reorganization took back.
  it("leaves out what a reorganization took back while its connection was broken", async () => {
    const { heard, now, request } = await listening(async () => {
      await writeLog()
      await writeLog()
      await pause(500)
      cut()
      await ask(node.url, "anvil_reorg", [2, []])
      await writeLog()
      await expect.poll(() => sockets.size, { timeout: 8_000 }).toBe(1)
      await pause(500)
      await writeLog()
    })
    expect(request.note).toContain("2 events were left out: a reorganization replaced their blocks")
    expect(heard).toEqual(now)
  })
})
