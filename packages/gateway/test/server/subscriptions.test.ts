/** Subscriptions over real sockets, to a chain that grows by the clock. */
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { WebSocket } from "ws"
import { generateChain } from "../../src/index.ts"
import { serve, type ServeOptions } from "../../src/server/Server.ts"
import { bodyOf } from "../gatewayRequests.ts"
import { exchange, request } from "./rawPeer.ts"

const sample = { blocks: 400, logs: 4_000 }

const served = (title: string, options: ServeOptions, test: (port: number) => Promise<void>) =>
  it.live(
    title,
    () =>
      Effect.gen(function* () {
        const growing = { sample, upcoming: 300, blockMillis: 20 }
        const { port } = yield* serve({ port: 0, keys: ["local"], ...growing, ...options })
        yield* Effect.promise(() => test(port))
      }).pipe(Effect.scoped),
    60_000,
  )

interface Message {
  readonly id?: number
  readonly result?: string
  readonly params?: { readonly subscription: string; readonly result: { readonly number: string } }
}

describe("over a WebSocket", () => {
  served("the id comes before the first head, and heads have no gap", {}, async (port) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/evm/ws/v3/local`)
    const messages: Array<Message> = []
    const enough = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        messages.push(JSON.parse(String(data)))
        if (messages.length === 6) resolve()
      })
    })
    await new Promise((resolve) => socket.once("open", resolve))
    socket.send(bodyOf("eth_subscribe", ["newHeads"]))
    await enough
    socket.terminate()
    const [opened, ...heads] = messages
    expect(opened).toMatchObject({ id: 1, result: expect.stringMatching(/^0x/) })
    for (const { params } of heads) expect(params?.subscription).toBe(opened?.result)
    const numbers = heads.map(({ params }) => Number(params?.result.number))
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  })

  served(
    "slots of accounts have no gap, and transactions that mention a key come when they are final",
    {},
    async (port) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/accounts/ws/v3/local`)
      const notified = new Map<string, Array<{ readonly parent: number; readonly slot: number }>>()
      const enough = new Promise<void>((resolve) => {
        socket.on("message", (data) => {
          const { method, params } = JSON.parse(String(data))
          if (method === undefined) return
          notified.set(method, [...(notified.get(method) ?? []), params.result])
          if (notified.get("logsNotification") !== undefined && (notified.get("slotNotification")?.length ?? 0) > 5)
            resolve()
        })
      })
      await new Promise((resolve) => socket.once("open", resolve))
      socket.send(bodyOf("slotSubscribe", []))
      socket.send(bodyOf("logsSubscribe", [{ mentions: ["8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"] }]))
      await enough
      socket.terminate()
      const slots = notified.get("slotNotification") ?? []
      expect(slots.slice(1).map(({ parent }) => parent)).toEqual(slots.slice(0, -1).map(({ slot }) => slot))
      expect(notified.get("logsNotification")?.[0]).toEqual({
        context: { slot: expect.any(Number) },
        value: { signature: expect.any(String), err: null, logs: expect.any(Array) },
      })
    },
  )

  served(
    "a client that reads none of its events is disconnected, and leaves its place to others",
    { readMillis: 500, connectionLimit: 1 },
    async (port) => {
      const headers = {
        upgrade: "websocket",
        connection: "Upgrade",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      }
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {})
      socket.write(request(port, "GET /evm/ws/v3/local", headers))
      await new Promise((resolve) => socket.once("data", resolve))
      socket.pause()
      // The same logs many times over fill what the system buffers.
      for (let count = 0; count < 100; count++) socket.write(masked(bodyOf("eth_subscribe", ["logs", {}])))
      const isRoom = async () =>
        (await exchange(port, [request(port, "GET /healthz", { connection: "close" })])).statuses
      expect(await isRoom()).toEqual([])
      await expect.poll(isRoom, { interval: 200 }).toEqual([200])
      socket.destroy()
    },
  )

  served("the server stops while subscriptions are open", {}, async (port) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/evm/ws/v3/local`)
    await new Promise((resolve) => socket.once("open", resolve))
    socket.send(bodyOf("eth_subscribe", ["newHeads"]))
    await new Promise((resolve) => socket.once("message", resolve))
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })
})

it.live("a block that cannot be added is reported, and the chain goes on", () =>
  Effect.gen(function* () {
    const errors: Array<string> = []
    const logger = Logger.make(({ message }) => void errors.push(String(message)))
    const chain = generateChain({ blocks: 50, logs: 500, seed: 1 })
    let asked = 0
    const broken: typeof chain = {
      ...chain,
      blockByNumber: (number) => {
        if (number === 48 && ++asked === 1) throw new Error("a defect")
        return chain.blockByNumber(number)
      },
    }
    const { port } = yield* serve({ port: 0, keys: ["local"], chain: broken, upcoming: 4, blockMillis: 20 }).pipe(
      Effect.provide(Logger.layer([logger])),
    )
    const head = async () => {
      const headers = { "content-type": "application/json" }
      const options = { method: "POST", headers, body: bodyOf("eth_blockNumber", []) }
      return ((await (await fetch(`http://127.0.0.1:${port}/evm/v3/local`, options)).json()) as Message).result
    }
    yield* Effect.promise(() => expect.poll(head).toBe("0x31"))
    expect(errors).toEqual([expect.stringContaining("the chain did not grow: Error: a defect; this is a bug")])
  }).pipe(Effect.scoped),
)

/** A text message as a client sends it, masked with zeros. */
const masked = (text: string): Buffer => {
  const body = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body])
}
