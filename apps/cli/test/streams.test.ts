/** Requests that listen to a real gateway over real sockets: what they report, cost, and survive. */
import { serve } from "@dotrpc/gateway/server"
import { Effect } from "effect"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebSocketServer } from "ws"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

/** A proxy whose connections can be cut. */
interface Line {
  readonly port: number
  /** Open connections. */
  readonly count: () => number
  readonly cut: () => void
  readonly close: () => void
}

const openLine = async (target: () => number): Promise<Line> => {
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(target(), "127.0.0.1")
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: () => sockets.size,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Sends so many events, once it is asked, as fast as they are read. */
const floodingServer = async (events: number) => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
  await once(server, "listening")
  let sent = 0
  const eventAt = (at: number) =>
    JSON.stringify({
      jsonrpc: "2.0",
      method: "eth_subscription",
      params: { subscription: "0x1", result: `0x${at.toString(16).padStart(64, "0")}` },
    })
  server.on("connection", (client) => {
    client.on("message", (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { readonly id: number; readonly method: string }
      client.send(JSON.stringify({ jsonrpc: "2.0", id, result: method === "eth_unsubscribe" ? true : "0x1" }))
      const next = () => {
        if (sent >= events || client.readyState !== client.OPEN) return
        const burst = Math.min(500, events)
        for (let at = 1; at < burst; at++) client.send(eventAt(++sent))
        client.send(eventAt(++sent), next)
      }
      next()
    })
  })
  return { server, port: (server.address() as AddressInfo).port, sent: () => sent }
}

const blockMillis = 100
let line: Line
let stop = () => {}
let gatewayPort = 0

beforeAll(async () => {
  line = await openLine(() => gatewayPort)
  gatewayPort = await new Promise<number>((resolve) => {
    const fiber = Effect.runFork(
      Effect.scoped(
        Effect.gen(function* () {
          const { port } = yield* serve({
            port: 0,
            keys: ["local"],
            hostNames: [`127.0.0.1:${line.port}`],
            sample: { blocks: 200, logs: 2_000 },
            upcoming: 5_000,
            blockMillis,
          })
          resolve(port)
          yield* Effect.never
        }),
      ),
    )
    stop = () => fiber.interruptUnsafe()
  })
})
afterAll(() => {
  line.close()
  stop()
})

/** A folder with a file, for a network whose sockets go through the line. */
const project = (
  text: string,
  credits: Readonly<Record<string, number>> = {},
  wsUrl = `ws://127.0.0.1:${line.port}/evm/ws/v3/local`,
): string => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({
      networks: {
        dev: {
          plugin: "evm",
          url: `http://127.0.0.1:${gatewayPort}/evm/v3/local`,
          wsUrl,
          credits,
        },
        accounts: {
          plugin: "token-accounts",
          url: `http://127.0.0.1:${gatewayPort}/accounts/v3/local`,
          wsUrl: `ws://127.0.0.1:${line.port}/accounts/ws/v3/local`,
        },
        still: { plugin: "evm", url: `http://127.0.0.1:${gatewayPort}/evm/v3/local` },
      },
    }),
  )
  writeFileSync(join(folder, "live.rpc"), text)
  return folder
}

interface Report {
  readonly credits: { readonly spent: number }
  readonly files: ReadonlyArray<{
    readonly requests: ReadonlyArray<{
      readonly status: string
      readonly calls: number
      readonly credits: number
      readonly result?: ReadonlyArray<Log & { readonly number: string }>
      readonly note?: string
      readonly listens?: object
      readonly error?: { readonly reason: string; readonly message: string }
      readonly checks: ReadonlyArray<{ readonly ok: boolean }>
    }>
  }>
}

interface Log {
  readonly blockNumber: string
  readonly blockHash: string
  readonly logIndex: string
}

const runJson = async (folder: string, ...args: ReadonlyArray<string>) => {
  const {
    code: exitCode,
    stderr,
    stdout,
  } = await startAt({ cwd: folder }, "run", "live.rpc", "--format", "json", ...args).outcome
  const report = JSON.parse(stdout) as Report
  const [request] = report.files[0]?.requests ?? []
  if (request === undefined) throw new Error(stderr)
  return { exitCode, report, request, stderr }
}

const timeout = 60_000

