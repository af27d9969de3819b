/** A request that listens to anvil over a line that can be cut, and what it has heard. */
import { Json } from "@dotrpc/spec"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { startDotrpc } from "../src/Dotrpc.ts"

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

/** For a file of tests: starts a node, and a line to it. */
export const listenToAnvil = () => {
  let node: AnvilNode
  /** Subscriptions that the node has opened: it names each by 16 bytes. */
  let opened = 0
  let isCut = false
  const sockets = new Set<Socket>()
  const line = createServer((near) => {
    if (isCut) return void near.on("error", () => undefined).destroy()
    const far = connect(Number(new URL(node.url).port), "127.0.0.1")
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy())
      one.on("close", () => other.destroy())
      one.pipe(other)
    }
    far.on("data", (chunk) => (opened += /"result":"0x[0-9a-f]{32}"/.test(chunk.toString("latin1")) ? 1 : 0))
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

  /** A contract that only writes a log while it is created, in a block of its own. */
  const writeLog = () => ask(node.url, "eth_sendTransaction", [{ from: account, data: "0x602a60006000a100" }])

  /** Waits until so many subscriptions were opened since the beginning. */
  const untilOpened = (count: number) => expect.poll(() => opened, { interval: 5 }).toBeGreaterThanOrEqual(count)

  /** Cuts the line. What it returns mends it, and waits until the request listens again. */
  const cut = (): (() => Promise<void>) => {
    const next = opened + 1
    isCut = true
    for (const socket of sockets) socket.destroy()
    return () => {
      isCut = false
      return untilOpened(next)
    }
  }

  /**
   * Listens while something happens, and returns the report, what it has heard and the logs that the chain has since, in order.
   * @param ends a directive that says when it ends
   */
  const listening = async (ends: string, happens: (untilEnded: () => Promise<void>) => Promise<void>) => {
    writeFileSync(join(room, "live.rpc"), `### logs\n# ${ends}\neth_subscribe ["logs", {}]\n`)
    const next = opened + 1
    const start = Number(await ask(node.url, "eth_blockNumber", []))
    const running = startDotrpc(["run", "live.rpc", "--format", "json"], { XDG_DATA_HOME: room }, room)
    await untilOpened(next)
    let hasEnded = false
    void running.ended.then(() => (hasEnded = true))
    /** Writes logs until it has all that it listens for. */
    const untilEnded = async () => {
      const another = async () => {
        if (!hasEnded) await writeLog()
        return hasEnded
      }
      await expect.poll(another, { interval: 200 }).toBe(true)
    }
    await happens(untilEnded)
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
    return { request, heard: request.result.map(keyOf).toSorted(), now: now.map(keyOf) }
  }

  const reorganize = (blocks: number) => ask(node.url, "anvil_reorg", [blocks, []])
  return { cut, listening, reorganize, writeLog }
}

const keyOf = (log: Json.Json): string =>
  Json.isObject(log) ? `${String(log["blockHash"])} ${String(log["logIndex"])}` : "not a log"