describe("a request that listens", () => {
  it(
    "has the array of its events as its result, in order, and its checks see it",
    async () => {
      const folder = project(
        '### heads\n# @network dev\n# @limit 4\neth_subscribe ["newHeads"]\n?? result.length == 4\n',
      )
      const { exitCode, request } = await runJson(folder)
      expect(exitCode).toBe(0)
      const numbers = request.result?.map(({ number }) => Number(number)) ?? []
      expect(numbers).toEqual([0, 1, 2, 3].map((at) => (numbers[0] ?? 0) + at))
      expect(request).toMatchObject({ status: "ok", calls: 2, credits: 160, checks: [{ ok: true }] })
    },
    timeout,
  )

  it(
    "ends after its time, with the events so far",
    async () => {
      // All of them come with its answer, and nothing after them.
      const events = 3
      const quiet = await floodingServer(events)
      const folder = project(
        '### pending\n# @network dev\n# @for 5s\neth_subscribe ["newPendingTransactions"]\n',
        {},
        `ws://127.0.0.1:${quiet.port}/`,
      )
      const { exitCode, request } = await runJson(folder)
      expect(exitCode).toBe(0)
      expect(request.result).toHaveLength(events)
      expect(request.credits).toBe(160)
      quiet.server.close()
    },
    timeout,
  )

  it(
    "shows its rows as they arrive",
    async () => {
      const folder = project('### heads\n# @network dev\n# @for 1m\neth_subscribe ["newHeads"]\n')
      const running = startAt({ cwd: folder }, "run", "live.rpc")
      await running.printed("base fee")
      running.interrupt()
      const { code: exitCode, stdout } = await running.outcome
      expect(exitCode).toBe(130)
      expect(stdout).toMatch(/… heads\n +number +time/)
    },
    timeout,
  )

  it(
    "keeps its events when it is interrupted, and leaves no socket behind",
    async () => {
      const folder = project('### heads\n# @network dev\n# @for 1m\neth_subscribe ["newHeads"]\n')
      const running = startAt({ cwd: folder }, "run", "live.rpc", "--format", "json")
      await running.printed("base fee")
      running.interrupt()
      const { code: exitCode, stdout } = await running.outcome
      expect(exitCode).toBe(130)
      const [request] = (JSON.parse(stdout) as Report).files[0]?.requests ?? []
      expect(request?.result?.length).toBeGreaterThan(0)
      expect(request).toMatchObject({ status: "failed", credits: 160, error: { reason: "Timeout" } })
      await expect.poll(line.count).toBe(0)
    },
    timeout,
  )

  it(
    "stops before its budget would be crossed, and ends the subscription",
    async () => {
      const text =
        '### heads\n# @network dev\n# @for 1m\n# @budget 300\neth_subscribe ["newHeads"]\n?? result.length > 0\n'
      const { exitCode, report, request } = await runJson(project(text, { eth_subscription: 20 }))
      expect(exitCode).toBe(4)
      expect(report.credits.spent).toBeLessThanOrEqual(300)
      // 80 to open, 20 for each event; what is left does not pay for ending it and the next two events.
      expect(request.result?.length).toBeGreaterThanOrEqual(5)
      expect(request).toMatchObject({ status: "refused", error: { reason: "BudgetRefused" } })
      await expect.poll(line.count).toBe(0)
    },
    timeout,
  )

  it(
    "is ended with the last event that its budget pays for, and counts what came meanwhile, however many the server sends",
    async () => {
      const events = 200_000
      const flood = await floodingServer(events)
      const folder = project(
        '### pending\n# @network dev\n# @for 1m\n# @budget 2000\neth_subscribe ["newPendingTransactions"]\n',
        { eth_subscribe: 100, eth_subscription: 20 },
        `ws://127.0.0.1:${flood.port}/`,
      )
      const { exitCode, report, request } = await runJson(folder)
      expect(exitCode).toBe(4)
      expect(request).toMatchObject({ status: "refused", error: { reason: "BudgetRefused" } })
      const kept = request.result?.length ?? 0
      expect(kept).toBeLessThanOrEqual(95)
      const unwanted = Number(
        /([\d,]+) more events were sent before/.exec(request.note ?? "")?.[1]?.replaceAll(",", ""),
      )
      expect(unwanted).toBeGreaterThan(0)
      const calls = report.credits.spent - (kept + unwanted) * 20
      // Opening it, and ending it.
      expect([100, 180]).toContain(calls)
      await expect.poll(() => flood.server.clients.size).toBe(0)
      // What waits in buffers of both machines has left the server; the rest was never sent.
      expect(flood.sent()).toBeLessThan(events)
      flood.server.close()
    },
    timeout,
  )

  it(
    "counts what the server sent after the last event of # @limit, and keeps none of it",
    async () => {
      const flood = await floodingServer(500)
      const folder = project(
        '### pending\n# @network dev\n# @limit 3\neth_subscribe ["newPendingTransactions"]\n',
        { eth_subscribe: 10, eth_subscription: 40, eth_unsubscribe: 5 },
        `ws://127.0.0.1:${flood.port}/`,
      )
      const { exitCode, request } = await runJson(folder)
      expect([exitCode, request.status, request.result?.length]).toEqual([0, "ok", 3])
      expect(request.credits).toBe(10 + 500 * 40 + 5)
      expect(request.note).toBe(
        "497 more events were sent before the server had ended the subscription: paid for, and not kept",
      )
      flood.server.close()
    },
    timeout,
  )

  it(
    "reads again what it missed while its connection was broken, each log once",
    async () => {
      const text = '### logs\n# @network dev\n# @for 10m\n# @limit 400\neth_subscribe ["logs", {}]\n'
      const running = startAt({ cwd: project(text) }, "run", "live.rpc", "--format", "json")
      await running.printed("Transfer")
      line.cut()
      const { code: exitCode, stdout } = await running.outcome
      expect(exitCode).toBe(0)
      const [request] = (JSON.parse(stdout) as Report).files[0]?.requests ?? []
      const logs = request?.result ?? []
      expect(request?.note).toContain("filled by reading the blocks again")
      const keys = logs.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`)
      expect(new Set(keys).size).toBe(keys.length)
      const blocks = logs.map(({ blockNumber }) => Number(blockNumber))
      const [first = 0, last = 0] = [blocks[0], blocks.at(-1)]
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_getLogs",
        params: [{ fromBlock: `0x${first.toString(16)}`, toBlock: `0x${(last - 1).toString(16)}` }],
      })
      const reply = await fetch(`http://127.0.0.1:${gatewayPort}/evm/v3/local`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      })
      const { result } = (await reply.json()) as { readonly result: ReadonlyArray<Log> }
      const expected = result.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`)
      expect(keys.filter((_, index) => (blocks[index] ?? 0) < last).toSorted()).toEqual(expected.toSorted())
    },
    timeout,
  )

  it(
    "reports in a note that slots may be missing after its connection was broken",
    async () => {
      const text = "### slots\n# @network accounts\n# @for 6s\nslotSubscribe\n"
      const running = startAt({ cwd: project(text) }, "run", "live.rpc", "--format", "json")
      await running.printed("… slots")
      line.cut()
      const { code: exitCode, stdout } = await running.outcome
      expect(exitCode).toBe(0)
      const [request] = (JSON.parse(stdout) as Report).files[0]?.requests ?? []
      expect(request).toMatchObject({
        status: "ok",
        note: expect.stringContaining("events may be missing: the connection broke once"),
      })
    },
    timeout,
  )

  it("reports in a dry run when it ends, and what it costs at most", async () => {
    const text = '### heads\n# @network dev\n# @limit 100\n# @retry 0\neth_subscribe ["newHeads"]\n'
    const folder = project(text, { eth_subscription: 20 })
    const { request, stderr } = await runJson(folder, "--dry-run")
    expect(request).toMatchObject({
      estimated: { min: 80, max: 2_160 },
      listens: { seconds: 3_600, events: 100, reopens: 0, perEvent: 20 },
    })
    expect(stderr).toContain("Listens for 1 h or 100 events, whichever comes first. Each event costs 20 credits")
  })

  it.each([
    ["# @timeout 1s\n# @for 10m", "no reply within 1000 ms"],
    ["# @for 1s", "the server did not open the subscription within the 1000 ms of # @for"],
  ])(
    "fails when the server never opens it: %j",
    async (directives, message) => {
      const silent = new WebSocketServer({ port: 0, host: "127.0.0.1" })
      try {
        await once(silent, "listening")
        const folder = temporaryFolder()
        const { port } = silent.address() as AddressInfo
        const dev = { plugin: "evm", url: "http://127.0.0.1:1/", wsUrl: `ws://127.0.0.1:${port}/` }
        writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks: { dev } }))
        writeFileSync(
          join(folder, "live.rpc"),
          `### heads\n# @network dev\n# @retry 0\n${directives}\neth_subscribe ["newHeads"]\n`,
        )
        const { exitCode, request } = await runJson(folder)
        expect(request).toMatchObject({ status: "failed", error: { reason: "Timeout" } })
        expect(request.error?.message).toContain(message)
        expect(exitCode).toBe(3)
      } finally {
        silent.close()
      }
    },
    timeout,
  )

  it("is refused on a network without a WebSocket, which the message names", async () => {
    const folder = project('### heads\n# @network still\n# @for 1s\neth_subscribe ["newHeads"]\n')
    const { exitCode, request } = await runJson(folder)
    expect(exitCode).toBe(2)
    expect(request).toMatchObject({ status: "failed", credits: 0 })
    expect(request.error?.message).toContain('give it a "wsUrl" in rpc.config.json')
  })

  it("is refused while recordings are made", async () => {
    const folder = project('### heads\n# @network dev\n# @for 1s\neth_subscribe ["newHeads"]\n')
    const { request } = await runJson(folder, "--record", "recorded")
    expect(request).toMatchObject({
      status: "failed",
      credits: 0,
      error: { message: expect.stringContaining("subscriptions are not available") },
    })
  })
})
